// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/ui/drawn.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/open/session.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/attention/head_wall.h"
#include "ui/views/decode/forcing/forcing_curves.h"
#include "ui/views/decode/forcing/forcing_runs.h"
#include "ui/views/decode/forcing/forcing_stage.h"
#include "ui/views/decode/forcing/place_curve.h"
#include "ui/views/laboratory/batch_shapes.h"
#include "ui/views/loss/loss_columns.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/views/recurrent/cell_story.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/stream_chart.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/views/residual/units/unit_network.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/search/beam_tree.h"
#include "ui/widgets/time/unrolled_rnn.h"

namespace headlight::fixture {

/// How a lesson is seen: the window and its colours.
struct Sight {
    QSize size;
    ThemeManager::Mode theme;
};
inline constexpr QSize kSightSizes[] = {{1280, 800}, {1440, 900}, {1920, 1080}};
inline constexpr int kSights = 6;
inline Sight sight(int number) {
    return {kSightSizes[number % 3], number / 3 % 2 == 0 ? ThemeManager::Mode::Light : ThemeManager::Mode::Dark};
}
inline QString nameOf(const Sight& sight) {
    return QStringLiteral("%1×%2 %3")
        .arg(sight.size.width())
        .arg(sight.size.height())
        .arg(QLatin1String(sight.theme == ThemeManager::Mode::Dark ? "dark" : "light"));
}

/// Is that part of the widget within all that it lies in, up to the window? What a frame is drawn with may be cut.
inline bool isInSight(const QWidget* widget, QRectF part) {
    if (part.isEmpty() || !widget->isVisible()) return false;
    constexpr double frame = 1.5;
    part.adjust(frame, frame, -frame, -frame);
    for (const QWidget* at = widget; at; at = at->parentWidget()) {
        if (!QRectF(at->rect()).contains(part)) return false;
        if (at->isWindow()) break;
        part.translate(at->pos());
    }
    return true;
}
inline bool isInSight(const QWidget* widget) {
    return isInSight(widget, widget->rect());
}

/// What a step of a lesson points at and cannot be seen, told in words. The stage shows the step.
class StepSight {
public:
    StepSight(MainWindow& window, const StageState& step) : m_window(window), m_step(step) {
        lookAtMatrices();
        lookAtAttention();
        lookAtModel();
        lookAtRecurrence();
        lookAtLayers();
        lookAtForcing();
        lookAtWriting();
        lookAtControls();
        lookAtWords();
        lookAtTexts();
    }
    const QStringList& missing() const { return m_missing; }

private:
    QWidget* view() const { return m_window.rooms().current().viewWidget(); }
    template <class Widget, class Look>
    void each(Look look) const {
        for (const auto* widget : view()->template findChildren<Widget*>())
            if (widget->isVisible()) look(*widget);
        if (const auto* itself = qobject_cast<const Widget*>(view())) look(*itself);
    }
    void miss(const QString& what) { m_missing << what; }
    void need(const QWidget* widget, const QRectF& part, const QString& what) {
        if (!isInSight(widget, part)) miss(QStringLiteral("%1 is out of sight").arg(what));
    }

