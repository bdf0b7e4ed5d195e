// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/fixture.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/step_cursor.h"
#include "ui/widgets/time/timeline.h"

using namespace headlight;

class TestTimeline : public QObject {
    Q_OBJECT

    std::shared_ptr<const Trace> m_trace = fixture::makeTrace();

private slots:
    void modulesGiveScopes() {
        const auto scopeOf = [&](const char* name) { return stepScope(m_trace->at(name)); };
        const StepScope weights = scopeOf("decoder.layers.1.cross_attn.weights");
        QCOMPARE(weights.model.id, std::string("decoder"));
        QCOMPARE(weights.layer.id, std::string("decoder.layers.1"));
        QCOMPARE(weights.layer.label, QStringLiteral("Layer 2"));
        QCOMPARE(weights.sublayer.id, std::string("decoder.layers.1.cross_attn"));
        QCOMPARE(weights.sublayer.label, QStringLiteral("Cross-attn"));
        QCOMPARE(weights.stack, Stack::Decoder);
        QCOMPARE(scopeOf("encoder.layers.0.residual2"), scopeOf("encoder.layers.0.norm2"));
        QCOMPARE(scopeOf("source.ids"), scopeOf("encoder.positional_encoding"));
        QCOMPARE(scopeOf("log_probs").model.id, std::string("output"));
    }

    void aNewTraceIsShownWhole() {
        StepCursor cursor;
        QCOMPARE(cursor.position(), -1);
        cursor.setTrace(*m_trace);
        QCOMPARE(cursor.position(), static_cast<int>(m_trace->records().size()) - 1);
    }

    void aPlaceIsKeptWhenTheSentenceChanges() {
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        cursor.setPosition(m_trace->indexOf("encoder.layers.1.self_attn.weights"));
        const auto other = fixture::makeTrace({3, 2, 9});
        cursor.setTrace(*other);
        QCOMPARE(cursor.position(), other->indexOf("encoder.layers.1.self_attn.weights"));
    }

    void stepsGoByTheChosenGrain() {
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        cursor.toStart();
        cursor.next();
        QCOMPARE(cursor.position(), 1);
        cursor.setGrain(StepCursor::Grain::Sublayer);
        cursor.next();  // the rest of the embedding
        QCOMPARE(cursor.position(), m_trace->indexOf("encoder.input"));
        cursor.next();
        QCOMPARE(cursor.position(), m_trace->indexOf("encoder.layers.0.self_attn.output"));
        cursor.next();
        QCOMPARE(cursor.position(), m_trace->indexOf("encoder.layers.0.norm1"));
        cursor.setGrain(StepCursor::Grain::Layer);
        cursor.next();
        QCOMPARE(cursor.position(), m_trace->indexOf("encoder.layers.0.norm2"));
        cursor.next();
        QCOMPARE(cursor.position(), m_trace->indexOf("encoder.layers.1.norm2"));
        cursor.previous();
        QCOMPARE(cursor.position(), m_trace->indexOf("encoder.layers.0.norm2"));
    }

    void playingRunsToTheEndAndStops() {
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        cursor.setSpeed(900);
        cursor.setPosition(cursor.count() - 4);
        cursor.play();
        QVERIFY(cursor.playing());
        QTRY_VERIFY(!cursor.playing());
        QCOMPARE(cursor.position(), cursor.count() - 1);
    }

