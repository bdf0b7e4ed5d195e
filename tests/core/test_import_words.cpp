// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs' models with their tokenizers: what is read, shown, written and kept. The ids themselves are held to
// references in test_foreign_tokenizers.cpp, the numbers in test_import_model.cpp.
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/experiment/embedding_space.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"
#include "core/models/language_model.h"
#include "tests/foreign_folder.h"

using namespace headlight;
using fixture::ForeignWithWords, fixture::foreignWithWords;

namespace {

void folders() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < foreignWithWords().size(); ++i)
        QTest::addRow("%s, %s", foreignWithWords()[i].model, foreignWithWords()[i].tokenizer) << static_cast<int>(i);
}

/// A folder of its own.
class Opened {
public:
    explicit Opened(int index) : wanted(foreignWithWords()[static_cast<size_t>(index)]) {
        fixture::writeForeign(wanted, m_folder.path().toStdString());
        model = openModel(m_folder.path().toStdString());
    }
    std::string file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    const ForeignWithWords& wanted;
    TrainedModel model;

private:
    QTemporaryDir m_folder;
};

std::vector<int> idsIn(const Trace& trace, const char* name) {
    std::vector<int> ids;
    for (const float id : trace.at(name).values)
        ids.push_back(static_cast<int>(id));
    return ids;
}

const char* readIds(const TrainedModel& model) {
    return model.network->config().encoderDecoder() ? "source.ids" : "ids";
}

}  // namespace

class TestImportWords : public QObject {
    Q_OBJECT
private slots:
    void theEmbeddingsNamesAreTheTokensAsTheyAreShown() {
        const Opened gpt2(0);
        const EmbeddingTable table = embeddingTable(gpt2.model, "embedding");
        QCOMPARE(table.count(), gpt2.wanted.words);
        for (int id = 0; id < table.count(); ++id) {
            QCOMPARE(table.names[static_cast<size_t>(id)], gpt2.model.source->displayOne(id));
            QVERIFY(table.names[static_cast<size_t>(id)].find("Ġ") == std::string::npos);
        }
    }

    void aSpecialTokenThatIsFilledInIsWritten() {
        const auto bert = std::ranges::find_if(foreignWithWords(),
                                               [](const auto& each) { return std::string_view(each.model) == "bert"; });
        const Opened opened(static_cast<int>(bert - foreignWithWords().begin()));
        // What the golden model's random weights happen to fill in.
        const Written filled = respond(opened.model, "The [MASK] is big.");
        QCOMPARE(filled.tokens.size(), size_t{1});
        const int id = opened.model.target->vocabulary().id(filled.tokens.front());
        QVERIFY2(opened.model.target->isSpecial(id), filled.tokens.front().c_str());
        QCOMPARE(filled.text, "the " + filled.tokens.front() + " is big.");
    }

    void aTextIsReadInItsTokenizersPieces_data() { folders(); }
    void aTextIsReadInItsTokenizersPieces();
    void importedAndSavedItReadsAndWritesTheSame_data() { folders(); }
    void importedAndSavedItReadsAndWritesTheSame();
    void aPartOfACharacterShowsWhichItIsOf();
    void marianIsSearchedAsItSaysAndNeverWritesPad();
    void whatIsSaidOfTheSearchMustBeSaidWell();
    void aWordIsJoinedToATextAsItsTokenizerJoins();
    void aVocabularyLargerThanTheModelIsRefused();
};

void TestImportWords::aTextIsReadInItsTokenizersPieces() {
    QFETCH(int, index);
    const Opened opened(index);
    const Trace trace = traceSentence(opened.model, opened.wanted.text);
    const std::vector<int> read = idsIn(trace, readIds(opened.model));
    QCOMPARE(read, opened.model.source->encodeInput(opened.wanted.text).ids);
    QCOMPARE(trace.sourceTokens, opened.model.source->display(read));
    QVERIFY(read.size() > 2);
    for (const std::string& token : trace.sourceTokens)
        QVERIFY2(QString::fromStdString(token).toStdString() == token && !token.empty(), "no UTF-8");
}

