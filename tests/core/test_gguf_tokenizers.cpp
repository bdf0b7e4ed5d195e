// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizers out of the keys of GGUF files cut as the files do that they were made of, and what is not read is named.
#include <filesystem>
#include <fstream>
#include <functional>

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/import/import_model.h"
#include "core/models/language_model.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/sentencepiece_check.h"
#include "tests/gguf_file.h"

using namespace headlight;
using fixture::GgufWriter;
using fixture::smallModel;
namespace fs = std::filesystem;

namespace {

const fs::path tokenizerGoldens = HEADLIGHT_SOURCE_DIR "/tests/golden/tokenizers";

using TokenizerChange = std::function<void(GgufWriter&)>;

/// The 10,000 difficult lines, of which some are enough.
std::vector<std::string> someDifficultLines() {
    QFile file(QString::fromStdString((tokenizerGoldens / "lines.qz").string()));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no lines.qz");
    const QByteArray bytes = qUncompress(file.readAll());
    std::vector<std::string> lines;
    size_t number = 0;
    for (qsizetype at = 0; at + 2 <= bytes.size(); ++number) {
        uint16_t length = 0;
        std::memcpy(&length, bytes.data() + at, sizeof length);
        if (number % 5 == 0) lines.push_back(bytes.mid(at + 2, length).toStdString());
        at += 2 + length;
    }
    return lines;
}

std::vector<std::string> linesOfFile(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// The tokens of a tokenizer.json by their ids, and of what types GGUF takes them to be.
struct JsonVocabulary {
    std::vector<std::string> tokens, merges;
    std::vector<int32_t> types;

    void put(const std::string& token, size_t id, int32_t type) {
        if (id >= tokens.size()) tokens.resize(id + 1), types.resize(id + 1, 5);
        tokens[id] = token, types[id] = type;
    }
    explicit JsonVocabulary(const nlohmann::json& json) {
        for (const auto& [token, id] : json["model"]["vocab"].items())
            put(token, id.get<size_t>(), 1);
        for (const auto& token : json.value("added_tokens", nlohmann::json::array()))
            put(token["content"], token["id"].get<size_t>(), token["special"].get<bool>() ? 3 : 4);
        for (const auto& merge : json["model"]["merges"])
            merges.push_back(merge.is_string() ? merge.get<std::string>()
                                               : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
    }
    void write(GgufWriter& writer, const char* model) const {
        writer.set("tokenizer.ggml.model", model);
        writer.set("tokenizer.ggml.tokens", tokens);
        writer.set("tokenizer.ggml.token_type", types);
        if (!merges.empty()) writer.set("tokenizer.ggml.merges", merges);
    }
};

/// GPT-2's two files as a tokenizer.json.
nlohmann::json gpt2Json(const fs::path& folder) {
    std::ifstream vocabulary(folder / "vocab.json");
    nlohmann::json json{{"model", {{"vocab", nlohmann::json::parse(vocabulary)}, {"merges", nlohmann::json::array()}}}};
    for (const std::string& line : linesOfFile(folder / "merges.txt"))
        if (!line.starts_with("#version") && !line.empty()) json["model"]["merges"].push_back(line);
    const int end = json["model"]["vocab"].at("<|endoftext|>");
    json["added_tokens"] = {{{"content", "<|endoftext|>"}, {"id", end}, {"special", true}}};
    return json;
}

nlohmann::json jsonOfFile(const fs::path& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

void compareIds(const Tokenizer& found, const Tokenizer& wanted) {
    QCOMPARE(found.vocabulary().size(), wanted.vocabulary().size());
    for (const std::string& line : someDifficultLines()) {
        if (found.encode(line) != wanted.encode(line)) QFAIL(qPrintable(QString::fromStdString(line)));
        if (found.encodeInput(line).ids != wanted.encodeInput(line).ids) QFAIL("what stands around a text");
    }
}

}  // namespace

Q_DECLARE_METATYPE(TokenizerChange)

class TestGgufTokenizers : public QObject {
    Q_OBJECT

private slots:
    void byteLevelTokensAreThoseOfTheirOwnFiles_data();
    void byteLevelTokensAreThoseOfTheirOwnFiles();
    void everyKnownWayToSplitIsTaken();
    void sentencePiecesAreThoseOfTheirOwnFile();
    void tokensOfAllTypes();
    void tokenizersThatAreNotReadAreNamed_data();
    void tokenizersThatAreNotReadAreNamed();
};

void TestGgufTokenizers::byteLevelTokensAreThoseOfTheirOwnFiles_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("pre");
    QTest::addColumn<QString>("architecture");
    QTest::newRow("GPT-2") << "gpt2"
                           << "gpt-2"
                           << "gpt2";
    QTest::newRow("GPT-2, an older file") << "gpt2"
                                          << ""
                                          << "gpt2";
    QTest::newRow("as Llama 3 splits") << "gpt2-json"
                                       << "llama-bpe"
                                       << "llama";
}

void TestGgufTokenizers::byteLevelTokensAreThoseOfTheirOwnFiles() {
    QFETCH(QString, folder);
    QFETCH(QString, pre);
    QFETCH(QString, architecture);
    const fs::path golden = tokenizerGoldens / folder.toStdString();
    const bool isJson = fs::exists(golden / "tokenizer.json");
    const JsonVocabulary vocabulary(isJson ? jsonOfFile(golden / "tokenizer.json") : gpt2Json(golden));
    GgufWriter writer = smallModel(architecture.toStdString().c_str(), vocabulary.tokens.size());
    vocabulary.write(writer, "gpt2");
    if (!pre.isEmpty()) writer.set("tokenizer.ggml.pre", pre.toStdString());
    writer.set("tokenizer.ggml.add_bos_token", false);
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("a.gguf").toStdString();
    writer.write(path);
    const auto wanted = openTokenizers(platform::Folder(golden), {.modelType = architecture.toStdString()}).source;
    compareIds(*openModel(path).source, *wanted);
}

void TestGgufTokenizers::everyKnownWayToSplitIsTaken() {
    const JsonVocabulary vocabulary(gpt2Json(tokenizerGoldens / "gpt2"));
    // What tells the expressions apart: runs of digits, a mark before a word, capitals in a contraction.
    std::map<std::string, std::vector<int>> ids;
    for (const char* pre : {"gpt-2", "phi-2", "mpt", "olmo", "smollm", "starcoder", "llama-bpe", "llama3", "llama-v3",
                            "smaug-bpe", "dbrx", "qwen2", "deepseek-r1-qwen", "tekken", "gpt-4o"}) {
        GgufWriter writer = smallModel("llama", vocabulary.tokens.size());
        vocabulary.write(writer, "gpt2");
        writer.set("tokenizer.ggml.pre", pre);
        const int end =
            static_cast<int>(std::ranges::find(vocabulary.tokens, "<|endoftext|>") - vocabulary.tokens.begin());
        writer.set("tokenizer.ggml.bos_token_id", end);
        QTemporaryDir temporary;
        const std::string path = temporary.filePath("a.gguf").toStdString();
        writer.write(path);
        const TrainedModel model = openModel(path);
        const std::string text = "e\u0301 12345 It'S a\n\n  .what";
        ids[pre] = model.source->encode(text);
        // Composed where the model's own tokenizer composes.
        const bool composes = std::string(pre) == "mpt" || std::string(pre) == "olmo" || std::string(pre) == "qwen2";
        QCOMPARE(model.source->decode(ids[pre]).starts_with("\u00e9"), composes);
        const bool begins = std::string(pre).starts_with("llama") || std::string(pre) == "tekken";
        QCOMPARE(model.source->encodeInput("a").ids.front() == end, begins);
    }
    QCOMPARE(ids["gpt-2"], ids["phi-2"]);
    QCOMPARE(ids["mpt"], ids["olmo"]);
    QCOMPARE(ids["smollm"], ids["starcoder"]);
    QCOMPARE(ids["llama-bpe"], ids["llama3"]);
    QVERIFY(ids["gpt-2"] != ids["smollm"]);
    QVERIFY(ids["gpt-2"] != ids["mpt"]);
    QVERIFY(ids["qwen2"] != ids["deepseek-r1-qwen"]);
}

void TestGgufTokenizers::sentencePiecesAreThoseOfTheirOwnFile() {
    const fs::path golden = tokenizerGoldens / "llama";
    const platform::Folder folder(golden);
    const SentencePieceContents contents =
        sentencePieceContents(folder.read("tokenizer.model", size_t{1} << 25), "tokenizer.model");
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<int32_t> types;
    for (const SentencePieceContents::Piece& piece : contents.pieces) {
        tokens.push_back(piece.text);
        scores.push_back(piece.score);
        const bool isByte = piece.text.size() == 6 && piece.text.starts_with("<0x");
        const bool isControl = piece.text == "<s>" || piece.text == "</s>" || piece.text == "<pad>";
        types.push_back(piece.text == "<unk>" ? 2 : isControl ? 3 : isByte ? 6 : 1);
    }
    const auto wanted = openTokenizers(folder, {.modelType = "llama"}).source;
    GgufWriter writer = smallModel("llama", tokens.size());
    writer.set("tokenizer.ggml.model", "llama");
    writer.set("tokenizer.ggml.tokens", tokens);
    writer.set("tokenizer.ggml.scores", scores);
    writer.set("tokenizer.ggml.token_type", types);
    writer.set("tokenizer.ggml.bos_token_id", wanted->specials().bos.value());
    writer.set("tokenizer.ggml.eos_token_id", wanted->specials().eos.value());
    writer.set("tokenizer.ggml.unknown_token_id", wanted->specials().unk.value());
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("a.gguf").toStdString();
    writer.write(path);
    const TrainedModel model = openModel(path);
    compareIds(*model.source, *wanted);
    QCOMPARE(model.network->config().bosId, wanted->specials().bos.value());
    QCOMPARE(model.network->config().eosId, wanted->specials().eos.value());
    // Saved, the tokenizer is read again without the file.
    const std::string saved = temporary.filePath("a.safetensors").toStdString();
    saveModel(model, saved);
    compareIds(*openModel(saved).source, *wanted);
}

void TestGgufTokenizers::tokensOfAllTypes() {
    GgufWriter writer = smallModel("llama", 12);
    writer.set("tokenizer.ggml.model", "llama");
    writer.set("tokenizer.ggml.tokens",
               std::vector<std::string>{"<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "ab", "x y", "[PAD9]", "<|end|>"});
    writer.set("tokenizer.ggml.scores", std::vector<float>{0, 0, 0, -9, -8, -7, -1, -2, 0, -1000, 0});
    writer.set("tokenizer.ggml.token_type", std::vector<int32_t>{2, 3, 3, 1, 1, 1, 1, 1, 4, 5, 3});
    writer.set("tokenizer.ggml.add_space_prefix", false);
    writer.set("tokenizer.ggml.add_eos_token", true);
    writer.set("tokenizer.ggml.eot_token_id", 10);
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("a.gguf").toStdString();
    writer.write(path);
    const TrainedModel model = openModel(path);
    QCOMPARE(model.source->encodeInput("ab a").ids, (std::vector<int>{1, 7, 6, 2}));
    QCOMPARE(model.source->encode("ax yb"), (std::vector<int>{4, 8, 5}));       // defined by a user, spaces and all
    QCOMPARE(model.source->encode("b<|end|>b"), (std::vector<int>{5, 10, 5}));  // found in a text
    QCOMPARE(model.source->encode("bz"), (std::vector<int>{5, 0}));             // unknown
    QCOMPARE(model.source->vocabulary().size(), 12);                            // as many as the model has rows
    QVERIFY(model.source->isSpecial(10) && !model.source->isSpecial(8));
    QVERIFY(model.network->config().ends(10));  // a turn ends
}

void TestGgufTokenizers::tokenizersThatAreNotReadAreNamed_data() {
    QTest::addColumn<TokenizerChange>("change");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const TokenizerChange& change, const char* what) {
        QTest::newRow(name) << change << QString(what);
    };
    const std::vector<std::string> tokens{"<unk>", "<s>", "</s>", "a"};
    const auto withTokens = [=](const char* model, const TokenizerChange& more) {
        return TokenizerChange([=](GgufWriter& file) {
            file.set("tokenizer.ggml.model", model);
            file.set("tokenizer.ggml.tokens", tokens);
            more(file);
        });
    };
    const auto scores = [](GgufWriter& file) { file.set("tokenizer.ggml.scores", std::vector<float>{0, 0, 0, -1}); };
    for (const char* kind : {"bert", "t5", "rwkv"})
        QTest::newRow(kind) << withTokens(kind, [](GgufWriter&) {})
                            << QString("its tokenizer is of the kind \"%1\"").arg(kind);
    row(
        "no tokens", [](GgufWriter& file) { file.set("tokenizer.ggml.model", "llama"); },
        "tokenizer.ggml.tokens lists no tokens");
    row("no scores", withTokens("llama", [](GgufWriter&) {}), "it lacks the key tokenizer.ggml.scores");
    row("too few scores",
        withTokens("llama", [](GgufWriter& file) { file.set("tokenizer.ggml.scores", std::vector<float>{0}); }),
        "tokenizer.ggml.scores is for 1 tokens");
    row("too few types",
        withTokens("llama", [](GgufWriter& file) { file.set("tokenizer.ggml.token_type", std::vector<int32_t>{1}); }),
        "tokenizer.ggml.token_type is for 1 tokens");
    row("a type that there is not",
        withTokens("llama",
                   [](GgufWriter& file) {
                       file.set("tokenizer.ggml.token_type", std::vector<int32_t>{2, 3, 3, 9});
                   }),
        "token 3 is of the type 9");
    row("an end that no token is",
        withTokens("llama", [=](GgufWriter& file) { scores(file), file.set("tokenizer.ggml.eos_token_id", 40); }),
        "a special token's id stands outside");
    row("an unknown token twice",
        withTokens("llama",
                   [=](GgufWriter& file) {
                       scores(file);
                       file.set("tokenizer.ggml.token_type", std::vector<int32_t>{2, 2, 3, 1});
                   }),
        "stranger.gguf");
    row(
        "not UTF-8",
        [](GgufWriter& file) {
            file.set("tokenizer.ggml.model", "llama");
            file.set("tokenizer.ggml.tokens", std::vector<std::string>{"a", "\xff"});
        },
        "token 1 of tokenizer.ggml.tokens is not UTF-8");
    row("no merges", withTokens("gpt2", [](GgufWriter& file) { file.set("tokenizer.ggml.pre", "gpt-2"); }),
        "tokenizer.ggml.merges lists no merges");
    row("a merge of one token",
        withTokens("gpt2",
                   [](GgufWriter& file) {
                       file.set("tokenizer.ggml.pre", "gpt-2");
                       file.set("tokenizer.ggml.merges", std::vector<std::string>{"ab"});
                   }),
        "merge 1 of tokenizer.ggml.merges is not two tokens");
    row("a merge of nothing known",
        withTokens("gpt2",
                   [](GgufWriter& file) {
                       file.set("tokenizer.ggml.pre", "gpt-2");
                       file.set("tokenizer.ggml.merges", std::vector<std::string>{"a q"});
                   }),
        "which the vocabulary does not have");
    row("no way to split", withTokens("gpt2", [](GgufWriter&) {}), "does not say how its tokenizer splits a text");
    row("an unknown way to split",
        withTokens("gpt2", [](GgufWriter& file) { file.set("tokenizer.ggml.pre", "superbpe"); }),
        "tokenizer.ggml.pre is \"superbpe\", and Headlight knows how texts are split as gpt-2");
    row(
        "more tokens than rows",
        [](GgufWriter& file) {
            file.set("tokenizer.ggml.model", "llama");
            file.set("tokenizer.ggml.tokens",
                     std::vector<std::string>{"<unk>", "b", "c", "d", "e", "f", "g", "h", "i"});
            file.set("tokenizer.ggml.scores", std::vector<float>(9, -1.F));
            file.set("tokenizer.ggml.token_type", std::vector<int32_t>{2, 1, 1, 1, 1, 1, 1, 1, 1});
        },
        "the tokenizer has 9 tokens, and the model's vocabulary 8");
}

void TestGgufTokenizers::tokenizersThatAreNotReadAreNamed() {
    QFETCH(TokenizerChange, change);
    QFETCH(QString, what);
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("stranger.gguf").toStdString();
    GgufWriter file = smallModel("llama", 8);
    change(file);
    file.write(path);
    std::string refusal;
    try {
        openModel(path);
    } catch (const Error& error) {
        refusal = error.what();
    }
    QVERIFY2(refusal.starts_with(path) && refusal.find('\n') == std::string::npos, refusal.c_str());
    QVERIFY2(refusal.find(what.toStdString()) != std::string::npos, refusal.c_str());
}

QTEST_APPLESS_MAIN(TestGgufTokenizers)
#include "test_gguf_tokenizers.moc"