    void needCell(const MatrixView& matrix, MatrixView::Cell cell) {
        if (cell.valid())
            need(matrix.viewport(), matrix.cellRect(cell),
                 QStringLiteral("%1, cell %2, %3").arg(matrix.accessibleName()).arg(cell.row + 1).arg(cell.column + 1));
    }
    void lookAtMatrices() {
        each<MatrixView>([&](const MatrixView& matrix) { needCell(matrix, matrix.shown()); });
        each<BatchShapes>([&](const BatchShapes& shapes) {
            if (shapes.batch().isEmpty()) return miss(QStringLiteral("there is no batch"));
            need(&shapes, shapes.cellRect(BatchShapes::Turned, shapes.chosen()),
                 QStringLiteral("a number of the batch"));
        });
        each<MaskGrid>([&](const MaskGrid& grid) {
            for (const std::string& cell : m_step.masks.cells) {
                const QStringList at = QString::fromStdString(cell).split(u',');
                if (at.size() == 2)
                    need(&grid, grid.cellRect(at[0].toInt() - 1, at[1].toInt() - 1), QStringLiteral("a turned cell"));
            }
        });
    }
    void lookAtAttention() {
        const QString head = QStringLiteral("head %1").arg(m_step.head);
        each<HeadStrip>([&](const HeadStrip& strip) {
            if (strip.isPictured()) need(&strip, strip.imageRect(m_step.head - 1), head);
        });
        each<HeadWall>([&](const HeadWall& wall) {
            if (wall.chosen() >= 0) need(&wall, wall.headRect(wall.chosen()), head + QStringLiteral(" of the wall"));
        });
    }
    void lookAtModel() {
        each<ArchitectureStage>([&](const ArchitectureStage& stage) {
            if (stage.current() < 0) return;
            const int node = stage.graph().nodeOf(stage.current());
            const QString focus = QString::fromStdString(m_step.focus);
            if (node >= 0)
                need(&stage, stage.graph().nodes[static_cast<size_t>(node)].matrix, focus);
            else if (const QRectF block = stage.beamSource(); !block.isEmpty())
                need(&stage, block, focus + QStringLiteral(", its block"));
        });
    }
    void lookAtRecurrence() {
        each<UnrolledRnn>([&](const UnrolledRnn& network) {
            const int step = network.chosen();
            if (step < 0) return;
            need(&network, network.cellRect(step), QStringLiteral("cell %1").arg(step + 1));
            if (const QRectF word = network.writtenRect(step); !word.isEmpty())
                need(&network, word, QStringLiteral("the word that cell %1 writes").arg(step + 1));
        });
        each<CellColumns>([&](const CellColumns& columns) {
            need(&columns, columns.cellRect(0, m_step.recurrentCell.unit - 1),
                 QStringLiteral("unit %1").arg(m_step.recurrentCell.unit));
        });
        each<CellStory>([&](const CellStory& story) {
            // The step counts through encoder and decoder, the view shows the words of one of them.
            if (m_step.recurrentCell.word > 0)
                need(&story, story.wordRect(story.chosenWord()),
                     QStringLiteral("word %1").arg(m_step.recurrentCell.word));
        });
    }
    void lookAtLayers() {
        each<ProfileStack>([&](const ProfileStack& profiles) {
            if (!profiles.word()) return miss(QStringLiteral("the profiles of the word are not there"));
            for (int row = 0; row < 5; ++row)
                need(&profiles, profiles.rowRect(row), QStringLiteral("profile %1").arg(row + 1));
        });
        each<StreamChart>([&](const StreamChart& chart) {
            const QPointF at(chart.xOf(chart.chosen()), chart.yOf(0));
            need(&chart, QRectF(at - QPointF(4, 4), QSizeF(8, 4)), QStringLiteral("the depth"));
        });
        each<UnitNetwork>([&](const UnitNetwork& network) {
            need(&network, network.unitRect(m_step.feedForward.unit - 1),
                 QStringLiteral("unit %1").arg(m_step.feedForward.unit));
        });
        each<UnitCards>([&](const UnitCards& cards) {
            need(&cards, cards.cardRect(m_step.feedForward.word - 1),
                 QStringLiteral("card %1").arg(m_step.feedForward.word));
        });
    }
    /// A card that a step names is what it points at, in the place of the word above.
    void lookAtForcing() {
        const bool ofPlaces = m_step.side == StageSide::Places, ofRuns = m_step.side == StageSide::Runs;
        each<PlaceCurve>([&](const PlaceCurve& curve) {
            if (ofPlaces) need(&curve, curve.rect(), QStringLiteral("the curves by place"));
        });
        each<ForcingRuns>([&](const ForcingRuns& runs) {
            if (ofRuns) need(&runs, runs.rect(), QStringLiteral("the three runs"));
        });
        each<ForcingCurves>([&](const ForcingCurves& curves) {
            if (ofRuns) need(&curves, curves.rect(), QStringLiteral("the learning curves"));
        });
        if (ofPlaces || ofRuns) return;
        each<ForcingStage>([&](const ForcingStage& stage) {
            using Row = ForcingStage::Row;
            for (const bool isFree : {false, true})
                for (const Row row : {Row::Bars, Row::Writes, Row::Cells, Row::Reads})
                    need(stage.viewport(), stage.boxOf(isFree, row, stage.chosen()),
                         QStringLiteral("word %1 of a decoder").arg(stage.chosen() + 1));
        });
    }
    void lookAtWriting() {
        each<LossColumns>([&](const LossColumns& columns) {
            need(columns.viewport(), columns.columnRect(m_step.loss.word - 1),
                 QStringLiteral("the loss of word %1").arg(m_step.loss.word));
        });
        each<BeamTree>([&](const BeamTree& tree) {
            for (size_t i = 0; i < tree.nodes().size(); ++i)
                if (tree.nodes()[i].fixed || static_cast<int>(i) == tree.selected())
                    need(&tree, tree.nodeRect(static_cast<int>(i)),
                         QStringLiteral("“%1” in the tree").arg(tree.nodes()[i].word));
        });
    }
    /// Is it in something that the reader scrolls?
    static bool isScrolled(const QWidget* widget) {
        for (const QWidget* at = widget->parentWidget(); at && !at->isWindow(); at = at->parentWidget())
            if (const auto* area = qobject_cast<const QScrollArea*>(at))
                if (area->verticalScrollBar()->maximum() > 0 ||
                    (area->horizontalScrollBar()->maximum() > 0 &&
                     area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff))
                    return true;
        return false;
    }
    /// Panels, charts and switches of the view: what has a name is there to be looked at.
    void lookAtControls() {
        for (const auto* widget : view()->findChildren<QWidget*>())
            if (widget->isVisible() && !widget->accessibleName().isEmpty() && !widget->size().isEmpty() &&
                !isInSight(widget) && !isScrolled(widget))
                miss(QStringLiteral("%1 “%2” is cut off")
                         .arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName()));
    }
    /// What the words name lights up where it can be seen.
    void lookAtWords() {
        const QWidget* const content = m_window.lessonPanel()->content();
        for (auto* text : content->findChildren<LessonText*>()) {
            if (!text->isVisible()) continue;
            const int right = text->mapTo(content->parentWidget(), QPoint(text->width(), 0)).x();
            if (right > content->parentWidget()->width()) miss(QStringLiteral("the lesson's words are too wide"));
            for (const LessonText::Pointer& pointer : text->pointers()) {
                emit text->numberPointed(pointer.number);
                each<MatrixView>([&](const MatrixView& matrix) { needCell(matrix, matrix.hovered()); });
                emit text->numberPointed({});
            }
        }
    }
    /// Words that were read, written or asked for: notes beside a picture may be cut, these not.
    QStringList words() const {
        QStringList all = QString::fromStdString(m_step.subwords.cut).split(u' ', Qt::SkipEmptyParts);
        if (const auto& reading = m_window.workbench().session.reading())
            for (const auto* tokens : {&reading->trace->sourceTokens, &reading->trace->targetTokens})
                for (const std::string& token : *tokens)
                    all << QString::fromStdString(token);
        return all;
    }
    void lookAtTexts() {
        const QStringList whole = words();
        const auto isOfWord = [&](const QString& stem) {
            return !stem.isEmpty() &&
                   std::ranges::any_of(whole, [&](const QString& word) { return word.startsWith(stem); });
        };
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("view.svg"));
        exportFigure(*view(), path);
        for (const QString& text : Drawn(path).texts())
            if (text.endsWith(u'…') && isOfWord(text.chopped(1))) miss(QStringLiteral("“%1” is cut short").arg(text));
    }

    MainWindow& m_window;
    const StageState& m_step;
    QStringList m_missing;
};

}  // namespace headlight::fixture
