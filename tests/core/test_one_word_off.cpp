// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence that differs in one word and is answered differently, for every kind of model and tokenizer.
#include <QTest>
#include <sstream>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/experiment/one_word_off.h"
#include "core/experiment/patching.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

std::vector<std::string> wordsOfText(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

class TestOneWordOff : public QObject {
    Q_OBJECT
private slots:
    void oneWordIsAnotherAndSoIsTheAnswer_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"vi-en-transformer", "vi-en-rnn", "vi-en-long-lstm-attention", "stories-transformer",
                                 "sentiment-transformer", "dates-transformer", "stories-masked"})
            if (QFile::exists(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/%1.safetensors").arg(name)))
                QTest::newRow(name) << QString::fromLatin1(name);
    }
    void oneWordIsAnotherAndSoIsTheAnswer() {
        QFETCH(QString, name);
        const TrainedModel model = fixture::loadShipped(name);
        const Task* const task = taskOf(model.training);
        QVERIFY(task);
        const std::string sentence(task->example);
        const auto other = oneWordOff(model, sentence);
        QVERIFY2(other.has_value(), sentence.c_str());
        const auto before = wordsOfText(sentence), now = wordsOfText(*other);
        QCOMPARE(now.size(), before.size());
        int changed = 0;
        for (size_t i = 0; i < now.size(); ++i)
            changed += now[i] != before[i];
        QCOMPARE(changed, 1);
        const Patching patching(model, sentence, *other);  // refuses what is answered alike
        QVERIFY(patching.share(patching.differenceOfB()).has_value());
        QCOMPARE(oneWordOff(model, sentence), other);
        qInfo("%s: %s | %s", qPrintable(name), sentence.c_str(), other->c_str());
    }

    /// “The children us playing”, “jouent must le jardin”: words of no use to a reader.
    void ofRealLanguageAWordWithAMeaningIsAnother_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("to French") << "en-fr-transformer"
                                   << "The children are playing in the garden.";
        QTest::newRow("to English") << "fr-en-transformer"
                                    << "Les enfants jouent dans le jardin.";
    }
    void ofRealLanguageAWordWithAMeaningIsAnother() {
        QFETCH(QString, name);
        QFETCH(QString, sentence);
        const TrainedModel model = fixture::loadShipped(name);
        const auto other = oneWordOff(model, sentence.toStdString());
        QVERIFY(other.has_value());
        qInfo("%s: %s", qPrintable(name), other->c_str());
        const auto before = wordsOfText(sentence.toStdString()), now = wordsOfText(*other);
        QCOMPARE(now.size(), before.size());
        for (size_t i = 0; i < now.size(); ++i) {
            if (now[i] == before[i]) continue;
            const std::vector<int> ids = model.source->encode(now[i]);
            QCOMPARE(ids.size(), size_t{1});
            // Nor what other words end with, as “inking”.
            for (const std::string& token : model.source->vocabulary().tokens())
                QVERIFY2(token.size() <= now[i].size() || !token.ends_with(now[i]), token.c_str());
            QVERIFY2(ids.front() >= model.source->vocabulary().size() / 8,
                     now[i].c_str());  // it is none of the commonest
            const std::string alone = translate(model, {now[i]}).front().best().text;
            QVERIFY2(!QString::fromStdString(alone).contains(QString::fromStdString(now[i]), Qt::CaseInsensitive),
                     alone.c_str());
        }
    }

    /// Every word but the first is cut, and one letter is none of the model's.
    void whereAllWordsAreCutAPieceIsAnother() {
        const TrainedModel model = fixture::loadShipped("tales-transformer");
        const std::string sentence = "The quokka embroidered Zarathustra's ☂ yesterday.";
        const auto other = oneWordOff(model, sentence);
        QVERIFY(other.has_value());
        qInfo("%s", other->c_str());
        QVERIFY(*other != sentence);
        QVERIFY(other->find("☂") != std::string::npos);
        QCOMPARE(model.source->encode(*other).size(), model.source->encode(sentence).size());
    }

    /// Of the last vocabulary it is kept which tokens are words: of another they are others.
    void oneModelAfterAnotherIsAnsweredAsByItself() {
        const TrainedModel english = fixture::loadShipped("en-fr-transformer");
        const TrainedModel tales = fixture::loadShipped("tales-transformer");
        const std::string sentence = "The children are playing in the garden.";
        const auto ofEnglish = oneWordOff(english, sentence), ofTales = oneWordOff(tales, sentence);
        QVERIFY(ofEnglish && ofTales);
        QVERIFY(ofEnglish != ofTales);
        QCOMPARE(oneWordOff(english, sentence), ofEnglish);
        QCOMPARE(oneWordOff(fixture::loadShipped("tales-transformer"), sentence), ofTales);
    }

    void aSearchThatIsNoLongerWantedEnds() {
        const TrainedModel model = fixture::loadShipped("vi-en-transformer");
        QVERIFY(!oneWordOff(model, "tôi đang học tiếng anh", [] { return false; }));
    }
};

QTEST_GUILESS_MAIN(TestOneWordOff)
#include "test_one_word_off.moc"
