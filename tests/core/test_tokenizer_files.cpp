// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a model's folder make its tokenizer, what it puts around a text, and what is refused.
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/sentencepiece_check.h"
#include "tests/thread_time.h"

using namespace headlight;
using nlohmann::json;
namespace fs = std::filesystem;
using Ids = std::vector<int>;

namespace {

const fs::path tokenizerFilesGolden = HEADLIGHT_SOURCE_DIR "/tests/golden/tokenizers";

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The one line that an action fails with; "" where it does not fail, or with more than a line.
QString lineOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        const QString what = QString::fromStdString(error.what());
        return what.contains('\n') ? QString() : what;
    }
    return {};
}

/// A model's folder that a test fills.
class ModelFolder {
public:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path() / name, std::ios::binary) << text;
    }
    void writeJson(const std::string& name, const json& value) const { write(name, value.dump()); }
    void copy(const fs::path& from) const { fs::copy(tokenizerFilesGolden / from, path() / fs::path(from).filename()); }
    fs::path path() const { return m_folder.path().toStdString(); }
    FolderTokenizers open(const TokenizerFacts& facts = {}) const {
        return openTokenizers(platform::Folder(path()), facts);
    }
    QString refusal(const TokenizerFacts& facts = {}) const {
        return lineOf([&] { open(facts); });
    }

private:
    QTemporaryDir m_folder;
};

/// The smallest byte-level vocabulary: ids of bytes, then of two merges.
json smallBpe() {
    return {{"a", 0}, {"b", 1}, {"ab", 2}, {"Ġ", 3}, {"Ġab", 4}, {"<|endoftext|>", 5}};
}
const char* const smallMerges = "#version: 0.2\na b\nĠ ab\n";

json smallTokenizerJson() {
    return {{"version", "1.0"},
            {"added_tokens", json::array()},
            {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
            {"decoder", {{"type", "ByteLevel"}}},
            {"model", {{"type", "BPE"}, {"vocab", smallBpe()}, {"merges", {"a b", "Ġ ab"}}}}};
}

}  // namespace

class TestTokenizerFiles : public QObject {
    Q_OBJECT

private slots:
    void theFilesOfAFolderSayWhichTokenizerItIs() {
        ModelFolder folder;
        QCOMPARE(folder.open({.vocabularySize = 9}).files, std::string());
        folder.copy("llama/tokenizer.model");
        QCOMPARE(folder.open().files, std::string("tokenizer.model"));
        folder.copy("bert/vocab.txt");
        QCOMPARE(folder.open().files, std::string("vocab.txt"));
        folder.writeJson("vocab.json", smallBpe());
        folder.write("merges.txt", smallMerges);
        QCOMPARE(folder.open().files, std::string("vocab.json, merges.txt"));
        folder.writeJson("tokenizer.json", smallTokenizerJson());
        QCOMPARE(folder.open().files, std::string("tokenizer.json"));
        folder.copy("t5/spiece.model");
        QCOMPARE(folder.open().files, std::string("tokenizer.json"));
        QCOMPARE(folder.open({.modelType = "t5"}).files, std::string("spiece.model"));
    }

    void bertReadsASentenceOrTwoWithTheirTypes() {
        for (const char* files : {"bert", "bert-cased-json"}) {
            const auto tokenizer = openTokenizers(platform::Folder(tokenizerFilesGolden / files), {}).source;
            const auto [pad, unk, cls, sep, mask] = std::array{0, 1, 2, 3, 4};
            const Ids a = tokenizer->encode("two dogs"), b = tokenizer->encode("the [MASK]");
            QVERIFY(a.size() >= 2);
            QCOMPARE(b.back(), mask);
            const EncodedInput one = tokenizer->encodeInput("two dogs");
            Ids expected{cls};
            expected.insert(expected.end(), a.begin(), a.end());
            expected.push_back(sep);
            QCOMPARE(one.ids, expected);
            QCOMPARE(one.types, Ids(expected.size(), 0));
            QVERIFY(one.added.front() && !one.added[1] && one.added.back());
            const EncodedInput two = tokenizer->encodeInput("two dogs", "the [MASK]");
            expected.insert(expected.end(), b.begin(), b.end());
            expected.push_back(sep);
            QCOMPARE(two.ids, expected);
            Ids types(a.size() + 2, 0);
            types.insert(types.end(), b.size() + 1, 1);
            QCOMPARE(two.types, types);
            QVERIFY(!two.added[two.ids.size() - 2]);  // the mask is part of the text
            QCOMPARE(tokenizer->specials().mask, std::optional(mask));
            QCOMPARE(tokenizer->specials().pad, std::optional(pad));
            QCOMPARE(tokenizer->specials().unk, std::optional(unk));
            QVERIFY(tokenizer->isSpecial(mask) && !tokenizer->isSpecial(unk));
            QCOMPARE(tokenizer->decode(one.ids), std::string("two dogs"));
        }
    }

    void lowerCaseIsReadUnlessTheFolderSaysOtherwise() {
        const std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ndog\nDog\ne\né\n";
        ModelFolder folder;
        folder.write("vocab.txt", vocabulary);
        QCOMPARE(folder.open().source->encode("Dog É"), (Ids{5, 7}));
        folder.writeJson("tokenizer_config.json", json{{"do_lower_case", false}});
        QCOMPARE(folder.open().source->encode("Dog é"), (Ids{6, 8}));
        folder.writeJson("tokenizer_config.json", json{{"do_lower_case", true}, {"strip_accents", false}});
        QCOMPARE(folder.open().source->encode("Dog É"), (Ids{5, 8}));
        folder.writeJson("tokenizer_config.json", json{{"do_lower_case", 1}});
        QVERIFY(folder.refusal().contains("do_lower_case is neither true nor false"));
    }

