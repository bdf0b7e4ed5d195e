// SPDX-License-Identifier: GPL-3.0-or-later
// Models out of GGUF files: of each kind a golden folder, converted as llama.cpp does it, computes what the folder
// computes, and what is missing or not computed is said.
#include <cmath>
#include <filesystem>
#include <functional>

#include <QtTest/QtTest>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/import/file_kind.h"
#include "core/import/import_model.h"
#include "core/models/language_model.h"
#include "tests/gguf_folder.h"

using namespace headlight;
using fixture::GgufConversion;
using fixture::GgufType;
using fixture::GgufWriter;
using fixture::smallModel;
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

using GgufGoldenTensors = std::map<std::string, GgufConversion::Values>;

nlohmann::json ggufConfigOf(const GoldenKind& kind) {
    nlohmann::json config = fixture::configIn(ggufGoldens / "foreign" / kind.folder);
    config.update(kind.changed);
    return config;
}

/// The numbers as a file of that type has them.
GgufGoldenTensors roundedForGguf(GgufGoldenTensors tensors, GgufType type) {
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

void writeFolder(const fs::path& folder, const nlohmann::json& config, const GgufGoldenTensors& tensors) {
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

std::vector<float> logitsOfIds(const TrainedModel& model) {
    return traceSentence(model, "5 9 11 4 7 30 2 8 8 13").at("logits").values;
}

std::string ggufRefusal(const fs::path& path) {
    try {
        openModel(path.string());
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

GgufWriter convertedGolden(const GoldenKind& kind, GgufType type = GgufType::F32) {
    return GgufConversion(ggufConfigOf(kind), fixture::tensorsIn(ggufGoldens / "foreign" / kind.folder)).file(type);
}

using GgufChange = std::function<void(GgufWriter&)>;

}  // namespace

Q_DECLARE_METATYPE(GgufChange)

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
};

void TestImportGguf::everyKindComputesWhatItsFolderDoes_data() {
    QTest::addColumn<size_t>("which");
    QTest::addColumn<GgufType>("type");
    for (size_t i = 0; i < goldenKinds().size(); ++i)
        for (const auto& [name, type] :
             {std::pair("F32", GgufType::F32), std::pair("F16", GgufType::F16), std::pair("Q8_0", GgufType::Q8_0)})
            // Blocks of GPT-2's matrices stand the other way than its folder's.
            if (type != GgufType::Q8_0 || !std::string_view(goldenKinds()[i].folder).starts_with("gpt2"))
                QTest::addRow("%s, %s", goldenKinds()[i].folder, name) << i << type;
}

void TestImportGguf::everyKindComputesWhatItsFolderDoes() {
    QFETCH(size_t, which);
    QFETCH(GgufType, type);
    const GoldenKind& kind = goldenKinds()[which];
    const GgufGoldenTensors tensors = fixture::tensorsIn(ggufGoldens / "foreign" / kind.folder);
    QTemporaryDir temporary;
    const fs::path folder = temporary.filePath("folder").toStdString(),
                   file = temporary.filePath("a.gguf").toStdString();
    writeFolder(folder, ggufConfigOf(kind), roundedForGguf(tensors, type));
    GgufConversion(ggufConfigOf(kind), tensors).file(type).write(file.string());
    const TrainedModel wanted = openModel(folder.string()), found = openModel(file.string());
    QCOMPARE(kindOfFile(file.string()), FileKind::Model);
    QCOMPARE(found.network->config().architecture, wanted.network->config().architecture);
    QCOMPARE(logitsOfIds(found), logitsOfIds(wanted));
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
    convertedGolden({"llama"}, GgufType::Q8_0).write(file);
    const TrainedModel model = openModel(file);
    saveModel(model, saved);
    const TrainedModel again = openModel(saved);
    QVERIFY(again.network->config() == model.network->config());
    QCOMPARE(flatOf(again), flatOf(model));
    QCOMPARE(model.training.savedAs(), std::string("F32, Q8_0"));
    QCOMPARE(model.training.quantizedAs(), std::string("F32, Q8_0"));
    QCOMPARE(again.training.savedAs(), std::string("F32"));
    QCOMPARE(again.training.quantizedAs(), std::string("F32, Q8_0"));
}

void TestImportGguf::aFolderWithOneFileOpensIt() {
    QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    QVERIFY(!isModelFolder(folder.string()));
    convertedGolden({"qwen3"}).write((folder / "one.gguf").string());
    QVERIFY(isModelFolder(folder.string()));
    QCOMPARE(openModel(folder.string()).network->config().numHeads, 3);
    QCOMPARE(readCardOf(folder.string()).config.numHeads, 3);
    // What Ollama stores has no ending.
    fs::copy_file(folder / "one.gguf", folder / "sha256-0123");
    QCOMPARE(kindOfFile((folder / "sha256-0123").string()), FileKind::Model);
    QCOMPARE(openModel((folder / "sha256-0123").string()).network->config().numHeads, 3);
    convertedGolden({"llama"}).write((folder / "Two.GGUF").string());
    const std::string refusal = ggufRefusal(folder);
    QVERIFY2(refusal.find("has several models, Two.GGUF") != std::string::npos, refusal.c_str());
    QVERIFY(ggufRefusal(folder / "three.gguf").find("three.gguf") != std::string::npos);
    QVERIFY(ggufRefusal("three.gguf").find("download") == std::string::npos);  // it is no model's name
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
    QTest::addColumn<GgufChange>("change");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* folder, const GgufChange& change, const char* what) {
        QTest::newRow(name) << QString(folder) << change << QString(what);
    };
    for (const char* key :
         {"llama.block_count", "llama.embedding_length", "llama.attention.head_count", "llama.feed_forward_length",
          "llama.context_length", "llama.attention.layer_norm_rms_epsilon"})
        QTest::addRow("without %s", key) << QString("llama") << GgufChange([=](GgufWriter& file) { file.drop(key); })
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
        [](GgufWriter& file) { file.drop("llama.feed_forward_length"), file.set("llama.feed_forward_length", 128); },
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
        "a tensor that is missing", "llama", [](GgufWriter& file) { file.replace("blk.1.ffn_norm.weight", {}, {}); },
        "lacks the tensor \"layers.1.post_attention_layernorm.weight\"");
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
    QFETCH(GgufChange, change);
    QFETCH(QString, what);
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("stranger.gguf").toStdString();
    GgufWriter file = convertedGolden({folder.toStdString().c_str()});
    change(file);
    file.write(path);
    const std::string refusal = ggufRefusal(path);
    QVERIFY2(refusal.starts_with(path) && refusal.find('\n') == std::string::npos, refusal.c_str());
    QVERIFY2(refusal.find(what.toStdString()) != std::string::npos, refusal.c_str());
}

void TestImportGguf::aWeightThatIsNoNumberIsRefused() {
    QTemporaryDir temporary;
    const std::string path = temporary.filePath("stranger.gguf").toStdString();
    GgufWriter file = convertedGolden({"llama"});
    std::vector<float> norm(32, 1);
    norm[7] = std::numeric_limits<float>::quiet_NaN();
    file.replace("blk.1.ffn_norm.weight", {32}, norm);
    file.write(path);
    QVERIFY(ggufRefusal(path).find("\"blk.1.ffn_norm.weight\" has a weight that is not a number") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestImportGguf)
#include "test_import_gguf.moc"
