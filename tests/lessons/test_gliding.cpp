// SPDX-License-Identifier: GPL-3.0-or-later
// From one step of a lesson to the next: where both show the same numbers in the same view, what marks them moves, and
// only in the picture.
#include <QTest>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <variant>

#include "tests/ui/animation_clock.h"
#include "tests/ui/calm_window.h"
#include "ui/session/open/motion.h"
#include "ui/shell/edit_history.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/crossfade.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/time/timeline.h"

using namespace headlight;

namespace {

/// A cell, another one, the cursor elsewhere, another view; between the first two a try that a cell on the way meets.
const char* const kGlidingLesson =
    "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n"
    "## One\n\nA cell.\n\n"
    "```stage\nview: values\nfocus: encoder.layers.0.self_attn.weights\nhead: 1\ncell: 1,1\n```\n\n"
    "## Two\n\nAnother.\n\n"
    "```stage\nview: values\nfocus: encoder.layers.0.self_attn.weights\nhead: 1\ncell: 4,4\n```\n\n"
    "```try\ndo: Click the second of the second row.\nwhen:\n  cell: 2,2\n```\n\n"
    "## Three\n\nEarlier.\n\n"
    "```stage\nview: values\nfocus: encoder.layers.0.self_attn.weights\nhead: 1\ncell: 4,4\nstep: 3\n```\n\n"
    "## Four\n\nAnother sentence.\n\n"
    "```stage\nview: values\nsource: tôi yêu bạn\nfocus: encoder.layers.0.self_attn.weights\nhead: 1\ncell: 1,1\n```\n";

}  // namespace

class TestGliding : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        motion::setReduced(false);
        m_clock = std::make_unique<fixture::AnimationClock>();
        QVERIFY(m_calm->beginLesson(QStringLiteral("gliding"), kGlidingLesson));
        QCOMPARE(player().steps(), 4);
        settle();
    }
    void cleanup() {
        m_calm.reset();
        m_clock.reset();
        motion::setReduced(true);
    }

    void theChosenCellGoesToItsNewPlace() {
        const QRectF from = matrix()->cellRect({0, 0}), to = matrix()->cellRect({3, 3});
        QCOMPARE(glide()->shown(), from);
        goTo(1);
        QVERIFY(glide()->isUnderWay());
        for (const double phase : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            glide()->holdAt(phase);
            const QPointF middle = from.center() + (to.center() - from.center()) * phase;
            QVERIFY2((glide()->shown().center() - middle).manhattanLength() < 1e-9, qPrintable(QString::number(phase)));
        }
        QVERIFY2(!window().findChild<Crossfade*>()->isVisible(), "one moves: nothing fades");
    }

    void whatIsToldOfItIsTheEndFromTheBeginning() {
        const int edits = window().history().stack().count();
        goTo(1);
        glide()->holdAt(1.0 / 3);  // the outline stands on the cell that the reader is to click
        const QPointF off = glide()->shown().center() - matrix()->cellRect({1, 1}).center();
        QVERIFY(off.manhattanLength() < 1e-9);
        QVERIFY((window().stage().state().cell == StageCell{4, 4}));
        player().look();
        QVERIFY(!player().isSolved(partOfTry()));
        QCOMPARE(window().history().stack().count(), edits);
        player().previous();
        settle();
        QVERIFY((window().stage().state().cell == StageCell{1, 1}));
        QCOMPARE(window().history().stack().count(), edits);
    }

    void thePlayheadGoesToo() {
        goTo(1);
        const auto* track = explore()->findChild<TimelineTrack*>();
        const double from = track->playheadX();
        goTo(2);
        auto* way = track->findChild<Glide*>();
        way->holdAt(0.5);
        QVERIFY(std::abs(track->playheadX() - (from + track->xOf(2)) / 2) < 1e-9);
        way->holdAt(1);
        QCOMPARE(track->playheadX(), track->xOf(2));
    }

    void itArrivesAndAClickCuts() {
        goTo(1);
        m_clock->advanceBy(motion::kStep);
        QVERIFY(!glide()->isUnderWay());
        QCOMPARE(glide()->shown(), matrix()->cellRect({3, 3}));
        goTo(0);
        QVERIFY(glide()->isUnderWay());
        QTest::mouseClick(matrix()->viewport(), Qt::LeftButton, {}, matrix()->cellRect({2, 0}).center().toPoint());
        QVERIFY(!glide()->isUnderWay());
        QCOMPARE(glide()->shown(), matrix()->cellRect({2, 0}));
    }

    void otherNumbersFadeAsBefore() {
        goTo(2);
        m_clock->advanceBy(motion::kStep);
        QVERIFY(!glide()->isUnderWay());
        goTo(3);
        QVERIFY(!glide()->isUnderWay());
        QVERIFY(window().findChild<Crossfade*>()->isVisible());
    }

    void withLessMotionItCuts() {
        motion::setReduced(true);
        goTo(1);
        QVERIFY(!glide()->isUnderWay());
        QCOMPARE(glide()->shown(), matrix()->cellRect({3, 3}));
    }

private:
    MainWindow& window() const { return *m_calm->window; }
    LessonPlayer& player() const { return window().workbench().player; }
    ExploreRoom* explore() const { return window().rooms().find<ExploreRoom>(); }
    MatrixView* matrix() const {
        for (auto* each : window().rooms().current().viewWidget()->findChildren<MatrixView*>())
            if (each->isVisible()) return each;
        return nullptr;
    }
    Glide* glide() const { return matrix()->findChild<Glide*>(); }
    int partOfTry() const {
        const auto& parts = player().current().parts;
        const auto task = std::ranges::find_if(
            parts, [](const LessonPart& part) { return std::holds_alternative<LessonTask>(part); });
        return static_cast<int>(task - parts.begin());
    }
    void settle() { QTRY_VERIFY(window().stage().isSettled()); }
    void goTo(int step) {
        player().goTo(step);
        settle();
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
    std::unique_ptr<fixture::AnimationClock> m_clock;  ///< nothing moves by itself
};

QTEST_MAIN(TestGliding)
#include "test_gliding.moc"
