// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <algorithm>

#include "tests/lessons/step_sight.h"
#include "ui/lessons/check_card.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/decode/forcing/forcing_stage.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/laboratory/batch_shapes.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/loss/loss_word.h"
#include "ui/views/models/cost/growth_chart.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/residual/stream_chart.h"
#include "ui/views/subwords/merge_chart.h"
#include "ui/views/subwords/subwords_view.h"
#include "ui/views/surgery/place_map.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/views/train/training_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/mask_grid.h"

namespace headlight::fixture {

/// What a reader does in a step of a lesson: gives each question its wrong answers and its right one, and tries by hand
/// what is to be tried. A failure is one of the test that runs.
class LessonReader {
public:
    explicit LessonReader(MainWindow& window) : m_window(&window) {}

    void judge(const LessonCheck& check, int part) {
        const QString solution = player().solution(part);
        QVERIFY2(!solution.isEmpty(), check.ask.c_str());
        CheckCard* card = cardOf(part);
        QVERIFY2(!card->isRight(), check.ask.c_str());
        switch (check.kind) {
            case LessonCheck::Kind::Number: {
                QString minus = solution;
                const double right = minus.replace(QChar(0x2212), u'-').toDouble();
                for (const QString& wrong :
                     {QString::number(right + 40 * check.tolerance + 1), QStringLiteral("much")}) {
                    card->answer()->setText(wrong);
                    QTest::keyClick(card->answer(), Qt::Key_Return);
                    QVERIFY2(!card->isRight() && !card->verdict().isEmpty(), check.ask.c_str());
                }
                card->answer()->setText(solution);
                card->checkButton()->click();
                break;
            }
            case LessonCheck::Kind::Choice: {
                const auto right = std::ranges::find(check.choices, solution.toStdString());
                QVERIFY2(right != check.choices.end(), check.ask.c_str());
                for (size_t i = 0; i < check.choices.size(); ++i) {
                    if (check.choices[i] == *right) continue;
                    card->choices()[i]->click();
                    QVERIFY2(!card->isRight() && !card->verdict().isEmpty(), check.ask.c_str());
                }
                card->choices()[size_t(right - check.choices.begin())]->click();
                break;
            }
            case LessonCheck::Kind::Cell: {
                const std::vector<int>& at = check.number.indices;
                const int row = at[at.size() - 2] - 1, column = at.back() - 1, head = at.size() > 2 ? at[0] - 1 : 0;
                pointAt(check.number.name, head, row == 0 ? 1 : row - 1, column);
                player().look();
                QVERIFY2(!card->isRight(), check.ask.c_str());
                pointAt(check.number.name, head, row, column);
                player().look();
                break;
            }
        }
        QVERIFY2(card->isRight(), (check.ask + " | " + card->verdict().toStdString()).c_str());
        QVERIFY(player().isSolved(part));
    }

    void meet(const LessonTask& task, int part) {
        QVERIFY2(!player().isSolved(part), task.what.c_str());
        player().look();
        QVERIFY2(!player().isSolved(part), ("is met before anything was done: " + task.what).c_str());
        for (const auto& [key, value] : task.when)
            act(key, value);
        if (QTest::currentTestFailed()) QFAIL(task.what.c_str());
        QTRY_VERIFY2_WITH_TIMEOUT((player().look(), player().isSolved(part)), task.what.c_str(),
                                  fixture::kLongPatienceMs);
        // The next part of the step begins with the stage as the step shows it.
        player().restoreStage();
        QTRY_VERIFY(m_window->stage().isSettled());
    }

private:
    Workbench& bench() const { return m_window->workbench(); }
    LessonPlayer& player() const { return bench().player; }
    ExploreRoom* explore() const { return m_window->rooms().find<ExploreRoom>(); }

    CheckCard* cardOf(int part) const {
        int place = 0;
        for (int i = 0; i < part; ++i)
            place += std::holds_alternative<LessonCheck>(player().current().parts[size_t(i)]);
        return m_window->lessonPanel()->content()->findChildren<CheckCard*>().at(place);
    }

