// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <future>
#include <latch>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "tests/cached_model.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"

using namespace headlight;

namespace {

const QString goldenModel = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/post_relu_sinusoidal.safetensors");

/// A word of that model's source vocabulary.
QString word(const Session& session, int id) {
    return QString::fromStdString(session.model()->source->vocabulary().token(id));
}

}  // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void openedModelReadsTheSentenceThatWasTyped();
    void mutedHeadChangesTheReadingAndComesBack();
    void aModelOfTheHubsCacheIsOpenedByItsName();
    void whatIsTypedFastIsReadOnceAtTheEnd();
    void aFolderOfAnotherProgramsIsOpenedAndRead();
    void unknownWordIsNamedAndReadAllTheSame();
    void aGapIsNoUnknownWord();
    void missingFileIsToldAndTheModelThatWasOpenStays();
    void emptySentenceHasNoReading();
    void aFileThatSeveralWantAtOnceIsReadOnce();
};

void TestSession::aFileThatSeveralWantAtOnceIsReadOnce() {
    const auto file = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
    std::latch together(4);
    std::vector<std::future<std::shared_ptr<const TrainedModel>>> readers;
    for (int i = 0; i < 4; ++i)
        readers.push_back(std::async(std::launch::async, [&] {
            together.arrive_and_wait();
            return openTrainedModel(file);
        }));
    const std::shared_ptr<const TrainedModel> first = readers[0].get();
    for (size_t i = 1; i < readers.size(); ++i)
        QCOMPARE(readers[i].get().get(), first.get());
}

void TestSession::openedModelReadsTheSentenceThatWasTyped() {
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), read(&session, &Session::readingChanged);
    session.openModel(goldenModel);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    QCOMPARE(session.modelName(), QStringLiteral("post_relu_sinusoidal"));
    const QString sentence = word(session, 5) + " " + word(session, 7) + " " + word(session, 4);
    session.setSource(sentence);
    QVERIFY(read.wait(fixture::kPatienceMs));
    QVERIFY(session.reading());
    const Session::Reading& reading = *session.reading();
    QCOMPARE(reading.source, sentence);
    QCOMPARE(reading.trace->sourceTokens.size(), size_t{3});
    QVERIFY(reading.trace->find("decoder.layers.1.cross_attn.weights"));
    QCOMPARE(static_cast<size_t>(reading.baseline.words.size()), reading.baseline.probabilities.size());
    double logProb = 0;
    for (float p : reading.baseline.probabilities)
        logProb += std::log(static_cast<double>(p));
    QVERIFY(std::abs(logProb - reading.baseline.logProb) < 1e-4);
    QVERIFY(!reading.muted);
}

void TestSession::mutedHeadChangesTheReadingAndComesBack() {
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), read(&session, &Session::readingChanged);
    session.openModel(goldenModel);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    session.setSource(word(session, 6) + " " + word(session, 8));
    QVERIFY(read.wait(fixture::kPatienceMs));
    const double before = session.reading()->baseline.logProb;
    session.setMutedHeads({"decoder.layers.1.cross_attn.0"});
    QVERIFY(read.wait(fixture::kPatienceMs));
    QVERIFY(session.reading()->muted);
    QCOMPARE(session.reading()->baseline.logProb, before);
    QVERIFY(session.reading()->muted->logProb != before);
    session.setMutedHeads({});
    QVERIFY(read.wait(fixture::kPatienceMs));
    QVERIFY(!session.reading()->muted);
}

void TestSession::aFolderOfAnotherProgramsIsOpenedAndRead() {
    const QString folder = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/bart");
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), read(&session, &Session::readingChanged);
    session.openModel(folder);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    QCOMPARE(session.modelName(), QStringLiteral("bart"));
    QCOMPARE(modelKeyOf(folder), folder);
    QCOMPARE(findModel(folder, {}), folder);
    session.setSource("5 9 11");
    QVERIFY(read.wait(fixture::kPatienceMs));
    QCOMPARE(session.reading()->trace->sourceTokens, (std::vector<std::string>{"5", "9", "11"}));
    QVERIFY(session.reading()->trace->find("decoder.layers.1.cross_attn.weights"));
}