    void gpt2PutsNothingAroundATextAndKnowsItsEnd() {
        const auto tokenizer = openTokenizers(platform::Folder(tokenizerFilesGolden / "gpt2"), {}).source;
        const int end = tokenizer->specials().eos.value_or(-1);
        QCOMPARE(tokenizer->vocabulary().token(end), std::string("<|endoftext|>"));
        QCOMPARE(tokenizer->encodeInput("a dog").ids, tokenizer->encode("a dog"));
        const Ids ids = tokenizer->encode("a<|endoftext|>b");
        QCOMPARE(ids[1], end);
        QCOMPARE(tokenizer->decode(ids), std::string("ab"));
        QCOMPARE(tokenizer->decode(ids, Tokenizer::Specials::Written), std::string("a<|endoftext|>b"));
    }

    void bartPutsItsOwnTokensAroundATextAndASpaceBelongsToTheMask() {
        ModelFolder folder;
        json vocabulary = {{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}, {"a", 4},
                           {"b", 5},   {"ab", 6},    {"Ġ", 7},    {"Ġab", 8},   {"<mask>", 9}};
        folder.writeJson("vocab.json", vocabulary);
        folder.write("merges.txt", smallMerges);
        const auto tokenizer = folder.open({.modelType = "bart"}).source;
        QCOMPARE(tokenizer->encodeInput("ab <mask> ab").ids, (Ids{0, 6, 9, 8, 2}));
        QCOMPARE(tokenizer->encodeInput("ab", "a").ids, (Ids{0, 6, 2, 2, 4, 2}));
        QCOMPARE(tokenizer->encodeInput("ab", "a").types, Ids(6, 0));
    }

    void t5EndsATextAndHasItsExtraIds() {
        ModelFolder folder;
        folder.copy("t5/spiece.model");
        const auto tokenizer = folder.open({.modelType = "t5"}).source;
        const int pieces = tokenizer->vocabulary().size() - 100;
        QCOMPARE(tokenizer->vocabulary().token(pieces), std::string("<extra_id_99>"));
        const EncodedInput input = tokenizer->encodeInput("a dog <extra_id_0>");
        QCOMPARE(input.ids.back(), 1);
        QCOMPARE(input.ids[input.ids.size() - 2], pieces + 99);
        QCOMPARE(tokenizer->decode(input.ids), std::string("a dog"));
        QCOMPARE(tokenizer->encodeInput("a", "b").ids.size(),
                 tokenizer->encodeInput("a").ids.size() + tokenizer->encodeInput("b").ids.size());
        // A model may have more rows than its tokenizer has tokens, or just as many as there are pieces.
        QCOMPARE(folder.open({.modelType = "t5", .vocabularySize = pieces + 128}).source->vocabulary().size(),
                 pieces + 128);
        QCOMPARE(folder.open({.modelType = "t5", .vocabularySize = pieces}).source->vocabulary().size(), pieces);
        QVERIFY(folder.refusal({.modelType = "t5", .vocabularySize = pieces - 1}).contains("do not belong together"));
    }

    void llamaBeginsATextAndMarianEndsIt() {
        const auto llama = openTokenizers(platform::Folder(tokenizerFilesGolden / "llama"), {}).source;
        QCOMPARE(llama->encodeInput("a dog").ids.front(), 1);
        QCOMPARE(llama->encodeInput("a dog").ids.size(), llama->encode("a dog").size() + 1);
        const auto inJson = openTokenizers(platform::Folder(tokenizerFilesGolden / "llama-json"), {}).source;
        QCOMPARE(inJson->encodeInput("a dog").ids.front(), 1);

        const FolderTokenizers marian =
            openTokenizers(platform::Folder(tokenizerFilesGolden / "marian"), {.modelType = "marian"});
        const Tokenizer& source = *marian.source;
        QCOMPARE(source.encodeInput("a dog").ids.back(), 0);
        QCOMPARE(source.vocabulary().token(source.encode(">>fr<< a dog").front()), std::string(">>fr<<"));
        QCOMPARE(source.encode(">>xx<< a dog").front(), source.specials().unk.value_or(-1));
        QVERIFY(source.encode("a >>fr<< dog").front() != source.encode(">>fr<< dog").front());
        const std::string text = "Zwei Hunde laufen";
        QCOMPARE(marian.target->decode(marian.target->encodeInput(text).ids), text);
    }

    void marianMayHaveTwoVocabularies() {
        ModelFolder folder;
        for (const char* file : {"marian/source.spm", "marian/target.spm", "marian/vocab.json"})
            folder.copy(file);
        json target = json::parse(contents(tokenizerFilesGolden / "marian/vocab.json"));
        const int size = static_cast<int>(target.size());
        for (json& id : target)
            id = size - 1 - id.get<int>();
        folder.writeJson("target_vocab.json", target);
        const FolderTokenizers both = folder.open({.modelType = "marian", .vocabularySize = size});
        QCOMPARE(both.source->encodeInput("a").ids.back(), 0);
        QCOMPARE(both.target->encodeInput("a").ids.back(), size - 1);
        fs::remove(folder.path() / "target.spm");
        QVERIFY(folder.refusal({.modelType = "marian"}).contains("has no target.spm"));
    }