    void pointAt(const std::string& name, int head, int row, int column) {
        constexpr const char* names[] = {"Q", "K", "V", "scores", "weights", "output"};
        const auto place = std::ranges::find(names, name);
        if (place != std::end(names))
            return explore()
                ->queryKeyValue()
                ->matrix(static_cast<QueryKeyValueView::Matrix>(place - std::begin(names)))
                ->cellClicked(row, column);
        bench().selection.setValue(QString::fromStdString(name));
        bench().selection.setHead(head);
        bench().selection.setNumber({head, row, column});
    }

    template <class Widget>
    Widget* visible(const QString& accessibleName) const {
        for (auto* widget : m_window->findChildren<Widget*>())
            if (widget->isVisible() && widget->accessibleName() == accessibleName)
                return fixture::isInSight(widget) ? widget : nullptr;
        return nullptr;
    }

    /// The button that reads so, or begins so where it counts something.
    void press(const QString& words) {
        for (auto* button : m_window->findChildren<QAbstractButton*>())
            if (button->isVisible() && (button->text() == words || button->text().startsWith(words) ||
                                        button->accessibleName().startsWith(words))) {
                QVERIFY2(fixture::isInSight(button), qPrintable(words + QStringLiteral(" is out of sight")));
                return button->click();
            }
        QFAIL(qPrintable(QStringLiteral("there is no button “%1”").arg(words)));
    }