    void theTimelineMovesThroughAStepAndBack() {
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        QCOMPARE(cursor.phase(), 1.0);
        Timeline timeline(&cursor);
        timeline.setTrace(m_trace);
        timeline.resize(1200, Timeline::kHeight);
        timeline.show();
        TimelineTrack* track = timeline.track();
        const double step = track->xOf(1) - track->xOf(0);
        const QSignalSpy stepped(&cursor, &StepCursor::changed), moved(&cursor, &StepCursor::phaseChanged);
        QTest::mousePress(track, Qt::LeftButton, {}, QPoint(static_cast<int>(track->xOf(20)), 60));
        QCOMPARE(cursor.position(), 20);
        QCOMPARE(cursor.phase(), 1.0);
        QCOMPARE(track->playheadX(), track->xOf(20));
        QTest::mouseMove(track, QPoint(static_cast<int>(track->xOf(20) + 0.6 * step), 60));
        QCOMPARE(cursor.position(), 21);
        QVERIFY(cursor.phase() > 0.4 && cursor.phase() < 0.7);
        const qsizetype steps = stepped.size();
        QTest::mouseMove(track, QPoint(static_cast<int>(track->xOf(20) + 0.3 * step), 60));
        QVERIFY(cursor.phase() > 0.1 && cursor.phase() < 0.4);
        QCOMPARE(stepped.size(), steps);  // less of the same step
        QVERIFY(!moved.empty());
        QVERIFY(track->playheadX() < track->xOf(21) && track->playheadX() > track->xOf(20));
        cursor.next();  // what is under way is finished
        QCOMPARE(cursor.position(), 21);
        QCOMPARE(cursor.phase(), 1.0);
    }

    void playingEasesThroughEachStep() {
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        cursor.setPosition(3);
        std::vector<double> times;
        connect(&cursor.head(), &Playhead::moved, this, [&] { times.push_back(cursor.head().time()); });
        const auto within = [&] {
            return std::ranges::count_if(times, [](double time) { return time > 4 && time < 5; });
        };
        cursor.setSpeed(0.01);  // a step takes minutes: however seldom a frame comes, it comes within one
        cursor.head().setTime(4);
        cursor.play();
        QTRY_VERIFY(within() >= 3);
        cursor.setSpeed(100);
        QTRY_VERIFY(cursor.head().time() > 5);
        cursor.pause();
        const double there = cursor.head().time();
        QVERIFY(std::ranges::is_sorted(times));
        // Another one plays meanwhile: a frame of this one would have come too.
        StepCursor other;
        other.setTrace(*m_trace);
        other.setPosition(3);
        int frames = 0;
        connect(&other.head(), &Playhead::moved, this, [&] { ++frames; });
        other.setSpeed(0.01);
        other.play();
        QTRY_VERIFY(frames >= 3);
        QCOMPARE(cursor.head().time(), there);  // interrupted where it is
        cursor.head().setTime(4.25);
        QCOMPARE(cursor.position(), 4);
        QCOMPARE(cursor.phase(), 0.25);
    }

    void withLessMotionAStepIsThereOrNot() {
        motion::setReduced(true);
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        cursor.head().setTime(4.25);
        QCOMPARE(cursor.position(), 4);
        QCOMPARE(cursor.phase(), 1.0);
        std::vector<double> phases;
        connect(&cursor, &StepCursor::changed, this, [&] { phases.push_back(cursor.phase()); });
        connect(&cursor, &StepCursor::phaseChanged, this, [&] { phases.push_back(cursor.phase()); });
        cursor.setSpeed(20);
        cursor.play();
        QTRY_VERIFY(cursor.position() > 6);
        cursor.pause();
        motion::setReduced(false);
        QVERIFY(std::ranges::all_of(phases, [](double phase) { return phase == 1; }));
    }

    void theTrackIsScrubbedByMouseAndKeyboard() {
        StepCursor cursor;
        cursor.setTrace(*m_trace);
        Timeline timeline(&cursor);
        timeline.setTrace(m_trace);
        timeline.resize(1200, Timeline::kHeight);
        timeline.show();
        TimelineTrack* track = timeline.track();
        QTest::mouseClick(track, Qt::LeftButton, {}, QPoint(static_cast<int>(track->xOf(5)), 60));
        QCOMPARE(cursor.position(), 5);
        QTest::keyClick(track, Qt::Key_Right);
        QCOMPARE(cursor.position(), 6);
        QTest::keyClick(track, Qt::Key_Home);
        QCOMPARE(cursor.position(), 0);
        const QImage image = track->grab().toImage();
        QCOMPARE(image.pixelColor(static_cast<int>(track->xOf(0)) + 3, 60), Theme::light().now);
    }
};

QTEST_MAIN(TestTimeline)
#include "test_timeline.moc"
