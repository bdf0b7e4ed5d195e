// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/fixture.h"
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