    /// What a reader does for a condition.
    void act(const std::string& key, const std::string& value) {
        const QString wanted = QString::fromStdString(value);
        if (key == "source") {
            auto* input = visible<QLineEdit>(QStringLiteral("Sentence to read"));
            QVERIFY(input);
            input->setFocus();
            input->selectAll();
            QString typed = wanted;
            if (value == "changed") typed = input->text().section(u' ', 0, -2);
            if (typed.isEmpty()) typed = QStringLiteral("tôi yêu bạn");
            input->clear();
            QTest::keyClicks(input, typed.left(1));
            input->setText(typed);
            emit input->textEdited(typed);
        } else if (key == "mute") {
            auto* button = visible<QAbstractButton>(
                QStringLiteral("Mute head %1").arg(value == "any" ? 1 : wanted.section(u'.', -1).toInt() + 1));
            QVERIFY2(button, "the switches of the heads are not in sight");
            button->click();
        } else if (key == "numbers") {
            const auto which = value == "Q"   ? QueryKeyValueView::Query
                               : value == "K" ? QueryKeyValueView::Key
                                              : QueryKeyValueView::Value;
            explore()->queryKeyValue()->point(which, 0, 0);
            auto* number = explore()->queryKeyValue()->findChild<QDoubleSpinBox*>();
            number->setValue(number->value() + 0.5);
        } else if (key == "holds" || key == "translation") {
            makeTrue(value);
        } else if (key == "head" && isAttention()) {
            bench().selection.setHead(wanted.toInt() - 1);
        } else if (key == "head") {
            BatchShapes* shapes = explore()->queryKeyValue()->shapes();
            const QRectF cell = shapes->cellRect(BatchShapes::Turned, {0, 0, wanted.toInt() - 1, 0});
            QTest::mouseClick(shapes, Qt::LeftButton, {}, cell.center().toPoint());
        } else if (key == "cells") {
            MaskGrid* grid = explore()->masks()->combined();
            QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cellRect(0, 1).center().toPoint());
        } else if (key == "masking") {
            for (auto* way : explore()->masks()->findChildren<SegmentedControl*>())
                if (way->accessibleName() == QLatin1String("Way of masking"))
                    for (auto* button : way->findChildren<QAbstractButton*>())
                        if (button->text().startsWith(value == "after"      ? "After"
                                                      : value == "multiply" ? "Multiply"
                                                                            : "Add"))
                            button->click();
        } else if (key == "shuffles") {
            for (auto* button : explore()->positions()->findChildren<Button*>())
                if (button->text() == QLatin1String("Shuffle the words")) button->click();
        } else if (key == "step") {
            QTest::keyClick(m_window, Qt::Key_Comma);
        } else if (key == "measured") {
            RecurrentSide* side = explore()->recurrent()->side();
            for (int i = int(side->curves().curves().size()); i < wanted.toInt(); ++i) {
                if (i > 0) {
                    m_window->openModel(shippedModel(QStringLiteral("vi-en-long-lstm-attention")));
                    QTRY_COMPARE(bench().session.modelName(), QStringLiteral("vi-en-long-lstm-attention"));
                    QTRY_VERIFY(bench().session.isSettled());
                }
                QVERIFY(side->measureButton()->isVisible());
                side->measureButton()->click();
                QTRY_VERIFY_WITH_TIMEOUT(!side->curves().isMeasuring(), fixture::kLongPatienceMs);
            }
        } else if (key == "beam" || key == "penalty" || key == "fixed") {
            auto* room = m_window->rooms().find<DecodeRoom>();
            QTRY_VERIFY(bench().decoding.result());
            if (key == "beam") emit room->view()->beamChanged(wanted.toInt());
            if (key == "penalty") emit room->view()->penaltyChanged({LengthPenalty::Kind::Gnmt, wanted.toDouble()});
            if (key == "fixed")
                emit room->view()->prefixWanted({bench().session.model()->target->vocabulary().id(value)});
        } else if (key == "train") {
            auto* room = m_window->rooms().find<TrainRoom>();
            QTRY_VERIFY(bench().training.state() == TrainingState::Paused);
            emit room->view()->startRequested();
        } else if (key == "sharpness") {
            auto* temperature = visible<QSlider>(QStringLiteral("Temperature"));
            QVERIFY(temperature);
            temperature->setValue(wanted.toDouble() < 1 ? temperature->minimum() : temperature->maximum());
        } else if (key == "cost_layers") {
            press(wanted);
        } else if (key == "cost_biases") {
            press(QStringLiteral("2 biases"));
        } else if (key == "width") {
            for (auto* slider : explore()->positions()->findChildren<QSlider*>())
                if (slider->accessibleName() == QLatin1String("d model")) slider->setValue(wanted.toInt());
        } else if (key == "number") {  // the first of the last query
            explore()->queryKeyValue()->point(QueryKeyValueView::Query, 3, 0);
            explore()->queryKeyValue()->findChild<QDoubleSpinBox*>()->setValue(wanted.toDouble());
        } else if (key == "cost_words") {
            auto* chart = visible<GrowthChart>(QStringLiteral("Operations as the words grow"));
            QVERIFY(chart);
            emit chart->wordsChosen(wanted.toInt());
        } else if (key == "habit") {
            press(wanted == QLatin1String("alignment") ? QStringLiteral("the word that belongs to it") : wanted);
        } else if (key == "model") {
            m_window->openModel(shippedModel(value == "changed" ? QStringLiteral("fr-en-transformer") : wanted));
        } else if (key == "residual_number") {
            ProfileStack* profiles = explore()->residuals()->profiles();
            const QPointF bar = profiles->barRect(0, wanted.toInt() - 1).center();
            QTest::mouseClick(profiles, Qt::LeftButton, {}, bar.toPoint());
        } else if (key == "residual_depth") {
            StreamChart* chart = explore()->residuals()->chart();
            QTest::mouseClick(chart, Qt::LeftButton, {}, QPointF(chart->xOf(wanted.toInt()), chart->yOf(0)).toPoint());
        } else if (key == "residual_stack") {
            press(QStringLiteral("Encoder"));
        } else if (key == "unit_order") {
            press(QStringLiteral("By strength"));
        } else if (key == "activation") {
            press(QStringLiteral("GELU"));
        } else if (key == "unit_muted") {
            press(QStringLiteral("Mute unit"));
        } else if (key == "unit_layer") {
            QTest::keyClick(explore()->feedForward()->layers(), Qt::Key_Up);
        } else if (key == "cell_unit") {
            emit explore()->cell()->columns()->unitChosen(wanted.toInt() - 1);
        } else if (key == "target") {
            emit explore()->loss()->targetWanted(wanted);
        } else if (key == "surgery_edits") {
            // The kind is the map's that is drawn.
            const QStringList place = wanted.split(u':');
            const SurgeryMaps& maps = *explore()->surgery()->maps();
            const int depth = place[1].toInt() - 1, ofSource = static_cast<int>(maps.shares(true)->numbers().size());
            PlaceMap& map = *maps.shares(depth < ofSource);
            const QRectF square = map.cellRect({depth < ofSource ? depth : depth - ofSource, place[2].toInt() - 1});
            QTest::mouseClick(&map, Qt::LeftButton, {}, square.center().toPoint());
        } else if (key == "descended") {
            emit explore()->loss()->word()->stepsWanted(wanted.toInt());
        } else if (key == "smoothing") {
            emit explore()->loss()->word()->smoothingWanted(wanted.toDouble());
        } else if (key == "merges") {
            emit explore()->subwords()->chart()->mergesChosen(wanted.toInt());
        } else if (key == "cut") {
            explore()->subwords()->typed()->setText(wanted);
            emit explore()->subwords()->typed()->textEdited(wanted);
        } else if (key == "truth") {
            emit m_window->rooms().find<DecodeRoom>()->forcing()->stage()->truthToggled(wanted.toInt());
        } else if (key == "ngram") {
            BleuView* view = m_window->rooms().find<DecodeRoom>()->bleu();
            for (auto* choice : view->findChildren<SegmentedControl*>())
                if (choice->accessibleName() == QLatin1String("Longest n-gram"))
                    choice->setCurrentIndex(wanted.toInt() - 1);
        } else if (key == "references") {
            QLineEdit* input = m_window->rooms().find<DecodeRoom>()->bleu()->referenceInput();
            input->setText(wanted.section(u'\n', -1));  // the last is new
            emit input->returnPressed();
        } else {
            QFAIL(("no way is known to meet the condition " + key).c_str());
        }
    }