    void fairseqsSpecialTokensStandBeforeThePieces() {
        ModelFolder folder;
        folder.copy("xlm-roberta/sentencepiece.bpe.model");
        const auto xlm = folder.open({.modelType = "xlm-roberta"}).source;
        const auto camembert = folder.open({.modelType = "camembert"}).source;
        QCOMPARE(xlm->vocabulary().token(3), std::string("<unk>"));
        QCOMPARE(camembert->vocabulary().token(4), std::string("<unk>NOTUSED"));
        QCOMPARE(camembert->vocabulary().size(), xlm->vocabulary().size() + 3);
        const int mask = xlm->vocabulary().size() - 1;
        QCOMPARE(xlm->specials().mask, std::optional(mask));
        const Ids dogs = xlm->encode("two dogs <mask>");
        QCOMPARE(dogs.back(), mask);  // the space before it is its own
        Ids later = dogs;
        for (int& id : later)
            id += 3;
        QCOMPARE(camembert->encode("two dogs <mask>"), later);
        QCOMPARE(xlm->encode("\U0001f40e"), (Ids{xlm->vocabulary().find("▁"), 3}));
        QCOMPARE(camembert->encode("\U0001f40e"), (Ids{xlm->vocabulary().find("▁") + 3, 3}));
        const Ids a = xlm->encode("a");
        Ids one{0}, two;
        one.insert(one.end(), a.begin(), a.end());
        one.push_back(2);
        QCOMPARE(xlm->encodeInput("a").ids, one);
        two = one;
        two.push_back(2);
        two.insert(two.end(), a.begin(), a.end());
        two.push_back(2);
        QCOMPARE(xlm->encodeInput("a", "a").ids, two);
        QCOMPARE(camembert->encodeInput("a").ids.front(), 5);
        QCOMPARE(camembert->encodeInput("a").ids.back(), 6);
        QCOMPARE(xlm->decode(xlm->encodeInput("two dogs").ids), std::string("two dogs"));
    }

    void languagesStandBehindThePiecesAndAroundTheSource() {
        ModelFolder folder;
        folder.copy("xlm-roberta/sentencepiece.bpe.model");
        const auto xlm = folder.open({.modelType = "xlm-roberta"}).source;
        const int pieces = xlm->vocabulary().size() - 1;
        const Ids text = xlm->encode("two dogs");
        const auto around = [&](Ids before, const Ids& behind) {
            before.insert(before.end(), text.begin(), text.end());
            before.insert(before.end(), behind.begin(), behind.end());
            return before;
        };
        // mBART's en_XX is the fourth of its 25 codes, NLLB's eng_Latn the 47th of 202.
        const int english = pieces + 3, nllbEnglish = pieces + 46;
        const FolderTokenizers mbart = folder.open({.modelType = "mbart", .vocabularySize = pieces + 26});
        QCOMPARE(mbart.source->encodeInput("two dogs").ids, around({}, {2, english}));
        QCOMPARE(mbart.source->vocabulary().token(pieces + 25), std::string("<mask>"));
        const FolderTokenizers fifty = folder.open({.modelType = "mbart", .vocabularySize = pieces + 53});
        QCOMPARE(fifty.source->encodeInput("two dogs").ids, around({english}, {2}));
        QCOMPARE(fifty.source->specials().mask, std::optional(pieces + 52));
        const FolderTokenizers nllb = folder.open({.modelType = "m2m_100", .vocabularySize = pieces + 205});
        QCOMPARE(nllb.source->encodeInput("two dogs").ids, around({nllbEnglish}, {2}));
        QCOMPARE(nllb.source->decode(nllb.source->encodeInput("two dogs").ids), std::string("two dogs"));
        QCOMPARE(nllb.source->vocabulary().token(pieces + 202), std::string("<mask>"));
        QVERIFY(!nllb.writtenFirst);

        json settings{{"src_lang", "vie_Latn"}, {"tgt_lang", "fra_Latn"}, {"legacy_behaviour", true}};
        folder.writeJson("tokenizer_config.json", settings);
        const FolderTokenizers first = folder.open({.modelType = "m2m_100"});
        QCOMPARE(first.source->encodeInput("two dogs").ids,
                 around({}, {2, first.source->vocabulary().find("vie_Latn")}));
        QCOMPARE(first.writtenFirst, std::optional(first.source->vocabulary().find("fra_Latn")));
        QVERIFY(!folder.open({.modelType = "xlm-roberta"}).writtenFirst);
        settings["tgt_lang"] = "tlh_Latn";
        folder.writeJson("tokenizer_config.json", settings);
        QVERIFY(folder.refusal({.modelType = "m2m_100"}).contains("\"tlh_Latn\""));
        settings["tgt_lang"] = 7;
        folder.writeJson("tokenizer_config.json", settings);
        QVERIFY(folder.refusal({.modelType = "m2m_100"}).contains("tgt_lang is no text"));
        settings["tgt_lang"] = nullptr;
        settings["src_lang"] = "xx";
        folder.writeJson("tokenizer_config.json", settings);
        QVERIFY(folder.refusal({.modelType = "m2m_100"}).contains("src_lang"));
    }

    /// NLLB's pieces have scores, by which pairs of them are merged.
    void nllbMergesWhatMakesTheBestPiece() {
        ModelFolder folder;
        folder.copy("llama/tokenizer.model");
        const auto llama = folder.open({.modelType = "llama"}).source;
        fs::rename(folder.path() / "tokenizer.model", folder.path() / "sentencepiece.bpe.model");
        const auto nllb = folder.open({.modelType = "m2m_100"}).source;
        for (const char* line : {"two dogs", "The quick brown fox", "I see the big red house"}) {
            Ids wanted;
            for (const int id : llama->encode(line))
                wanted.push_back(id + 1);  // fairseq has a token more before the pieces
            QCOMPARE(nllb->encode(line), wanted);
        }
    }

    /// What Hugging Face's own classes put around a text they put there whatever tokenizer.json says.
    void languagesAreReadWithTokenizerJsonToo() {
        ModelFolder folder;
        json whole = smallTokenizerJson();
        json vocabulary = smallBpe();
        vocabulary["</s>"] = 6;
        vocabulary["eng_Latn"] = 7;
        vocabulary["fra_Latn"] = 8;
        whole["model"]["vocab"] = vocabulary;
        for (const auto& [token, id] : {std::pair("</s>", 6), std::pair("eng_Latn", 7), std::pair("fra_Latn", 8)})
            whole["added_tokens"].push_back({{"id", id}, {"content", token}, {"special", true}});
        folder.writeJson("tokenizer.json", whole);
        QCOMPARE(folder.open({.modelType = "m2m_100"}).source->encodeInput("ab").ids, (Ids{7, 2, 6}));
        folder.writeJson("tokenizer_config.json", {{"tokenizer_class", "NllbTokenizer"}, {"src_lang", "fra_Latn"}});
        QCOMPARE(folder.open({.modelType = "m2m_100"}).source->encodeInput("ab").ids, (Ids{8, 2, 6}));
        folder.writeJson("tokenizer_config.json",
                         {{"tokenizer_class", "PreTrainedTokenizerFast"}, {"tgt_lang", "fra_Latn"}});
        const FolderTokenizers plain = folder.open({.modelType = "m2m_100"});
        QCOMPARE(plain.source->encodeInput("ab").ids, Ids{2});
        QCOMPARE(plain.writtenFirst, std::optional(8));
    }

