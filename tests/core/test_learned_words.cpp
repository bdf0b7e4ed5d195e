// SPDX-License-Identifier: GPL-3.0-or-later
// What a new model knows of words before it trains: vocabularies with a minimal count, merges of both sides or out of a
// file, and vectors out of a file.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/data/word_vectors.h"
#include "core/error.h"
#include "core/text/bpe_tokenizer.h"
#include "core/text/word_tokenizer.h"
#include "tests/core/written_file.h"

using namespace headlight;
using Kind = TokenizerOptions::Kind;
using Words = std::vector<std::string>;

namespace {

/// Of both languages: what only one of them has is seldom, what both have is frequent together.
Corpus twoLanguages() {
    Corpus corpus;
    for (int i = 0; i < 6; ++i)
        corpus.push_back({"nation station", "natif statif"});
    corpus.push_back({"zebra", "quagga"});
    return corpus;
}

const nlohmann::json smallConfig{
    {"d_model", 8}, {"num_heads", 2}, {"num_encoder_layers", 1}, {"num_decoder_layers", 1}, {"d_ff", 8}};

nlohmann::json with(const char* key, const nlohmann::json& value) {
    nlohmann::json config = smallConfig;
    config[key] = value;
    return config;
}

bool knows(const Tokenizer& tokenizer, const char* token) {
    return tokenizer.vocabulary().contains(token);
}

template <typename Action>
QString refusalOf(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return "no error";
}

}  // namespace

class TestLearnedWords : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const QString& name, const QByteArray& bytes) {
        return fixture::writtenFile(m_folder, name, bytes);
    }

    /// A row of the model's matrix of that name.
    static std::vector<float> row(const TrainedModel& model, const char* name, int id) {
        const Tensor<const float> matrix = std::as_const(*model.network).parameters().value(std::string_view(name));
        std::vector<float> numbers;
        for (int i = 0; i < 8; ++i)
            numbers.push_back(matrix.at(id, i));
        return numbers;
    }