    bool isAttention() const {
        return player().lesson().stateAt(static_cast<size_t>(player().step())).view == ViewName::Attention;
    }

    /// Claims, and words that the model is to write, are met in many ways: here is one for each that the lessons ask
    /// for.
    void makeTrue(const std::string& claim) {
        struct Way {
            const char *claim, *key, *value;
        };
        static constexpr Way ways[] = {
            {"joke", "source", "tell me a joke ."},
            {"tuan loves lan", "source", "tuấn yêu lan"},
            {"studying", "source", "tôi đang học toán"},
            {"rice and my father is reading newspapers but i am learning english", "source",
             "mẹ tôi đang nấu cơm và bố tôi đang đọc báo nhưng tôi đang học tiếng anh"},
            {"weights[1,1] > 0.95", "sharpness", "0.1"},
            {"weights[1,3] < 0.6", "sharpness", "5"},
            {"weights[4,2] < 0.5", "number", "0"},
            {"an orange", "source", "hôm qua tôi đã ăn một quả cam"},
            {"abs(probabilities[4,338] - 1 + smoothing) < 0.01", "smoothing", "0.06"},
            {"cost_words > 10 * cost_width", "cost_words", "20000"},
            {"perdu mon", "source", "I have lost my book."},
            {"ma clé.", "mute", "decoder.layers.1.cross_attn.3"},
            {"weights[1,2] > 0.2 and weights[1,3] + weights[1,4] + weights[1,5] + weights[2,3] + weights[2,4] + "
             "weights[2,5] + weights[3,4] + weights[3,5] + weights[4,5] = 0",
             "cells", "changed"},
            {"decoder.layers.1.ffn.activation[3,83] > 1", "source", "tôi đang đợi bạn"},
        };
        const auto* way = std::ranges::find_if(ways, [&](const Way& each) { return claim == each.claim; });
        QVERIFY2(way != std::end(ways), ("no way is known to make this true: " + claim).c_str());
        act(way->key, way->value);
    }

    MainWindow* m_window;
};

}  // namespace headlight::fixture