void TestImportWords::importedAndSavedItReadsAndWritesTheSame() {
    QFETCH(int, index);
    const Opened opened(index);
    saveModel(opened.model, opened.file("saved.safetensors"));
    const TrainedModel again = loadModel(opened.file("saved.safetensors"));
    const Written before = respond(opened.model, opened.wanted.text), after = respond(again, opened.wanted.text);
    QVERIFY(!before.tokens.empty());
    QCOMPARE(after.tokens, before.tokens);
    QCOMPARE(after.text, before.text);
    QCOMPARE(after.logProb, before.logProb);
    QCOMPARE(traceSentence(again, opened.wanted.text).sourceTokens,
             traceSentence(opened.model, opened.wanted.text).sourceTokens);
}

void TestImportWords::aPartOfACharacterShowsWhichItIsOf() {
    const Opened opened(0);
    const Trace trace = traceSentence(opened.model, "🙂");
    QVERIFY(trace.sourceTokens.size() > 1);  // its four bytes are no token of so small a vocabulary
    for (const std::string& token : trace.sourceTokens)
        QVERIFY2(token.find("🙂") != std::string::npos, token.c_str());
}

void TestImportWords::marianIsSearchedAsItSaysAndNeverWritesPad() {
    const Opened opened(4);
    QCOMPARE(ownBeam(opened.model).beam, 4);
    QCOMPARE(ownBeam(opened.model).lengthPenalty, LengthPenalty());
    BeamOptions options = ownBeam(opened.model);
    options.nBest = options.beam;
    const Translation translation = translate(opened.model, {opened.wanted.text}, options).front();
    QCOMPARE(translation.hypotheses.size(), size_t{4});
    for (const Written& written : translation.hypotheses)
        QVERIFY(std::ranges::find(written.tokens, "<pad>") == written.tokens.end());
}

void TestImportWords::whatIsSaidOfTheSearchMustBeSaidWell() {
    Opened opened(4);
    const auto told = [&](const nlohmann::json& decoding) {
        opened.model.training = TrainingStory(nlohmann::json{{"imported", {{"decoding", decoding}}}});
        return ownBeam(opened.model);
    };
    QCOMPARE(told({{"beam", 6}, {"length_penalty", "power:0.5"}}).lengthPenalty.score(-6, 9), -2.0);
    QVERIFY_EXCEPTION_THROWN(told({{"beam", "6"}, {"length_penalty", "none"}}), Error);
    QVERIFY_EXCEPTION_THROWN(told({{"beam", 0}, {"length_penalty", "none"}}), Error);
    QVERIFY_EXCEPTION_THROWN(told({{"beam", 6}, {"length_penalty", "much"}}), Error);
    QVERIFY_EXCEPTION_THROWN(told(6), Error);
    opened.model.training = {};
    QCOMPARE(ownBeam(opened.model).beam, 1);
}

void TestImportWords::aWordIsJoinedToATextAsItsTokenizerJoins() {
    const Opened opened(0);
    const Tokenizer& tokenizer = *opened.model.source;
    const std::vector<int> ids = tokenizer.encode("He walks home");
    std::string text = tokenizer.decode({ids.front()});
    for (size_t i = 1; i < ids.size(); ++i)
        text = continued(opened.model, text, ids[i]);
    QCOMPARE(text, std::string("He walks home"));
    const TrainedModel ownWords = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/stories-lstm.safetensors");
    const std::string word = ownWords.source->vocabulary().token(10);
    QCOMPARE(continued(ownWords, "the", 10), "the " + word);
}

void TestImportWords::aVocabularyLargerThanTheModelIsRefused() {
    for (const ForeignWithWords& wanted : foreignWithWords()) {
        const QTemporaryDir folder;
        fixture::writeForeign(wanted, folder.path().toStdString(), 200);
        try {
            openModel(folder.path().toStdString());
            QFAIL(wanted.tokenizer);
        } catch (const Error& error) {
            const std::string said = error.what();
            QVERIFY2(said.find('\n') == std::string::npos && said.size() > 20, said.c_str());
        }
    }
}

QTEST_APPLESS_MAIN(TestImportWords)
#include "test_import_words.moc"