private slots:
    void countingByRunsIsCountingByLines_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("word") << static_cast<int>(Kind::Word);
        QTest::newRow("whitespace") << static_cast<int>(Kind::Whitespace);
        QTest::newRow("char") << static_cast<int>(Kind::Char);
    }
    void countingByRunsIsCountingByLines() {
        QFETCH(int, kind);
        const Words lines = {"don't stop, it's 3.14 (or 10:30)!",
                             "vingt-deux l'homme  aujourd'hui",
                             " leading and trailing ",
                             "a \u0301b a\u0301 c \u200d d",  // a mark and a joiner behind a space
                             "x \u0600 5 \u06005",            // what belongs to the character behind it
                             "\u039f\u03b4\u03cc\u03c2 \u039f\u0394\u039f\u03a3 \u03a3 A",  // a final sigma
                             "tab\there\u00a0nbsp\u2003em <unk> <eos> a<unk>b",
                             "a \u0301b a\u0301 c \u200d d",
                             ""};
        for (const bool lowercase : {false, true}) {
            const TokenizerOptions options{.kind = static_cast<Kind>(kind), .lowercase = lowercase};
            TokenCounter counter(options);
            WordCounts expected;
            const auto splitter = trainTokenizer({}, options);
            for (const std::string& line : lines) {
                counter.add(line);
                for (const std::string& token : splitter->split(line))
                    ++expected[token];
            }
            QVERIFY(counter.take() == expected);
        }
    }

    void tokensSeenLessOftenThanTheMinimalCountAreUnknown_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"word", "whitespace", "char"})
            QTest::newRow(kind) << kind;
    }
    void tokensSeenLessOftenThanTheMinimalCountAreUnknown() {
        QFETCH(QString, kind);
        TokenizerOptions options = parseTokenizer(kind.toStdString());
        options.minCount = 3;
        const auto tokenizer = trainTokenizer({"a b c", "a b", "a b", "a"}, options);
        QVERIFY(knows(*tokenizer, "a") && knows(*tokenizer, "b") && !knows(*tokenizer, "c"));
        QCOMPARE(tokenizer->encode("c").front(), SpecialIds::unk);
        options.maxVocabulary = 5;
        QVERIFY(!knows(*trainTokenizer({"a b c", "a b", "a b", "a"}, options), "b"));
        options.minCount = 0;
        QVERIFY(refusalOf([&] { trainTokenizer({"a"}, options); }).contains("min-count"));
    }

    /// As subword-nmt does with a vocabulary and its threshold: "lowest" stands once, and is cut again.
    void aPieceSeenLessOftenIsCutWhereItWasLastMerged() {
        const Words lines = {"low low low low lowest est est est newest newest newest wid"};
        TokenizerOptions options{.kind = Kind::Bpe, .merges = 100};
        const auto all = trainTokenizer(lines, options);
        options.minCount = 3;
        const auto frequent = trainTokenizer(lines, options);
        QCOMPARE(all->split("newest low"), (Words{"newest", "low"}));
        QCOMPARE(frequent->split("newest low"), (Words{"newest", "low"}));
        QVERIFY(frequent->vocabulary().size() < all->vocabulary().size());
        for (const char* text : {"lowest", "wid", "widest", "newlow", "west"}) {
            for (const std::string& token : frequent->split(text))
                QVERIFY2(knows(*frequent, token.c_str()), token.c_str());
            QCOMPARE(frequent->decode(frequent->encode(text)), std::string(text));
        }
        // What is written into a model file does the same.
        const auto again = tokenizerFromJson(frequent->toJson());
        for (const char* text : {"lowest", "widest", "newlow"})
            QCOMPARE(again->split(text), frequent->split(text));
    }

    void jointMergesGiveEachSideItsOwnVocabulary() {
        const TokenizerOptions own{.kind = Kind::Bpe, .merges = 6};
        TokenizerOptions joint = own;
        joint.jointBpe = true;
        const TrainedModel apart = newModel(smallConfig, own, twoLanguages(), 1),
                           together = newModel(smallConfig, joint, twoLanguages(), 1);
        const auto merges = [](const TrainedModel& model, bool source) {
            return (source ? model.source : model.target)->toJson().at("merges").dump();
        };
        QVERIFY(merges(apart, true) != merges(apart, false));
        QCOMPARE(merges(together, true), merges(together, false));
        // "ti" stands 24 times in both sides together: the first merge of all.
        WordCounts both;
        for (const SentencePair& pair : twoLanguages())
            for (const std::string& side : {pair.source, pair.target})
                countWords(side, both);
        std::vector<std::string> expected;
        for (const Merge& merge : learnMerges(both, 6))
            expected.push_back(merge.left + " " + merge.right);
        QCOMPARE(merges(together, true), nlohmann::json(expected).dump());
        QVERIFY(knows(*together.source, "z") && !knows(*together.target, "z"));
        QVERIFY(knows(*together.target, "q@@") && !knows(*together.source, "q@@"));
        // A new word is spelt with what the side has.
        QCOMPARE(together.target->decode(together.target->encode("stating")), std::string("stating"));
        for (const SentencePair& pair : twoLanguages()) {
            QCOMPARE(std::ranges::count(together.source->encode(pair.source), SpecialIds::unk), 0);
            QCOMPARE(std::ranges::count(together.target->encode(pair.target), SpecialIds::unk), 0);
        }
    }

    void oneVocabularyForBothSidesLearnsFromBoth() {
        TokenizerOptions joint{.kind = Kind::Bpe, .merges = 6, .jointBpe = true};
        const TrainedModel model = newModel(with("share_embeddings", true), joint, twoLanguages(), 1);
        QCOMPARE(model.source.get(), model.target.get());
        joint.jointBpe = false;
        QCOMPARE(newModel(with("share_embeddings", true), joint, twoLanguages(), 1).source->toJson().dump(),
                 model.source->toJson().dump());
        // All three embeddings are one matrix.
        nlohmann::json tied = with("share_embeddings", true);
        tied["tie_embeddings"] = true;
        const size_t words = static_cast<size_t>(model.source->vocabulary().size());
        QCOMPARE(newModel(tied, joint, twoLanguages(), 1).network->parameters().count() + words * 8,
                 model.network->parameters().count());
    }

    void codesOfAFileCutWordsAsTheirProgramDoes() {
        const std::string codes = write("codes", "#version: 0.2\nn a\nt i\no n</w>\nti on</w>\nna tion</w>\n");
        const TokenizerOptions options{.kind = Kind::Whitespace, .sourceCodes = codes};
        const TrainedModel model = newModel(smallConfig, options, {{"nation , station", "x"}, {"l' nation", "y"}}, 1);
        QCOMPARE(model.source->split("nation , station"), (Words{"nation", ",", "s@@", "t@@", "a@@", "tion"}));
        QCOMPARE(model.target->split("l' homme"), (Words{"l'", "homme"}));  // no codes: whole words
        const std::string text = "l' nation , station";
        QCOMPARE(model.source->decode(model.source->encode(text)), text);
        const auto again = tokenizerFromJson(model.source->toJson());
        QCOMPARE(again->split(text), model.source->split(text));
        QCOMPARE(again->toJson().dump(), model.source->toJson().dump());
        // As words and marks, where the text is not cut.
        const TrainedModel plain = newModel(smallConfig, {.sourceCodes = codes}, {{"nation, station", "x"}}, 1);
        QCOMPARE(plain.source->decode(plain.source->encode("nation, station")), std::string("nation, station"));
    }

    void whatDoesNotGoTogetherIsRefused() {
        const std::string codes = write("codes", "#version: 0.2\nn a\n"), old = write("old", "#version: 0.1\nn a\n"),
                          other = write("other", "#version: 0.2\nt i\n");
        const auto refused = [](const TokenizerOptions& options, const nlohmann::json& config = smallConfig) {
            return refusalOf([&] { newModel(config, options, twoLanguages(), 1); });
        };
        QVERIFY(refused({.kind = Kind::Bpe, .merges = 5, .sourceCodes = codes}).contains("--tokenizer word"));
        QVERIFY(refused({.kind = Kind::Char, .targetCodes = codes}).contains("--tokenizer word"));
        QVERIFY(refused({.jointBpe = true}).contains("bpe:N"));
        QVERIFY(refused({.sourceCodes = old}).contains("version 0.1"));
        QVERIFY(refused({.sourceCodes = "/nowhere"}).contains("cannot open"));
        QVERIFY(refused({.sourceCodes = codes, .targetCodes = other}, with("share_embeddings", true))
                    .contains("one vocabulary"));
        QCOMPARE(refused({.sourceCodes = codes, .targetCodes = codes}, with("share_embeddings", true)), "no error");
        const nlohmann::json text{{"architecture", "language-model"}, {"d_model", 8}, {"num_heads", 2}};
        QVERIFY(refused({.kind = Kind::Bpe, .merges = 5, .jointBpe = true}, text).contains("one text"));
    }

    void labelsAreWordsHoweverSentencesAreCut() {
        const nlohmann::json config{{"architecture", "encoder-classifier"}, {"d_model", 8}, {"num_heads", 2}};
        const Corpus corpus{{"good good", "yes"}, {"good bad", "yes"}, {"bad bad", "no"}};
        for (const TokenizerOptions& options :
             {TokenizerOptions{.kind = Kind::Bpe, .merges = 5}, {.kind = Kind::Char}, {.minCount = 2}}) {
            const TrainedModel model = newModel(config, options, corpus, 1);
            QVERIFY(knows(*model.target, "yes") && knows(*model.target, "no"));
            QCOMPARE(model.target->vocabulary().size(), 6);
        }
    }

    void wordsThatAFileKnowsStartWithItsVectors_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::newRow("word2vec") << QByteArray("3 8\n");
        QTest::newRow("GloVe") << QByteArray();
    }
    void wordsThatAFileKnowsStartWithItsVectors() {
        QFETCH(QByteArray, header);
        const std::string path =
            write("v.txt", header +
                               "station 1 2 3 4 5 6 7 8.5\nunheard 0 0 0 0 0 0 0 0\n"
                               "zebra -1e-3 0 0 0 0 0 0 0 \nstation 9 9 9 9 9 9 9 9\n. . 0 0 0 0 0 0 0 0\n");
        TrainedModel model = newModel(smallConfig, {}, twoLanguages(), 1);
        const TrainedModel before = newModel(smallConfig, {}, twoLanguages(), 1);
        const SidesFound found = startWith({.source = path}, model);
        QCOMPARE(found.source.found, 2L);
        QCOMPARE(found.source.words, 3L);
        QCOMPARE(found.target.words, 0L);
        const char* name = "source_embedding.weight";
        const auto id = [&](const char* word) { return model.source->vocabulary().id(word); };
        QCOMPARE(row(model, name, id("station")), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8.5f}));
        QCOMPARE(row(model, name, id("zebra"))[0], -1e-3f);
        QCOMPARE(row(model, name, id("nation")), row(before, name, id("nation")));
        QCOMPARE(row(model, "target_embedding.weight", 4), row(before, "target_embedding.weight", 4));
    }

    void oneMatrixTakesTheVectorsOfBothFiles() {
        TrainedModel model = newModel(with("share_embeddings", true), {}, twoLanguages(), 1);
        const std::string source = write("s", "zebra 1 1 1 1 1 1 1 1\n"),
                          target = write("t", "quagga 2 2 2 2 2 2 2 2\n");
        const SidesFound found = startWith({source, target}, model);
        QCOMPARE(found.source.found + found.target.found, 2L);
        for (const auto& [word, number] : {std::pair("zebra", 1.0f), std::pair("quagga", 2.0f)})
            QCOMPARE(row(model, "embedding.weight", model.source->vocabulary().id(word)),
                     std::vector<float>(8, number));
    }

    void vectorsThatDoNotFitAreRefusedInALine_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("another width") << QByteArray("zebra 1 2 3\n") << "has vectors of 3 numbers";
        QTest::newRow("another width in the first line") << QByteArray("1 300\n") << "has vectors of 300 numbers";
        QTest::newRow("a number is missing") << QByteArray("a 1 2 3 4 5 6 7 8\nzebra 1 2\n") << "line 2 has 2 numbers";
        QTest::newRow("no number") << QByteArray("zebra 1 2 3 4 five 6 7 8\n") << "line 1 has \"five\"";
        QTest::newRow("not finite") << QByteArray("zebra 1 2 3 4 nan 6 7 8\n") << "line 1 has \"nan\"";
        QTest::newRow("of other words") << QByteArray("gnu 1 2 3 4 5 6 7 8\n") << "no word of the source vocabulary";
        QTest::newRow("empty") << QByteArray() << "no word of the source vocabulary";
        QTest::newRow("binary") << QByteArray("3 8\nzebra \x01\x02\0\0", 14) << "NUL";
    }
    void vectorsThatDoNotFitAreRefusedInALine() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        TrainedModel model = newModel(smallConfig, {}, twoLanguages(), 1);
        const std::string path = write("wrong", bytes);
        const QString message = refusalOf([&] { startWith({.source = path}, model); });
        QVERIFY2(message.contains(expected), qPrintable(message));
        QVERIFY(!message.contains('\n'));
    }

    void learningTellsHowFarItIsAndCanBeStopped() {
        Corpus corpus;
        for (int i = 0; i < 9000; ++i)
            corpus.push_back({"word " + std::to_string(i), "mot " + std::to_string(i)});
        std::vector<double> shares;
        const auto listen = [&](double share) {
            shares.push_back(share);
            return true;
        };
        newModel(smallConfig, {.kind = Kind::Bpe, .merges = 300}, corpus, 1, listen);
        QVERIFY(shares.size() >= 6 && std::is_sorted(shares.begin(), shares.end()) && shares.back() <= 1);
        QVERIFY_EXCEPTION_THROWN(newModel(smallConfig, {}, corpus, 1, [](double share) { return share < 0.1; }),
                                 WorkStopped);
    }
};

QTEST_APPLESS_MAIN(TestLearnedWords)
#include "test_learned_words.moc"