    void otherModelsOfFairseqsFileAreRefused() {
        ModelFolder folder;
        folder.copy("xlm-roberta/sentencepiece.bpe.model");
        QVERIFY(folder.refusal({.modelType = "bart"}).contains("put the model's tokenizer.json beside it"));
        folder.write("vocab.json", "{}");  // M2M-100's ids
        QVERIFY(folder.refusal({.modelType = "m2m_100"}).contains("put the model's tokenizer.json beside it"));
        fs::remove(folder.path() / "vocab.json");
        fs::copy(tokenizerFilesGolden / "llama/tokenizer.model", folder.path() / "sentencepiece.bpe.model",
                 fs::copy_options::overwrite_existing);
        QVERIFY(folder.refusal({.modelType = "xlm-roberta"}).contains("does not cut by scores"));
        fs::copy(tokenizerFilesGolden / "t5/spiece.model", folder.path() / "sentencepiece.bpe.model",
                 fs::copy_options::overwrite_existing);
        QVERIFY(folder.refusal({.modelType = "xlm-roberta"}).contains("does not begin with <unk>, <s>, </s>"));
        folder.write("sentencepiece.bpe.model", "hello");
        QVERIFY(folder.refusal({.modelType = "xlm-roberta"}).contains("not a SentencePiece model"));
    }

    /// Gemini's vocabulary has no token for a tab's byte; GPT-4's leaves ids between its added tokens free.
    void vocabulariesMayLackWhatNoTextAsksFor() {
        ModelFolder folder;
        json whole = smallTokenizerJson();
        whole["pre_tokenizer"] = whole["decoder"] = nullptr;
        whole["model"] = {{"type", "BPE"},
                          {"vocab", {{"a", 0}, {"<unk>", 1}, {"<0xC3>", 2}, {"<0xA9>", 3}}},
                          {"merges", json::array()},
                          {"unk_token", "<unk>"},
                          {"byte_fallback", true}};
        whole["added_tokens"] = {{{"id", 7}, {"content", "<end>"}, {"special", true}}};
        folder.writeJson("tokenizer.json", whole);
        const auto tokenizer = folder.open().source;
        QCOMPARE(tokenizer->encode("aéñ<end>"), (Ids{0, 2, 3, 1, 7}));
        QCOMPARE(tokenizer->vocabulary().token(5), std::string("<no token 5>"));
        QCOMPARE(tokenizerFromJson(tokenizer->toJson())->encode("aéñ<end>"), (Ids{0, 2, 3, 1, 7}));
    }

    void recordingsAreWrittenOnceForEachSound() {
        ModelFolder folder;
        json whole = smallTokenizerJson();
        whole["pre_tokenizer"] = nullptr;
        whole["decoder"] = {{"type", "CTC"}, {"pad_token", "<pad>"}, {"word_delimiter_token", "|"}, {"cleanup", true}};
        whole["model"] = {{"type", "WordLevel"}, {"vocab", {{"<pad>", 0}, {"|", 1}, {"l", 2}, {"o", 3}}}};
        folder.writeJson("tokenizer.json", whole);
        QCOMPARE(folder.open().source->decode({2, 2, 0, 2, 3, 3, 1, 1, 3}), std::string("llo o"));
    }

    void withoutATokenizerIdsAreText() {
        ModelFolder folder;
        const FolderTokenizers both =
            folder.open({.vocabularySize = 12, .targetVocabularySize = 20, .specials = {.eos = 2}});
        const Tokenizer& ids = *both.source;
        QCOMPARE(ids.encode("5 9\t11\n"), (Ids{5, 9, 11}));
        QCOMPARE(ids.encode("2"), Ids{2});
        QCOMPARE(ids.decode({5, 2, 11}), std::string("5 2 11"));
        QCOMPARE(ids.encodeInput("5 9").ids, (Ids{5, 9}));
        QCOMPARE(both.target->vocabulary().size(), 20);
        for (const char* wrong : {"12", "-1", "a", "5,9", "5 9x", "99999999999", "1.5", "\xff"})
            QVERIFY2(lineOf([&] { ids.encode(wrong); }).contains("numbers from 0 to 11"), wrong);
        QVERIFY(lineOf([&] { ids.encodeInput("1", "2"); }).contains("no pairs"));
        const auto again = tokenizerFromJson(json::parse(ids.toJson().dump()));
        QCOMPARE(again->toJson(), ids.toJson());
        QVERIFY(folder.refusal({.vocabularySize = 0}).contains("cannot be read"));
        QVERIFY(folder.refusal({.vocabularySize = 2000000000}).contains("cannot be read"));
    }

