// SPDX-License-Identifier: GPL-3.0-or-later
// A number in a lesson's words and the same number on the stage: pointing at one lights the other.
#include <QTest>

#include "core/lessons/inline_markup.h"
#include "tests/ui/calm_window.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_text.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

namespace {

const QString kWeights = QStringLiteral("decoder.layers.1.cross_attn.weights");

/// Four steps: an attention's weights, a value, and two worked examples.
const char* const kPointingLesson =
    "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n"
    "## Weights\n\nIt gives {{decoder.layers.1.cross_attn.weights[3,2,1]}}, and head 5 "
    "{{decoder.layers.1.cross_attn.weights[5,2,1]}}.\n\n"
    "```stage\nview: attention\nblock: decoder.layers.1.cross_attn\nhead: 3\nsource: tôi yêu bạn\n```\n\n"
    "## Value\n\n[Its second number](@encoder.input[1,2]), {{encoder.output[1,1]}}.\n\n"
    "```stage\nview: values\nfocus: encoder.input\n```\n\n"
    "## By hand\n\nA score of {{scores[2,3]}}, a weight of {{weights[1,2]}}.\n\n"
    "```stage\nview: query-key-value\nfocus: scores\ncell: 1,1\n```\n\n"
    "```tensors\nwords: [a, b, c]\nQ: [[0.3, 0.5], [0.4, 0.1], [0.2, 0.6]]\n"
    "K: [[0.3, 0.5], [0.4, 0.1], [0.2, 0.6]]\nV: [[1, 0], [0, 1], [1, 1]]\n```\n\n"
    "## Positions\n\nIt is {{positions[3,5]}}.\n\n```stage\nview: positions\nlength: 8\nwidth: 8\n```\n";

}  // namespace

class TestPointing : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        QVERIFY(m_calm->beginLesson(QStringLiteral("pointing"), kPointingLesson));
        QCOMPARE(player().steps(), 4);
    }
    void cleanupTestCase() { m_calm.reset(); }

    void aNumberOfTheTextLightsItsCellAndLeavingItPutsItOut() {
        LessonText* text = show(0);
        QCOMPARE(text->pointers().size(), 2U);
        pointAt(text, 0);
        QVERIFY((selection().hovered() == Selection::Cell{1, 0}));
        QVERIFY(text->pointers()[0].isLit);
        QVERIFY(!text->pointers()[1].isLit);
        leave(text);
        QVERIFY(!selection().hovered().valid());
        QVERIFY(!text->pointers()[0].isLit);
    }

    void aCellUnderThePointerLightsItsNumberOfTheText() {
        LessonText* text = show(0);
        selection().setHovered({1, 0});
        QVERIFY(text->pointers()[0].isLit);
        QVERIFY(!text->pointers()[1].isLit);  // the same cell of another head
        selection().setHovered({0, 0});
        QVERIFY(!text->pointers()[0].isLit);
        selection().setHead(4);
        selection().setHovered({1, 0});
        QVERIFY(text->pointers()[1].isLit);
    }

    void anotherHeadsNumberLightsNothingUntilItIsClicked() {
        LessonText* text = show(0);
        pointAt(text, 1);
        QVERIFY(!selection().hovered().valid());
        emit text->anchorClicked(target(text, 1));
        QCOMPARE(selection().head(), 4);
        QCOMPARE(selection().value(), kWeights);
        QVERIFY((selection().cell() == Selection::Cell{1, 0}));
        QCOMPARE(window().rooms().view(), ViewName::Attention);
        QVERIFY(text->pointers()[1].isLit);
        leave(text);
        QVERIFY((selection().cell() == Selection::Cell{1, 0}));
    }

    void whatTheReaderTypedIsNotTakenForWhatTheTextTells() {
        LessonText* text = show(0);
        window().workbench().session.setInput(QStringLiteral("tôi đang học tiếng anh"), {}, {});
        QTRY_VERIFY(!window().workbench().session.isReading());
        selection().setHead(2);
        QCOMPARE(selection().block(), QStringLiteral("decoder.layers.1.cross_attn"));
        pointAt(text, 0);
        QVERIFY(!selection().hovered().valid());
        selection().setHovered({1, 0});
        QVERIFY(!text->pointers()[0].isLit);
        selection().setHovered({});
        emit text->anchorClicked(target(text, 0));
        QVERIFY(!selection().cell().valid());
    }

    void wordsPointAsNumbersDo() {
        LessonText* text = show(1);
        QCOMPARE(text->pointers().size(), 2U);
        pointAt(text, 0);
        QCOMPARE(selection().shownNumber().row, 0);
        QCOMPARE(selection().shownNumber().column, 1);
        leave(text);
        QVERIFY(!selection().shownNumber().valid());
        emit text->anchorClicked(target(text, 1));
        QCOMPARE(selection().value(), QStringLiteral("encoder.output"));
        QCOMPARE(selection().number().row, 0);
        QCOMPARE(selection().number().column, 0);
        QCOMPARE(window().rooms().view(), ViewName::Values);
    }

    void aNumberByHandIsFollowedAndThePlaceBeforeComesBack() {
        LessonText* text = show(2);
        const QueryKeyValueView* view = window().rooms().find<ExploreRoom>()->findChild<QueryKeyValueView*>();
        const auto before = view->pointed();
        pointAt(text, 0);
        QVERIFY((view->pointed() == std::tuple(QueryKeyValueView::Scores, 1, 2)));
        pointAt(text, 1);
        QVERIFY((view->pointed() == std::tuple(QueryKeyValueView::Weights, 0, 1)));
        leave(text);
        QVERIFY(view->pointed() == before);
        emit text->anchorClicked(target(text, 0));
        QVERIFY((view->pointed() == std::tuple(QueryKeyValueView::Scores, 1, 2)));
        QVERIFY(text->pointers()[0].isLit);
        leave(text);
        QVERIFY((view->pointed() == std::tuple(QueryKeyValueView::Scores, 1, 2)));
    }

    void aRowOfTheTableOfPositionsIsLit() {
        LessonText* text = show(3);
        const auto* view = window().rooms().find<ExploreRoom>()->findChild<PositionView*>();
        pointAt(text, 0);
        QVERIFY((view->heatmap()->hovered() == MatrixView::Cell{2, 4}));
        leave(text);
        QVERIFY(!view->heatmap()->hovered().valid());
    }

private:
    MainWindow& window() const { return *m_calm->window; }
    LessonPlayer& player() const { return window().workbench().player; }
    Selection& selection() const { return window().workbench().selection; }

    /// The words of a step, once the stage and the numbers are there.
    LessonText* show(int step) {
        player().goTo(step);
        const auto isThere = [this] { return window().stage().isSettled() && player().hasNumbers(); };
        if (!QTest::qWaitFor(isThere, fixture::kPatienceMs)) return nullptr;
        return window().lessonPanel()->content()->findChild<LessonText*>();
    }
    static QUrl target(const LessonText* text, size_t pointer) {
        return QUrl(QString::fromStdString(pointerTarget(text->pointers()[pointer].number)));
    }
    static void pointAt(LessonText* text, size_t pointer) { emit text->highlighted(target(text, pointer)); }
    static void leave(LessonText* text) { emit text->highlighted(QUrl()); }

    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestPointing)
#include "test_pointing.moc"