void TestSession::aModelOfTheHubsCacheIsOpenedByItsName() {
    const QTemporaryDir cache;
    const QByteArray before = qgetenv("HF_HUB_CACHE");
    const bool wasSet = qEnvironmentVariableIsSet("HF_HUB_CACHE");
    const auto restore =
        qScopeGuard([&] { wasSet ? void(qputenv("HF_HUB_CACHE", before)) : void(qunsetenv("HF_HUB_CACHE")); });
    qputenv("HF_HUB_CACHE", cache.path().toUtf8());
    const std::filesystem::path model =
        fixture::cacheModel(cache.path().toStdString(), "some/tiny", "gpt_neox", "1a2b3c4d");
    const QString snapshot = QString::fromStdString((model / "snapshots/1a2b3c4d").string());
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), failed(&session, &Session::failed);
    session.openModel(QStringLiteral("tiny"));
    QVERIFY(opened.wait(fixture::kPatienceMs));
    QCOMPARE(session.modelName(), QStringLiteral("some/tiny"));
    QCOMPARE(session.modelKey(), snapshot);  // where it lies, so that it is found again
    QCOMPARE(findModel(QStringLiteral("some/tiny@1a2b"), {}), snapshot);
    QCOMPARE(findModel(QStringLiteral("some/other"), {}), QString());
    QCOMPARE(findModel(QStringLiteral("some/tiny@v1"), {}), QString());
    // What ships comes first.
    fixture::cacheModel(cache.path().toStdString(), "en-fr-transformer", "gpt_neox", "1a2b3c4d");
    QCOMPARE(namedModel(QStringLiteral("en-fr-transformer")), firstModel());
    session.openModel(QStringLiteral("some/tiny-2"));
    QVERIFY(failed.wait(fixture::kPatienceMs));
    QVERIFY(failed.front().front().toString().contains(QLatin1String("which has some/tiny:")));
    QCOMPARE(session.modelName(), QStringLiteral("some/tiny"));
}

void TestSession::whatIsTypedFastIsReadOnceAtTheEnd() {
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), read(&session, &Session::readingChanged);
    session.openModel(goldenModel);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    QString text;
    for (int i = 0; i < 300; ++i)
        session.setSource(text = word(session, 4 + i % 8) + " " + word(session, 4 + i / 8 % 8));
    QTRY_VERIFY(session.reading() && session.reading()->source == text);
    QVERIFY2(read.count() < 300, "every key stroke was read");
}

void TestSession::unknownWordIsNamedAndReadAllTheSame() {
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), read(&session, &Session::readingChanged);
    session.openModel(goldenModel);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    session.setSource(word(session, 5) + " zzyzx");
    QVERIFY(read.wait(fixture::kPatienceMs));
    QCOMPARE(session.reading()->unknownWords, QStringList{"zzyzx"});
    QCOMPARE(session.reading()->trace->sourceTokens.back(), std::string("<unk>"));
}

/// What the vocabulary writes a gap with is no word, whatever a tokenizer would cut it into.
void TestSession::aGapIsNoUnknownWord() {
    Corpus corpus;
    for (int i = 0; i < 40; ++i)
        corpus.push_back({"", "ann likes ann"});
    const TrainedModel model = newModel({{"architecture", "masked-language-model"},
                                         {"d_model", 8},
                                         {"num_heads", 1},
                                         {"d_ff", 8},
                                         {"num_layers", 1},
                                         {"max_length", 16}},
                                        {}, corpus, 1);
    QCOMPARE(readSentence(model, "ann <mask> ann", {}).unknownWords, QStringList());
    QCOMPARE(readSentence(model, "ann <mask>.", {}).unknownWords, QStringList{"."});
    QVERIFY(!readSentence(model, "ann [MASK]", {}).unknownWords.isEmpty());  // another program's mark is none here
}

void TestSession::missingFileIsToldAndTheModelThatWasOpenStays() {
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), failed(&session, &Session::failed);
    session.openModel(goldenModel);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    const auto model = session.model();
    session.openModel("/nowhere/at-all.safetensors");
    QVERIFY(failed.wait(fixture::kPatienceMs));
    QVERIFY(failed.first().first().toString().contains("/nowhere/at-all.safetensors"));
    QCOMPARE(session.model(), model);
}

void TestSession::emptySentenceHasNoReading() {
    Session session;
    QSignalSpy opened(&session, &Session::modelOpened), read(&session, &Session::readingChanged);
    session.openModel(goldenModel);
    QVERIFY(opened.wait(fixture::kPatienceMs));
    session.setSource(word(session, 5));
    QVERIFY(read.wait(fixture::kPatienceMs));
    QVERIFY(session.reading());
    session.setSource("   ");
    QVERIFY(!session.reading());
}

QTEST_GUILESS_MAIN(TestSession)
#include "test_session.moc"