    void tokensThatWereAddedAreFound() {
        ModelFolder folder;
        folder.writeJson("vocab.json", smallBpe());
        folder.write("merges.txt", smallMerges);
        folder.writeJson("added_tokens.json", json{{"<user>", 6}});
        folder.writeJson("tokenizer_config.json",
                         json{{"added_tokens_decoder",
                               {{"7", {{"content", "[word]"}, {"single_word", true}, {"special", false}}},
                                {"8", {{"content", "<pad me>"}, {"special", true}, {"rstrip", true}}}}},
                              {"pad_token", "<pad me>"}});
        folder.writeJson("special_tokens_map.json", json{{"eos_token", {{"content", "<user>"}}}});
        const auto tokenizer = folder.open().source;
        QCOMPARE(tokenizer->encode("ab<user>[word]<pad me>  b"), (Ids{2, 6, 7, 8, 1}));
        QCOMPARE(tokenizer->encode("a[word]b"), (Ids{0, 1}));  // no word of its own, and no brackets in the vocabulary
        QCOMPARE(tokenizer->specials().pad, std::optional(8));
        QCOMPARE(tokenizer->specials().eos, std::optional(6));
        QCOMPARE(tokenizer->decode({2, 6, 7}), std::string("ab[word]"));
        // What the model has no row for cannot be fed to it.
        const auto smaller = folder.open({.vocabularySize = 6}).source;
        QCOMPARE(smaller->vocabulary().size(), 6);
        QVERIFY(!smaller->specials().pad);
        QCOMPARE(tokenizerFromJson(smaller->toJson())->toJson(), smaller->toJson());
    }

