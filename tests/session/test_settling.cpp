// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "tests/session/jobs.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/session.h"
#include "ui/session/open/settling.h"

using namespace headlight;

namespace {

const QString settlingGoldenModel =
    QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/post_relu_sinusoidal.safetensors");

QString sentence(const Session& session, std::initializer_list<int> ids) {
    QStringList words;
    for (const int id : ids)
        words << QString::fromStdString(session.model()->source->vocabulary().token(id));
    return words.join(u' ');
}

}  // namespace

class TestSettling : public QObject {
    Q_OBJECT
private slots:
    void settledComesOnceAllWorkIsGivenBack() {
        Settling settling;
        QSignalSpy settled(&settling, &Settling::settled);
        const Settling::Revision revision = settling.advance();
        Settling::Work first = settling.start(), second = settling.start();
        QCOMPARE(first.revision(), revision);
        first.done();
        QTest::qWait(0);
        QCOMPARE(settled.count(), 0);
        second.done();
        QCOMPARE(settled.count(), 0);  // not while the work is given back
        QVERIFY(settled.wait(fixture::kPatienceMs));
        QCOMPARE(settled.count(), 1);
        QCOMPARE(settled.front().front().toULongLong(), revision);
    }

    void workThatFollowsWorkIsWaitedFor() {
        Settling settling;
        QSignalSpy settled(&settling, &Settling::settled);
        settling.advance();
        settling.start().done();
        Settling::Work next = settling.start();
        QTest::qWait(0);
        QCOMPARE(settled.count(), 0);
        next = {};  // dropped: nobody wants its result
        QVERIFY(settled.wait(fixture::kPatienceMs));
    }

    void failureTellsWhyAndANewStateForgetsIt() {
        Settling settling;
        QSignalSpy settled(&settling, &Settling::settled), failed(&settling, &Settling::failed);
        settling.advance();
        settling.start().fail("no such model");
        QVERIFY(failed.wait(fixture::kPatienceMs));
        QCOMPARE(failed.front().at(1).toString(), QStringLiteral("no such model"));
        QCOMPARE(settled.count(), 0);
        Settling::Work old = settling.start();
        settling.advance();
        Settling::Work fresh = settling.start();
        old.fail("what the state before could not have");
        fresh.done();
        QVERIFY(settled.wait(fixture::kPatienceMs));
        QCOMPARE(failed.count(), 1);
    }

    void workOutlivesItsOwner() {
        auto settling = std::make_unique<Settling>();
        Settling::Work work = settling->start();
        settling.reset();
        work.done();
        QVERIFY(!work.isUnderWay());
    }

    void anEmptiedSentenceIsNotFilledByTheReadingBeforeIt() {
        Session session;
        QSignalSpy opened(&session, &Session::modelOpened), settled(&session.settling(), &Settling::settled);
        session.openModel(settlingGoldenModel);
        QVERIFY(opened.wait(fixture::kPatienceMs));
        session.setSource(sentence(session, {5, 7, 4}));
        session.setSource({});
        QVERIFY(session.isSettled());
        QVERIFY(settled.wait(fixture::kPatienceMs));
        QVERIFY(fixture::allJobsAreDone());  // the reading too
        QVERIFY(!session.reading());
    }

    void aSentenceThatCannotBeReadIsSettledAsWell() {
        Session session;
        QSignalSpy opened(&session, &Session::modelOpened), failed(&session.settling(), &Settling::failed);
        session.openModel(settlingGoldenModel);
        QVERIFY(opened.wait(fixture::kPatienceMs));
        session.setInput(sentence(session, {5, 7}), {}, {"no.such.block.0"});
        QVERIFY(failed.wait(fixture::kPatienceMs));
        QVERIFY(session.isSettled());
    }

    void anOlderModelNeverReplacesTheOneThatWasAskedForLast() {
        Session session;
        QSignalSpy opened(&session, &Session::modelOpened);
        session.openModel(settlingGoldenModel);
        session.openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/rnn_dot.safetensors"));
        QVERIFY(opened.wait(fixture::kPatienceMs));
        QVERIFY(fixture::allJobsAreDone());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(session.modelName(), QStringLiteral("rnn_dot"));
    }

    void aModelThatIsNotWantedAnyMoreDoesNotOpen() {
        Session session;
        QSignalSpy opened(&session, &Session::modelOpened), settled(&session.settling(), &Settling::settled);
        session.openModel(settlingGoldenModel);
        session.keepModel();
        QVERIFY(settled.wait(fixture::kPatienceMs));
        QVERIFY(fixture::allJobsAreDone());
        QCOMPARE(opened.count(), 0);
    }

    void aSearchIsOfThePresentSentenceAndSettles() {
        Session session;
        Decoding decoding(session);
        decoding.setWatched(true);
        QSignalSpy opened(&session, &Session::modelOpened), settled(&session.settling(), &Settling::settled);
        session.openModel(settlingGoldenModel);
        QVERIFY(opened.wait(fixture::kPatienceMs));
        for (int i = 0; i < 30; ++i) {
            session.setSource(sentence(session, {4 + i % 5, 5 + i % 3, 6}));
            decoding.setBeam(1 + i % 4);
        }
        QTRY_VERIFY(session.settling().isSettled());
        QVERIFY(decoding.result());
        QCOMPARE(decoding.result()->settings.beam, 1 + 29 % 4);
        QCOMPARE(QString::fromStdString(decoding.result()->search.translation.source), session.source());
    }

    /// A picture was drawn before the words behind a path were there.
    void whatMayComeNextIsWaitedFor() {
        Session session;
        Decoding decoding(session);
        decoding.setWatched(true);
        QSignalSpy opened(&session, &Session::modelOpened), found(&decoding, &Decoding::nextWordsFound);
        session.openModel(settlingGoldenModel);
        QVERIFY(opened.wait(fixture::kPatienceMs));
        session.setSource(sentence(session, {4, 5, 6}));
        QTRY_VERIFY(decoding.result());
        QTRY_VERIFY(session.settling().isSettled());
        for (int i = 0; i < 3; ++i)
            decoding.askNextWords({});
        QVERIFY(!session.settling().isSettled());
        QTRY_VERIFY(session.settling().isSettled());
        QVERIFY(found.count() >= 1);
        const auto before = found.count();
        QVERIFY(fixture::allJobsAreDone());
        QCOMPARE(found.count(), before);
    }
};

QTEST_MAIN(TestSettling)
#include "test_settling.moc"
