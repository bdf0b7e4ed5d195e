// SPDX-License-Identifier: GPL-3.0-or-later
// Models out of GGUF files: of each kind a golden folder, converted as llama.cpp does it, computes what the folder
// computes; tokenizers cut as the files do that they were made of; and what is missing or not computed is said.
#include <cmath>
#include <filesystem>
#include <functional>

#include <QtTest/QtTest>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/import/file_kind.h"
#include "core/import/import_model.h"
#include "core/models/language_model.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/sentencepiece_check.h"
#include "tests/gguf_folder.h"

using namespace headlight;
using fixture::GgufConversion;
using fixture::GgufType;
using fixture::GgufWriter;
namespace fs = std::filesystem;

namespace {

const fs::path ggufGoldens = HEADLIGHT_SOURCE_DIR "/tests/golden";

/// A golden folder, and what of its configuration no key of GGUF says.
struct GoldenKind {
    const char* folder;
    nlohmann::json changed = nlohmann::json::object();
};

const std::vector<GoldenKind>& goldenKinds() {
    static const std::vector<GoldenKind> all{
        {"llama"},
        {"llama_scaled"},
        {"llama_linear"},
        {"llama_settings", {{"hidden_act", "silu"}}},
        {"mistral"},
        {"qwen2", {{"use_sliding_window", false}}},
        {"qwen3"},
        {"phi3"},
        {"gemma"},
        {"gemma2", {{"query_pre_attn_scalar", 8}}},
        {"gemma3", {{"query_pre_attn_scalar", 6}}},
        {"gemma3_newer", {{"query_pre_attn_scalar", 6}}},
        {"gpt2"},
        {"gpt2_by_layer", {{"scale_attn_by_inverse_layer_idx", false}}},
        {"gpt_neox"},
        {"gpt_neox_settings", {{"hidden_act", "gelu"}}},
        {"phi"},
        {"phi_one_head"},
    };
    return all;
}

using Tensors = std::map<std::string, GgufConversion::Values>;

nlohmann::json configOf(const GoldenKind& kind) {
    nlohmann::json config = fixture::configIn(ggufGoldens / "foreign" / kind.folder);
    config.update(kind.changed);
    return config;
}

/// The numbers as a file of that type has them.
Tensors rounded(Tensors tensors, GgufType type) {
    for (auto& [name, values] : tensors) {
        if (!GgufConversion::isEncoded(values.shape, type)) continue;
        if (type == GgufType::F16) safetensors::roundTo(safetensors::DType::F16, values.numbers, name);
        if (type != GgufType::Q8_0) continue;
        for (size_t first = 0; first < values.numbers.size(); first += 32) {
            const std::span<float> block = std::span(values.numbers).subspan(first, 32);
            const std::vector<char> bytes = GgufWriter::blockOf(block);
            uint16_t half = 0;
            std::memcpy(&half, bytes.data(), sizeof half);
            float scale = 0;
            floatsFromHalf(1, &half, &scale);
            for (size_t i = 0; i < block.size(); ++i)
                block[i] = static_cast<float>(static_cast<signed char>(bytes[2 + i])) * scale;
        }
    }
    return tensors;
}

void writeFolder(const fs::path& folder, const nlohmann::json& config, const Tensors& tensors) {
    fs::create_directories(folder);
    std::ofstream(folder / "config.json") << config;
    safetensors::Writer writer;
    for (const auto& [name, values] : tensors)
        writer.add(name, values.shape, std::span<const float>(values.numbers));
    writer.write((folder / "model.safetensors").string());
}

std::vector<float> flatOf(const TrainedModel& model) {
    const auto flat = std::as_const(*model.network).parameters().flat();
    return {flat.begin(), flat.end()};
}

std::vector<float> logitsOf(const TrainedModel& model) {
    return traceSentence(model, "5 9 11 4 7 30 2 8 8 13").at("logits").values;
}

std::string refusalOf(const fs::path& path) {
    try {
        openModel(path.string());
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

GgufWriter converted(const GoldenKind& kind, GgufType type = GgufType::F32) {
    return GgufConversion(configOf(kind), fixture::tensorsIn(ggufGoldens / "foreign" / kind.folder)).file(type);
}

using Change = std::function<void(GgufWriter&)>;

/// The 10,000 difficult lines, of which some are enough.
std::vector<std::string> someLines() {
    QFile file(QString::fromStdString((ggufGoldens / "tokenizers/lines.qz").string()));
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

std::vector<std::string> linesOf(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// A model with a vocabulary of that size and no other use, as words go by their embeddings alone.
GgufWriter smallModel(const char* architecture, size_t words) {
    GgufWriter writer;
    const std::string prefix = std::string(architecture) + ".";
    writer.set("general.architecture", architecture);
    for (const char* key : {"block_count", "attention.head_count"})
        writer.set(prefix + key, 1);
    for (const char* key : {"context_length", "embedding_length", "feed_forward_length"})
        writer.set(prefix + key, 8);
    const std::vector<float> ones(8 * std::max<size_t>(words, 24), 0.5F);
    const auto add = [&](const std::string& name, const std::vector<int64_t>& shape) {
        size_t count = 1;
        for (const int64_t dim : shape)
            count *= static_cast<size_t>(dim);
        writer.tensor(name, shape, GgufType::F32, std::span(ones).first(count));
    };
    add("token_embd.weight", {static_cast<int64_t>(words), 8});
    add("output_norm.weight", {8});
    const bool isGpt2 = std::string(architecture) == "gpt2";
    writer.set(prefix + (isGpt2 ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon"), 1e-5);
    if (!isGpt2) {
        for (const char* part : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"})
            add(std::string("blk.0.") + part + ".weight", {8, 8});
        for (const char* part : {"attn_q", "attn_k", "attn_v"})
            if (std::string(architecture) == "qwen2") add(std::string("blk.0.") + part + ".bias", {8});
        for (const char* part : {"attn_norm", "ffn_norm"})
            add(std::string("blk.0.") + part + ".weight", {8});
        return writer;
    }
    add("output_norm.bias", {8}), add("position_embd.weight", {8, 8});
    add("blk.0.attn_qkv.weight", {24, 8}), add("blk.0.attn_qkv.bias", {24});
    for (const char* part : {"attn_output", "ffn_up", "ffn_down"})
        add(std::string("blk.0.") + part + ".weight", {8, 8}), add(std::string("blk.0.") + part + ".bias", {8});
    for (const char* part : {"attn_norm", "ffn_norm"})
        add(std::string("blk.0.") + part + ".weight", {8}), add(std::string("blk.0.") + part + ".bias", {8});
    return writer;
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
    for (const std::string& line : linesOf(folder / "merges.txt"))
        if (!line.starts_with("#version") && !line.empty()) json["model"]["merges"].push_back(line);
    const int end = json["model"]["vocab"].at("<|endoftext|>");
    json["added_tokens"] = {{{"content", "<|endoftext|>"}, {"id", end}, {"special", true}}};
    return json;
}

nlohmann::json jsonOf(const fs::path& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

void compareIds(const Tokenizer& found, const Tokenizer& wanted) {
    QCOMPARE(found.vocabulary().size(), wanted.vocabulary().size());
    for (const std::string& line : someLines()) {
        if (found.encode(line) != wanted.encode(line)) QFAIL(qPrintable(QString::fromStdString(line)));
        if (found.encodeInput(line).ids != wanted.encodeInput(line).ids) QFAIL("what stands around a text");
    }
}

}  // namespace

Q_DECLARE_METATYPE(Change)

class TestImportGguf : public QObject {
    Q_OBJECT

private slots:
    void everyKindComputesWhatItsFolderDoes_data();
    void everyKindComputesWhatItsFolderDoes();
    void savedAsOursItIsTheSame();
    void aFolderWithOneFileOpensIt();
    void mapsThatAreFusedAreTakenApart();
    void whatIsMissingOrNotComputedIsSaid_data();
    void whatIsMissingOrNotComputedIsSaid();
    void aWeightThatIsNoNumberIsRefused();
    void byteLevelTokensAreThoseOfTheirOwnFiles_data();
    void byteLevelTokensAreThoseOfTheirOwnFiles();
    void everyKnownWayToSplitIsTaken();
    void sentencePiecesAreThoseOfTheirOwnFile();
    void tokensOfAllTypes();
    void tokenizersThatAreNotReadAreNamed_data();
    void tokenizersThatAreNotReadAreNamed();
};

void TestImportGguf::everyKindComputesWhatItsFolderDoes_data() {
    QTest::addColumn<size_t>("which");
    QTest::addColumn<GgufType>("type");
    for (size_t i = 0; i < goldenKinds().size(); ++i)
        for (const auto& [name, type] :
             {std::pair("F32", GgufType::F32), std::pair("F16", GgufType::F16), std::pair("Q8_0", GgufType::Q8_0)})
            QTest::addRow("%s, %s", goldenKinds()[i].folder, name) << i << type;
}

void TestImportGguf::everyKindComputesWhatItsFolderDoes() {
    QFETCH(size_t, which);
    QFETCH(GgufType, type);
    const GoldenKind& kind = goldenKinds()[which];
    const Tensors tensors = fixture::tensorsIn(ggufGoldens / "foreign" / kind.folder);
    QTemporaryDir temporary;
    const fs::path folder = temporary.filePath("folder").toStdString(),
                   file = temporary.filePath("a.gguf").toStdString();
    // GPT-2's rows are turned, so that its halves are rounded before; its rows come to no blocks.
    writeFolder(folder, configOf(kind), rounded(tensors, type));
    GgufConversion(configOf(kind), tensors).file(type).write(file.string());
    const TrainedModel wanted = openModel(folder.string()), found = openModel(file.string());
    QCOMPARE(kindOfFile(file.string()), FileKind::Model);
    QCOMPARE(found.network->config().architecture, wanted.network->config().architecture);
    QCOMPARE(logitsOf(found), logitsOf(wanted));
    // Norms of Gemma's lose what 1 + w does not show; the engine computes with that.
    const std::vector<float> weights = flatOf(found), theirs = flatOf(wanted);
    QCOMPARE(weights.size(), theirs.size());
    for (size_t i = 0; i < weights.size(); ++i)
        if (std::abs(weights[i] - theirs[i]) > 1e-6F) QFAIL("a weight is another");
    const ModelCard card = readCardOf(file.string());
    QVERIFY(card.config == found.network->config());
    // How its numbers were saved, and where it came from.
    const bool encodes = type == GgufType::Q8_0 && found.training.savedAs() != "F32";
    QCOMPARE(found.training.savedAs().find(type == GgufType::F16 ? "F16"
                                           : encodes             ? "Q8_0"
                                                                 : "F32") != std::string::npos,
             true);
    const nlohmann::json imported = found.training.json().at("imported");
    QCOMPARE(imported.at("from").get<std::string>(), std::string("a"));
    QCOMPARE(imported.contains("quantized"), encodes);
}

void TestImportGguf::savedAsOursItIsTheSame() {
    QTemporaryDir temporary;
    const std::string file = temporary.filePath("a.gguf").toStdString(),
                      saved = temporary.filePath("a.safetensors").toStdString();
    converted({"llama"}, GgufType::Q8_0).write(file);
    const TrainedModel model = openModel(file);
    saveModel(model, saved);
    const TrainedModel again = openModel(saved);
    QVERIFY(again.network->config() == model.network->config());
    QCOMPARE(flatOf(again), flatOf(model));
    QCOMPARE(again.training.savedAs(), std::string("F32"));
    QCOMPARE(again.training.json().at("imported").at("quantized").get<std::string>(), std::string("F32, Q8_0"));
}

void TestImportGguf::aFolderWithOneFileOpensIt() {
    QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    QVERIFY(!isModelFolder(folder.string()));
    converted({"qwen3"}).write((folder / "one.gguf").string());
    QVERIFY(isModelFolder(folder.string()));
    QCOMPARE(openModel(folder.string()).network->config().numHeads, 3);
    QCOMPARE(readCardOf(folder.string()).config.numHeads, 3);
    // What Ollama stores has no ending.
    fs::copy_file(folder / "one.gguf", folder / "sha256-0123");
    QCOMPARE(kindOfFile((folder / "sha256-0123").string()), FileKind::Model);
    QCOMPARE(openModel((folder / "sha256-0123").string()).network->config().numHeads, 3);
    converted({"llama"}).write((folder / "Two.GGUF").string());
    const std::string refusal = refusalOf(folder);
    QVERIFY2(refusal.find("has several models, Two.GGUF") != std::string::npos, refusal.c_str());
    QVERIFY(refusalOf(folder / "three.gguf").find("three.gguf") != std::string::npos);
    QVERIFY(refusalOf("three.gguf").find("download") == std::string::npos);  // it is no model's name
}

void TestImportGguf::mapsThatAreFusedAreTakenApart() {
    QTemporaryDir temporary;
    const std::string apart = temporary.filePath("apart.gguf").toStdString(),
                      fused = temporary.filePath("fused.gguf").toStdString();
    for (const char* architecture : {"llama", "qwen2"}) {
        GgufWriter one = smallModel(architecture, 16), other = smallModel(architecture, 16);
        std::vector<float> numbers(24 * 8);
        for (size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = std::sin(static_cast<float>(i));
        for (size_t i = 0; i < 3; ++i)
            one.replace(std::string("blk.0.attn_") + "qkv"[i] + ".weight", {8, 8},
                        std::span(numbers).subspan(i * 64, 64));
        other.replace("blk.0.attn_q.weight", {}, {}), other.replace("blk.0.attn_k.weight", {}, {});
        other.replace("blk.0.attn_v.weight", {}, {});
        other.tensor("blk.0.attn_qkv.weight", {24, 8}, GgufType::F32, std::span<const float>(numbers));
        one.write(apart), other.write(fused);
        QCOMPARE(flatOf(openModel(fused)), flatOf(openModel(apart)));
    }
}

void TestImportGguf::whatIsMissingOrNotComputedIsSaid_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* folder, const Change& change, const char* what) {
        QTest::newRow(name) << QString(folder) << change << QString(what);
    };
    for (const char* key :
         {"llama.block_count", "llama.embedding_length", "llama.attention.head_count", "llama.feed_forward_length",
          "llama.context_length", "llama.attention.layer_norm_rms_epsilon"})
        QTest::addRow("without %s", key) << QString("llama") << Change([=](GgufWriter& file) { file.drop(key); })
                                         << QString("it lacks the key ") + key;
    row(
        "no architecture", "llama", [](GgufWriter& file) { file.drop("general.architecture"); },
        "it lacks the key general.architecture");
    row(
        "another architecture", "llama",
        [](GgufWriter& file) { file.drop("general.architecture"), file.set("general.architecture", "rwkv6"); },
        "general.architecture is \"rwkv6\", and Headlight reads of GGUF files llama, qwen2, qwen3");
    row(
        "an adapter", "llama", [](GgufWriter& file) { file.drop("general.type"), file.set("general.type", "adapter"); },
        "general.type is \"adapter\"");
    row(
        "a part", "llama", [](GgufWriter& file) { file.set("split.count", 3); }, "one part of 3");
    row(
        "experts", "llama", [](GgufWriter& file) { file.set("llama.expert_count", 8); }, "llama.expert_count is 8");
    row(
        "other scores", "llama", [](GgufWriter& file) { file.set("llama.attention.scale", 0.1); },
        "llama.attention.scale is 0.1");
    row(
        "both ways", "llama", [](GgufWriter& file) { file.set("llama.attention.causal", false); },
        "llama.attention.causal is false");
    row(
        "a size of none", "llama",
        [](GgufWriter& file) { file.drop("llama.block_count"), file.set("llama.block_count", 0); },
        "llama.block_count is 0");
    row(
        "a size that is a text", "llama",
        [](GgufWriter& file) { file.drop("llama.block_count"), file.set("llama.block_count", "two"); },
        "the key llama.block_count is not a whole number");
    row(
        "layers of several sizes", "llama",
        [](GgufWriter& file) {
            file.drop("llama.attention.head_count"), file.set("llama.attention.head_count", std::vector<int32_t>{4, 2});
        },
        "llama.attention.head_count gives layers different sizes");
    row(
        "a trillion layers", "llama",
        [](GgufWriter& file) { file.drop("llama.block_count"), file.set("llama.block_count", 1 << 30); }, "layers");
    row(
        "a wider model than its tensors", "llama",
        [](GgufWriter& file) {
            file.drop("llama.feed_forward_length"), file.set("llama.feed_forward_length", 1 << 20);
        },
        "do not belong together");
    row(
        "keys and values of two widths", "mistral",
        [](GgufWriter& file) {
            file.drop("llama.attention.value_length"), file.set("llama.attention.value_length", 4);
        },
        "llama.attention.value_length differ");
    row(
        "a part of a llama's head", "llama",
        [](GgufWriter& file) { file.drop("llama.rope.dimension_count"), file.set("llama.rope.dimension_count", 4); },
        "llama.rope.dimension_count turns a part");
    row(
        "more than a head", "phi",
        [](GgufWriter& file) { file.drop("phi2.rope.dimension_count"), file.set("phi2.rope.dimension_count", 400); },
        "phi2.rope.dimension_count is 400");
    row(
        "yarn", "llama", [](GgufWriter& file) { file.set("llama.rope.scaling.type", "yarn"); },
        "llama.rope.scaling.type is \"yarn\"");
    const std::vector<float> odd{1, 3, 2, 5};
    row(
        "longrope", "phi3",
        [=](GgufWriter& file) {
            file.tensor("rope_factors_long.weight", {4}, GgufType::F32, std::span<const float>(odd));
        },
        "longrope");
    row(
        "other divisors than Llama 3's", "llama",
        [=](GgufWriter& file) { file.tensor("rope_freqs.weight", {4}, GgufType::F32, std::span<const float>(odd)); },
        "\"rope_freqs.weight\" divides frequencies otherwise");
    row(
        "a tensor without a place", "llama",
        [=](GgufWriter& file) { file.tensor("blk.0.odd.weight", {4}, GgufType::F32, std::span<const float>(odd)); },
        "\"blk.0.odd.weight\" has no place");
    row(
        "a tensor under Hugging Face's name", "llama",
        [=](GgufWriter& file) { file.tensor("model.norm.weight", {4}, GgufType::F32, std::span<const float>(odd)); },
        "\"model.norm.weight\" has no place");
    row(
        "a tensor that is missing", "llama", [](GgufWriter& file) { file.replace("blk.1.attn_v.weight", {}, {}); },
        "lacks the tensor \"layers.1.self_attn.v_proj.weight\"");
    row(
        "no embeddings", "llama", [](GgufWriter& file) { file.replace("token_embd.weight", {}, {}); },
        "no tensor named \"token_embd.weight\"");
    row(
        "a pattern for other layers", "gemma3",
        [](GgufWriter& file) {
            file.drop("gemma3.attention.sliding_window_pattern"),
                file.set("gemma3.attention.sliding_window_pattern", std::vector<int32_t>{1, 0});
        },
        "sliding_window_pattern lists 2 layers, and there are 4");
}

void TestImportGguf::whatIsMissingOrNotComputedIsSaid() {
    QFETCH(QString, folder);
    QFETCH(Change, change);
    QFETCH(QString, what);
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("stranger.gguf").toStdString();
    GgufWriter file = converted({folder.toStdString().c_str()});
    change(file);
    file.write(path);
    const std::string refusal = refusalOf(path);
    QVERIFY2(refusal.starts_with(path) && refusal.find('\n') == std::string::npos, refusal.c_str());
    QVERIFY2(refusal.find(what.toStdString()) != std::string::npos, refusal.c_str());
}

void TestImportGguf::aWeightThatIsNoNumberIsRefused() {
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("stranger.gguf").toStdString();
    GgufWriter file = converted({"llama"});
    std::vector<float> norm(32, 1);
    norm[7] = std::numeric_limits<float>::quiet_NaN();
    file.replace("blk.1.ffn_norm.weight", {32}, norm);
    file.write(path);
    QVERIFY(refusalOf(path).find("\"blk.1.ffn_norm.weight\" has a weight that is not a number") != std::string::npos);
}

void TestImportGguf::byteLevelTokensAreThoseOfTheirOwnFiles_data() {
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

void TestImportGguf::byteLevelTokensAreThoseOfTheirOwnFiles() {
    QFETCH(QString, folder);
    QFETCH(QString, pre);
    QFETCH(QString, architecture);
    const fs::path golden = ggufGoldens / "tokenizers" / folder.toStdString();
    const bool isJson = fs::exists(golden / "tokenizer.json");
    const JsonVocabulary vocabulary(isJson ? jsonOf(golden / "tokenizer.json") : gpt2Json(golden));
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

void TestImportGguf::everyKnownWayToSplitIsTaken() {
    const JsonVocabulary vocabulary(gpt2Json(ggufGoldens / "tokenizers/gpt2"));
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

void TestImportGguf::sentencePiecesAreThoseOfTheirOwnFile() {
    const fs::path golden = ggufGoldens / "tokenizers/llama";
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

void TestImportGguf::tokensOfAllTypes() {
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

void TestImportGguf::tokenizersThatAreNotReadAreNamed_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const Change& change, const char* what) {
        QTest::newRow(name) << change << QString(what);
    };
    const std::vector<std::string> tokens{"<unk>", "<s>", "</s>", "a"};
    const auto with = [=](const char* model, const Change& more) {
        return Change([=](GgufWriter& file) {
            file.set("tokenizer.ggml.model", model);
            file.set("tokenizer.ggml.tokens", tokens);
            more(file);
        });
    };
    const auto scores = [](GgufWriter& file) { file.set("tokenizer.ggml.scores", std::vector<float>{0, 0, 0, -1}); };
    for (const char* kind : {"bert", "t5", "rwkv"})
        QTest::newRow(kind) << with(kind, [](GgufWriter&) {})
                            << QString("its tokenizer is of the kind \"%1\"").arg(kind);
    row(
        "no tokens", [](GgufWriter& file) { file.set("tokenizer.ggml.model", "llama"); },
        "tokenizer.ggml.tokens lists no tokens");
    row("no scores", with("llama", [](GgufWriter&) {}), "it lacks the key tokenizer.ggml.scores");
    row("too few scores",
        with("llama", [](GgufWriter& file) { file.set("tokenizer.ggml.scores", std::vector<float>{0}); }),
        "tokenizer.ggml.scores is for 1 tokens");
    row("too few types",
        with("llama", [](GgufWriter& file) { file.set("tokenizer.ggml.token_type", std::vector<int32_t>{1}); }),
        "tokenizer.ggml.token_type is for 1 tokens");
    row("a type that there is not",
        with("llama",
             [](GgufWriter& file) {
                 file.set("tokenizer.ggml.token_type", std::vector<int32_t>{2, 3, 3, 9});
             }),
        "token 3 is of the type 9");
    row("an end that no token is",
        with("llama", [=](GgufWriter& file) { scores(file), file.set("tokenizer.ggml.eos_token_id", 40); }), "40");
    row("an unknown token twice",
        with("llama",
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
    row("no merges", with("gpt2", [](GgufWriter& file) { file.set("tokenizer.ggml.pre", "gpt-2"); }),
        "tokenizer.ggml.merges lists no merges");
    row("a merge of one token",
        with("gpt2",
             [](GgufWriter& file) {
                 file.set("tokenizer.ggml.pre", "gpt-2");
                 file.set("tokenizer.ggml.merges", std::vector<std::string>{"ab"});
             }),
        "merge 1 of tokenizer.ggml.merges is not two tokens");
    row("a merge of nothing known",
        with("gpt2",
             [](GgufWriter& file) {
                 file.set("tokenizer.ggml.pre", "gpt-2");
                 file.set("tokenizer.ggml.merges", std::vector<std::string>{"a q"});
             }),
        "which the vocabulary does not have");
    row("no way to split", with("gpt2", [](GgufWriter&) {}), "does not say how its tokenizer splits a text");
    row("an unknown way to split", with("gpt2", [](GgufWriter& file) { file.set("tokenizer.ggml.pre", "superbpe"); }),
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

void TestImportGguf::tokenizersThatAreNotReadAreNamed() {
    QFETCH(Change, change);
    QFETCH(QString, what);
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("stranger.gguf").toStdString();
    GgufWriter file = smallModel("llama", 8);
    change(file);
    file.write(path);
    const std::string refusal = refusalOf(path);
    QVERIFY2(refusal.starts_with(path) && refusal.find('\n') == std::string::npos, refusal.c_str());
    QVERIFY2(refusal.find(what.toStdString()) != std::string::npos, refusal.c_str());
}

QTEST_APPLESS_MAIN(TestImportGguf)
#include "test_import_gguf.moc"