    void damagedVocabulariesAreRefusedWithFileAndFault_data();
    void damagedVocabulariesAreRefusedWithFileAndFault() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, fault);
        ModelFolder folder;
        folder.writeJson("vocab.json", smallBpe());
        folder.write("merges.txt", smallMerges);
        folder.write(file.toStdString(), text.toStdString());
        if (file == "vocab.txt") fs::remove(folder.path() / "merges.txt");
        const QString refusal = folder.refusal();
        QVERIFY2(refusal.contains(file) && refusal.contains(fault), qPrintable(refusal));
    }

    void unknownPartsOfATokenizerJsonAreRefusedByName_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<QString>("fault");
        auto row = [number = 0](const char* key, const char* part, const char* fault) mutable {
            QTest::addRow("%d. %s: %s", ++number, key, fault) << key << QByteArray(part) << fault;
        };
        row("normalizer", R"({"type":"Precompiled"})", "precompiled_charsmap of the normalizer Precompiled is damaged");
        row("normalizer", R"({"type":"Precompiled","precompiled_charsmap":"AAAA"})", "precompiled_charsmap");
        row("normalizer", R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Ghost"}]})",
            "normalizer 'Ghost', which Headlight does not know: use a model with another tokenizer");
        row("normalizer", R"([])", "normalizer that is no object");
        row("pre_tokenizer", R"({"type":"Ghost"})", "pre_tokenizer 'Ghost'");
        row("pre_tokenizer", R"({"type":"CharDelimiterSplit","delimiter":"ab"})", "delimiter");
        row("pre_tokenizer", R"({"type":"FixedLength","length":0})", "length");
        row("pre_tokenizer", R"({"type":"FixedLength","length":-1})", "length");
        row("pre_tokenizer", R"({"type":"Split","pattern":{"Regex":"*a"},"behavior":"Isolated"})", "cannot be read");
        row("pre_tokenizer", R"({"type":"Split","pattern":{"Regex":"a"},"behavior":"Thrown"})", "behavior");
        row("pre_tokenizer", R"({"type":"Metaspace","replacement":5})", "replacement");
        row("post_processor", R"({"type":"Ghost"})", "post_processor 'Ghost'");
        row("post_processor", R"({"type":"BertProcessing","sep":["x",6],"cls":["y",0]})", "sep");
        row("post_processor",
            R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"Q","type_id":0}}],"pair":[],"special_tokens":{}})",
            "'Q'");
        row("decoder", R"({"type":"Ghost"})", "decoder 'Ghost'");
        row("model", R"({"type":"Unigram","vocab":[["a",0.1]]})", "");
        row("model", R"({"vocab":[["a",0.1]],"unk_id":0})", "");
        row("model", R"({"type":"Unigram","vocab":[["a",0.1]],"unk_id":1})", "unk_id");
        row("model", R"({"type":"Unigram","vocab":[]})", "no vocabulary of tokens and their scores");
        row("model", R"({"type":"Unigram","vocab":[["a",0],["b","c"]]})", "token 2 is not a text and its score");
        row("model", R"({"type":"Unigram","vocab":[["a",0],["a",1]]})", "twice");
        row("model", R"({"type":"Unigram","vocab":{"a":0}})", "no vocabulary of tokens and their scores");
        row("model", R"({"type":"Magic","vocab":{"a":0}})", "model 'Magic'");
        row("model", R"({"type":"BPE","vocab":{"a":0},"merges":[],"dropout":0.1})", "dropout");
        row("model", R"({"type":"BPE","vocab":{"a":0},"merges":[],"unk_token":"z"})", "unk_token");
        row("model", R"({"type":"BPE","vocab":{"a":0},"merges":["a a a"]})", "merge 1 is not two tokens");
        row("model", R"({"type":"BPE","vocab":{"a":0},"merges":[["a"]]})", "merge 1 is not two tokens");
        row("model", R"({"type":"BPE","vocab":{"a":0},"merges":[["a","a"]]})", "merge 1 names 'aa'");
        row("model", R"({"type":"BPE","vocab":{"a":1},"merges":[]})", "");
        row("model", R"({"type":"WordPiece","vocab":{"a":0},"unk_token":"[UNK]"})", "unk_token");
        row("model", R"({"type":"WordPiece","vocab":{"[UNK]":0},"max_input_chars_per_word":1000000})",
            "max_input_chars");
        row("version", R"("2.0")", "version");
        row("added_tokens", R"([{"id":0,"content":"zz"}])", "the id 0 twice");
        row("added_tokens", R"([{"id":9,"content":"zz"}])", "");
        row("added_tokens", R"([{"id":100000,"content":"zz"}])", "no token of id 6");
        row("added_tokens", R"([{"id":6,"content":"a"}])", "two ids");
        row("added_tokens", R"([{"id":6,"content":""}])", "content");
        row("added_tokens", R"([{"content":"a"}])", "id");
        row("added_tokens", R"({"a":6})", "no list");
    }
    void unknownPartsOfATokenizerJsonAreRefusedByName() {
        QFETCH(QString, key);
        QFETCH(QByteArray, part);
        QFETCH(QString, fault);
        ModelFolder folder;
        json whole = smallTokenizerJson();
        whole[key.toStdString()] = json::parse(part.toStdString());
        folder.writeJson("tokenizer.json", whole);
        const QString refusal = folder.refusal();
        // An id of its own that no token has is no fault where it is the only one: the empty token.
        QVERIFY2(fault.isEmpty() == refusal.isEmpty() && refusal.contains(fault), qPrintable(refusal));
        if (!fault.isEmpty()) QVERIFY2(refusal.contains("tokenizer.json"), qPrintable(refusal));
    }

    void filesTooLargeAreRefusedBeforeTheyAreRead() {
        for (const char* name : {"tokenizer.json", "vocab.json", "merges.txt", "vocab.txt", "tokenizer.model",
                                 "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"}) {
            ModelFolder folder;
            if (std::string(name) == "merges.txt") folder.writeJson("vocab.json", smallBpe());
            if (std::string(name) == "vocab.json") folder.write("merges.txt", smallMerges);
            folder.write(name, std::string());
            fs::resize_file(folder.path() / name, std::uintmax_t{1} << 35);
            const QString refusal = folder.refusal();
            QVERIFY2(refusal.contains(name) && refusal.contains("34359738368 bytes"), qPrintable(refusal));
        }
    }

    /// OPT's texts begin with a token, and its folders have no tokenizer.json that would say so.
    void aTextBeginsWithTheTokenThatItsSettingsPutBeforeIt() {
        ModelFolder folder;
        for (const char* file : {"gpt2/vocab.json", "gpt2/merges.txt"})
            folder.copy(file);
        const std::vector<int> plain = folder.open().source->encodeInput("He walks home").ids;
        folder.writeJson("tokenizer_config.json", {{"add_bos_token", true}, {"bos_token", "<|endoftext|>"}});
        const FolderTokenizers opened = folder.open();
        std::vector<int> behind = opened.source->encodeInput("He walks home").ids;
        QCOMPARE(behind.front(), opened.source->specials().bos.value());
        behind.erase(behind.begin());
        QCOMPARE(behind, plain);
        QCOMPARE(opened.source->decode(plain), std::string("He walks home"));
        folder.writeJson("tokenizer_config.json", {{"add_bos_token", false}, {"bos_token", "<|endoftext|>"}});
        QCOMPARE(folder.open().source->encodeInput("He walks home").ids, plain);
    }

    void linksThatLeadOutOfTheFolderAreRefused() {
        ModelFolder folder;
        fs::create_symlink(tokenizerFilesGolden / "bert/vocab.txt", folder.path() / "vocab.txt");
        QVERIFY(folder.refusal().contains("leads out of the folder"));
    }

    void halfATokenizerIsRefused() {
        ModelFolder folder;
        folder.writeJson("vocab.json", smallBpe());
        QVERIFY(folder.refusal().contains("half a tokenizer"));
        ModelFolder other;
        other.write("merges.txt", smallMerges);
        QVERIFY(other.refusal().contains("has no vocab.json"));
    }

    void aTokenizerLargerThanItsModelIsRefused() {
        for (const auto& [files, type] :
             {std::pair{"gpt2", "gpt2"}, {"bert", "bert"}, {"llama", "llama"}, {"marian", "marian"}}) {
            const QString refusal = lineOf([&, files = files, type = type] {
                openTokenizers(platform::Folder(tokenizerFilesGolden / files),
                               {.modelType = type, .vocabularySize = 20});
            });
            QVERIFY2(refusal.contains("do not belong together"), qPrintable(refusal));
        }
    }

    void damagedSentencePieceModelsAreRefusedOrHarmless() {
        const std::string sound = contents(tokenizerFilesGolden / "t5/spiece.model");
        ModelFolder folder;
        const auto opensOrRefuses = [&](const std::string& model) {
            folder.write("spiece.model", model);
            const QString refusal = lineOf([&] {
                const auto tokenizer = folder.open().source;
                tokenizer->decode(tokenizer->encode("a dóg ﷺ ½ \xf0\x9f\x91\x8d x"));
            });
            return refusal.isEmpty() || refusal.contains("spiece.model");
        };
        folder.write("spiece.model", std::string());
        QVERIFY(folder.refusal().contains("has no pieces"));
        folder.write("spiece.model", std::string("hello"));
        QVERIFY(folder.refusal().contains("spiece.model"));
        for (std::size_t size = 1; size < sound.size(); size += 9973)
            QVERIFY(opensOrRefuses(sound.substr(0, size)));
        std::mt19937 random(3);
        for (int i = 0; i < 150; ++i) {
            std::string broken = sound;
            for (int changes = 1 + static_cast<int>(random() % 8); changes > 0; --changes)
                broken[random() % broken.size()] = static_cast<char>(random() & 255u);
            QVERIFY(opensOrRefuses(broken));
        }
    }

    void aTableOfNormalFormsThatLeadsOutsideIsRefused() {
        const std::string file = "x.model";
        const std::string piece(
            "\x0a\x03\x0a\x01"
            "a",
            5);
        // One unit whose steps lead past the end of the array, then the texts.
        const auto withTable = [&](const std::string& table) {
            const std::string spec = std::string("\x12") + static_cast<char>(table.size()) + table;
            return piece + "\x1a" + static_cast<char>(spec.size()) + spec;
        };
        checkSentencePieceModel(piece, file);
        const std::string outside(
            "\x04\0\0\0"
            "\0\x04\0\0"
            "x\0",
            10);
        QVERIFY(lineOf([&] { checkSentencePieceModel(withTable(outside), file); }).contains("table of normal forms"));
        const std::string tooLong(
            "\xff\xff\xff\x7f"
            "abcd"
            "x\0",
            10);
        QVERIFY(lineOf([&] { checkSentencePieceModel(withTable(tooLong), file); }).contains("table of normal forms"));
        const std::string zero(
            "\x0a\x04\x0a\x02"
            "a\0",
            6);
        QVERIFY(lineOf([&] { checkSentencePieceModel(zero, file); }).contains("zero in it"));
    }

    void expressionsThatExplodeComeToAnEnd() {
        ModelFolder folder;
        json whole = smallTokenizerJson();
        whole["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", "(a|a|aa)+$"}}}, {"behavior", "Isolated"}};
        folder.writeJson("tokenizer.json", whole);
        const auto tokenizer = folder.open().source;
        // Refused behind a number of steps: without it each letter more would double the time.
        const auto refused = [&](size_t letters) {
            return fixture::secondsFor([&] {
                const QString refusal = lineOf([&] { tokenizer->encode(std::string(letters, 'a') + 'b'); });
                QVERIFY2(refusal.contains("comes to no end"), qPrintable(refusal));
            });
        };
        const double few = refused(50), more = refused(60);
        QVERIFY2(more < 20 * few, qPrintable(QStringLiteral("%1 s, not %2 s").arg(more).arg(few)));
    }

    void normalizersThatSwellATextAreStopped() {
        ModelFolder folder;
        json whole = smallTokenizerJson();
        json doubling = json::array();
        for (int i = 0; i < 40; ++i)
            doubling.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}});
        whole["normalizer"] = {{"type", "Sequence"}, {"normalizers", doubling}};
        folder.writeJson("tokenizer.json", whole);
        const auto tokenizer = folder.open().source;
        QVERIFY(lineOf([&] { tokenizer->encode("a"); }).contains("swell"));
    }

    void partsThatSwellATextAreStopped_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("each");
        const char* const replacing = R"({"type": "Replace", "pattern": {"Regex": "[^b]"}, "content": "abbbbbba"})";
        QTest::newRow("normalizers") << "normalizer"
                                     << "normalizers" << replacing;
        QTest::newRow("pre-tokenizers")  // of a byte that has no character of its own it makes two
            << "pre_tokenizer"
            << "pretokenizers"
            << R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})";
        QTest::newRow("decoders") << "decoder"
                                  << "decoders" << replacing;
    }
    void partsThatSwellATextAreStopped() {
        QFETCH(QString, part);
        QFETCH(QString, key);
        QFETCH(QString, each);
        const json sequenceOf = [&](int count, const json& inner) {
            json list = json::array();
            for (int i = 0; i < count; ++i)
                list.push_back(inner);
            return json{{"type", "Sequence"}, {key.toStdString(), list}};
        }(5, json::parse(each.toStdString()));
        json nested = sequenceOf;
        for (int depth = 0; depth < 2; ++depth)
            nested = {{"type", "Sequence"}, {key.toStdString(), json::array({nested, nested})}};
        ModelFolder folder;
        json whole = smallTokenizerJson();
        whole[part.toStdString()] = nested;
        folder.writeJson("tokenizer.json", whole);
        const auto tokenizer = folder.open().source;
        const QString refusal = lineOf([&] {
            tokenizer->encode("a a");
            tokenizer->decode({0, 1, 2, 3});
        });
        QVERIFY2(refusal.contains("swell"), qPrintable(refusal));
    }

    void sequencesOfSequencesAreCountedTogether() {
        ModelFolder folder;
        json whole = smallTokenizerJson();
        json list = json::array();
        for (int i = 0; i < 9; ++i)
            list.push_back({{"type", "NFC"}});
        json outer = json::array();
        for (int i = 0; i < 9; ++i)
            outer.push_back({{"type", "Sequence"}, {"normalizers", list}});
        whole["normalizer"] = {{"type", "Sequence"}, {"normalizers", outer}};
        folder.writeJson("tokenizer.json", whole);
        QVERIFY2(folder.refusal().contains("no list of a few"), qPrintable(folder.refusal()));
    }

    void textsThatAreUsedAgainAndAgainAreShort_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("value");
        const QString longText(1000, 'x');
        const auto row = [&](const char* part, const char* value) {
            QTest::addRow("%s: %s", part, value) << part << QString(value).arg(longText);
        };
        row("normalizer", R"({"type": "Prepend", "prepend": "%1"})");
        row("normalizer", R"({"type": "Replace", "pattern": {"String": "a"}, "content": "%1"})");
        row("normalizer", R"({"type": "Replace", "pattern": {"String": "%1"}, "content": ""})");
        row("pre_tokenizer", R"({"type": "Metaspace", "replacement": "%1"})");
        row("decoder", R"({"type": "WordPiece", "prefix": "%1"})");
        row("decoder", R"({"type": "Strip", "content": "%1"})");
        row("decoder", R"({"type": "BPEDecoder", "suffix": "%1"})");
        row("decoder", R"({"type": "Metaspace", "replacement": "%1"})");
    }
    void textsThatAreUsedAgainAndAgainAreShort() {
        QFETCH(QString, part);
        QFETCH(QString, value);
        ModelFolder folder;
        json whole = smallTokenizerJson();
        whole[part.toStdString()] = json::parse(value.toStdString());
        folder.writeJson("tokenizer.json", whole);
        QVERIFY2(folder.refusal().contains("longer than 32 bytes"), qPrintable(folder.refusal()));
    }

    void aVocabularyTakesAFewThousandTokensMore() {
        ModelFolder folder;
        folder.writeJson("vocab.json", smallBpe());
        folder.write("merges.txt", smallMerges);
        const auto refused = [&](int tokens) {
            json added;
            for (int i = 0; i < tokens; ++i)
                added[std::to_string(i)] = i + 6;
            folder.writeJson("added_tokens.json", added);
            QString refusal;
            const double seconds = fixture::secondsFor([&] { refusal = folder.refusal(); });
            const bool isSaid = refusal.contains(QStringLiteral("adds %1 tokens").arg(tokens));
            return isSaid ? seconds : -1;
        };
        const double few = refused(25000), many = refused(250000);
        QVERIFY(few > 0 && many > 0);
        QVERIFY2(many < 40 * few, qPrintable(QStringLiteral("%1 s, not %2 s").arg(many).arg(few)));
        fs::remove(folder.path() / "added_tokens.json");
        json decoder;
        for (int i = 0; i < 20000; ++i)
            decoder[std::to_string(i + 6)] = {{"content", std::to_string(i)}};
        folder.writeJson("tokenizer_config.json", {{"added_tokens_decoder", decoder}});
        QVERIFY2(folder.refusal().contains("adds 20000 tokens"), qPrintable(folder.refusal()));
    }

    void mergesWithoutNumberAreRefused() {
        ModelFolder folder;
        folder.writeJson("vocab.json", smallBpe());
        std::string merges;
        for (int i = 0; i < (1 << 21) + 1; ++i)
            merges += "a b\n";
        folder.write("merges.txt", merges);
        QVERIFY2(folder.refusal().contains("merges: it is damaged"), qPrintable(folder.refusal()));
    }

    void longTextsTakeTimeInProportion() {
        const auto tokenizer = openTokenizers(platform::Folder(tokenizerFilesGolden / "gpt2"), {}).source;
        for (const char* unit : {"a", " ", "ab", "\n", "\xff"}) {
            const auto thereAndBack = [&](size_t bytes) {
                std::string text;
                while (text.size() < bytes)
                    text += unit;
                return fixture::secondsFor([&] { QVERIFY(tokenizer->decode(tokenizer->encode(text)) == text); });
            };
            thereAndBack(1000000);  // the first time is longer
            const double quarter = thereAndBack(250000), whole = thereAndBack(1000000);
            // Sixteen times as long if it grew with the square; more than four times, as less of it fits the caches.
            QVERIFY2(whole < 12 * quarter, qPrintable(QStringLiteral("%1 s, not %2 s").arg(whole).arg(quarter)));
        }
    }

    void savedTokenizersThatWereTamperedWithAreRefused() {
        const auto gpt2 = openTokenizers(platform::Folder(tokenizerFilesGolden / "gpt2"), {}).source->toJson();
        const auto t5 =
            openTokenizers(platform::Folder(tokenizerFilesGolden / "t5"), {.modelType = "t5"}).source->toJson();
        const auto with = [](json value, const char* key, const json& part) {
            value[key] = part;
            return lineOf([&] { tokenizerFromJson(value); });
        };
        QVERIFY(with(gpt2, "size", -1).contains("damaged"));
        QVERIFY(with(gpt2, "size", 2000000000).contains("damaged"));
        QVERIFY(with(gpt2, "specials", {{"eos", 99999999}}).contains("eos"));
        QVERIFY(with(gpt2, "tokenizer", 5).contains("no model"));
        QVERIFY(with(t5, "model", "!!!!").contains("base64"));
        QVERIFY(with(t5, "model", 5).contains("not a tokenizer's"));
        QVERIFY(with(t5, "size", 2000000000).contains("damaged"));
        QVERIFY(with(t5, "after", {5000}).contains("does not have"));
        QVERIFY(with(t5, "added", {{{"id", 3}, {"content", "zz"}}}).contains("twice"));
    }
};

void TestTokenizerFiles::damagedVocabulariesAreRefusedWithFileAndFault_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("fault");
    auto row = [number = 0](const char* file, const QByteArray& text, const char* fault) mutable {
        QTest::addRow("%d. %s: %s", ++number, file, fault) << file << text << fault;
    };
    row("vocab.json", "{", "is not JSON");
    row("vocab.json", "\xff", "is not JSON");
    row("vocab.json", "[]", "no vocabulary");
    row("vocab.json", "{}", "no vocabulary");
    row("vocab.json", R"({"a":0,"b":0})", "the id 0 twice");
    row("vocab.json", R"({"a":0,"a":1})", "the key 'a' twice");
    row("vocab.json", R"({"a":0,"b":1,"ab":2,"Ġ":3,"Ġab":9})", "ids must have no holes");
    row("vocab.json", R"({"a":1000000000000})", "ids are whole numbers");
    row("vocab.json", R"({"a":-1})", "ids are whole numbers");
    row("vocab.json", R"({"a":0.5})", "ids are whole numbers");
    row("vocab.json", R"({"a":"0"})", "ids are whole numbers");
    row("vocab.json", QByteArray(100000, '['), "nested deeper");
    row("vocab.json", "{\"" + QByteArray(5000, 'x') + "\":0}", "5000 bytes");
    row("merges.txt", "#version: 0.2\na b\na q\n", "merge 2 names 'q'");
    row("merges.txt", "a b\nb a\n", "merge 2 names 'ba'");
    row("merges.txt", "a b c\n", "line 1 is not a merge");
    row("merges.txt", "a b\n a\n", "line 2 is not a merge");
    row("merges.txt", "a b\n\xff b\n", "line 2 is not a merge");
    row("vocab.txt", "", "is empty");
    row("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\na\n", "line 5 has the token 'a' of line 4 again");
    row("vocab.txt", "[UNK]\n\xff\n", "line 2 is not valid UTF-8");
    row("vocab.txt", "a\nb\n", "lacks [CLS]");
    row("added_tokens.json", "[]", "no JSON object");
    row("added_tokens.json", R"({"x":-3})", "id");
    row("tokenizer_config.json", R"({"added_tokens_decoder":{"x":{}}})", "does not map ids");
    row("special_tokens_map.json", "nul", "is not JSON");
}

QTEST_APPLESS_MAIN(TestTokenizerFiles)
#include "test_tokenizer_files.moc"
