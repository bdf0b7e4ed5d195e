// SPDX-License-Identifier: GPL-3.0-or-later
// Models by a stranger, small files that ask for much, given to headlight-cli: one line on standard error, no file left
// behind, and the time and memory that it took, measured.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/safetensors.h"
#include "tests/gguf_file.h"

using nlohmann::json;
namespace fs = std::filesystem;
namespace safetensors = headlight::safetensors;

namespace {

constexpr long mostKilobytes = 100'000;
constexpr long mostMilliseconds = 10'000;  // of a processor, so that other programs do not count
constexpr int64_t eightMegabytes = int64_t{8} << 20;
const fs::path goldens = HEADLIGHT_SOURCE_DIR "/tests/golden";

struct Outcome {
    int status = -1;
    std::string error;
    long kilobytes = 0, milliseconds = 0;
};

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// headlight-cli with the time and memory that it took: wait4() tells those of one child.
Outcome runImport(const fs::path& model, const fs::path& folder) {
    const std::string out = (folder / "out").string(), error = (folder / "error").string();
    Outcome outcome;
    const pid_t child = fork();
    if (child == 0) {
        if (!std::freopen(error.c_str(), "w", stderr)) _exit(126);
        execl(HEADLIGHT_CLI, HEADLIGHT_CLI, "import", model.c_str(), "--out", out.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) == child && WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
    const auto milliseconds = [](const timeval& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; };
    outcome.milliseconds = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    outcome.kilobytes = usage.ru_maxrss;
    outcome.error = contents(error);
    return outcome;
}

using Shapes = std::map<std::string, std::vector<int64_t>>;

/// A file that is all of what its header says, zeros, without taking the room on the disk.
void writeZeros(const fs::path& path, const std::string& header, int64_t dataBytes) {
    std::ofstream file(path, std::ios::binary);
    const uint64_t length = header.size();
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header;
    file.close();
    fs::resize_file(path, sizeof length + length + static_cast<uint64_t>(dataBytes));
}

void writeTensors(const fs::path& path, const Shapes& shapes, const char* type, int64_t bytesEach) {
    json header = json::object();
    int64_t end = 0;
    for (const auto& [name, shape] : shapes) {
        int64_t bytes = bytesEach;
        for (const int64_t dim : shape)
            bytes *= dim;
        header[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
        end += bytes;
    }
    writeZeros(path, header.dump(), end);
}

Shapes gpt2Shapes(int64_t words, int64_t width, int64_t positions, int64_t inner) {
    return {{"h.0.attn.c_attn.bias", {3 * width}},
            {"h.0.attn.c_attn.weight", {width, 3 * width}},
            {"h.0.attn.c_proj.bias", {width}},
            {"h.0.attn.c_proj.weight", {width, width}},
            {"h.0.ln_1.bias", {width}},
            {"h.0.ln_1.weight", {width}},
            {"h.0.ln_2.bias", {width}},
            {"h.0.ln_2.weight", {width}},
            {"h.0.mlp.c_fc.bias", {inner}},
            {"h.0.mlp.c_fc.weight", {width, inner}},
            {"h.0.mlp.c_proj.bias", {width}},
            {"h.0.mlp.c_proj.weight", {inner, width}},
            {"ln_f.bias", {width}},
            {"ln_f.weight", {width}},
            {"wpe.weight", {positions, width}},
            {"wte.weight", {words, width}}};
}

json gpt2Config(int64_t words, int64_t width, int64_t positions, int64_t inner) {
    return {{"model_type", "gpt2"}, {"n_embd", width},          {"n_layer", 1},       {"n_head", 1},
            {"n_inner", inner},     {"n_positions", positions}, {"vocab_size", words}};
}

void writeText(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

using Make = std::function<fs::path(const fs::path&)>;

/// A folder whose files are whole, 8 MB, and whose configuration asks for more.
Make gpt2(const std::function<void(json&)>& edit) {
    return [=](const fs::path& folder) {
        writeTensors(folder / "model.safetensors", gpt2Shapes(1000, 900, 8, 1), "F16", 2);
        json config = gpt2Config(1000, 900, 8, 1);
        edit(config);
        writeText(folder / "config.json", config.dump());
        return folder;
    };
}

/// As many words as 8 MB can hold: each a single number.
Make manyWords(const char* vocabulary) {
    return [=](const fs::path& folder) {
        constexpr int64_t words = eightMegabytes / 2 - 100;
        writeTensors(folder / "model.safetensors", gpt2Shapes(words, 1, 8, 1), "F16", 2);
        writeText(folder / "config.json", gpt2Config(words, 1, 8, 1).dump());
        if (*vocabulary) {
            writeText(folder / "vocab.json", vocabulary);
            writeText(folder / "merges.txt", "#version: 0.2\n");
        }
        return folder;
    };
}

/// A model of Headlight's own with another configuration.
Make ours(const char* golden, const std::function<void(json&)>& edit) {
    return [=](const fs::path& folder) {
        const auto file = safetensors::File::read((goldens / golden).string());
        std::map<std::string, std::vector<float>> values;
        safetensors::Writer writer;
        for (const auto& [name, entry] : file.entries()) {
            values[name] = file.floats(name);
            writer.add(name, entry.shape, std::span<const float>(values[name]));
        }
        for (const auto& [key, value] : file.metadata())
            writer.setMetadata(key, value);
        json config = json::parse(file.metadata().at("headlight.config"));
        edit(config);
        writer.setMetadata("headlight.config", config.dump());
        const fs::path path = folder / "stranger.safetensors";
        writer.write(path.string());
        return path;
    };
}

/// A GGUF file of a llama without weights, with what `more` adds.
Make gguf(const std::function<void(headlight::fixture::GgufWriter&)>& more) {
    return [=](const fs::path& folder) {
        headlight::fixture::GgufWriter file;
        file.set("general.architecture", "llama");
        for (const char* key : {"block_count", "context_length", "embedding_length", "feed_forward_length",
                                "attention.head_count", "attention.layer_norm_rms_epsilon"})
            file.set(std::string("llama.") + key, 8);
        more(file);
        const fs::path path = folder / "stranger.gguf";
        file.write(path.string());
        return path;
    };
}

using headlight::fixture::GgufBytes;
using headlight::fixture::GgufKind;
using headlight::fixture::GgufType;
using headlight::fixture::GgufWriter;

}  // namespace

Q_DECLARE_METATYPE(Make)

class TestHostileModels : public QObject {
    Q_OBJECT
private slots:
    void whatAsksForMoreThanItHoldsIsRefusedInMemoryAndWithinItsDeadline_data();
    void whatAsksForMoreThanItHoldsIsRefusedInMemoryAndWithinItsDeadline();
};

void TestHostileModels::whatAsksForMoreThanItHoldsIsRefusedInMemoryAndWithinItsDeadline_data() {
    QTest::addColumn<Make>("make");
    const auto row = [](const char* name, const Make& make) { QTest::newRow(name) << make; };
    const auto set = [](const char* key, int64_t value) { return [=](json& config) { config[key] = value; }; };
    row("gpt2: 10^12 weights", gpt2([](json& config) {
            config["n_embd"] = 16384;
            config["n_layer"] = 64;
            config["n_inner"] = 1 << 17;
        }));
    row("gpt2: 2^17 wide networks", gpt2(set("n_inner", 1 << 17)));
    row("gpt2: 64 layers", gpt2(set("n_layer", 64)));
    row("gpt2: 65,536 positions", gpt2(set("n_positions", 1 << 16)));
    row("gpt2: a million words", gpt2(set("vocab_size", 1 << 20)));
    row("gpt2: 2^31-1 layers", gpt2(set("n_layer", INT32_MAX)));
    row("gpt2: no heads", gpt2(set("n_head", 0)));
    row("4 million words of one number each", manyWords(""));
    row("4 million words, and a tokenizer of one", manyWords(R"({"a": 0})"));
    row("a header of 16 MB", [](const fs::path& folder) {
        std::string header = "{\"__metadata__\":{";
        for (int i = 0; header.size() < (16u << 20) - 200; ++i)
            header += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":\"\"";
        writeZeros(folder / "model.safetensors", header + "}}", 0);
        writeText(folder / "config.json", gpt2Config(8, 8, 8, 8).dump());
        return folder;
    });
    row("100,000 tensors", [](const fs::path& folder) {
        Shapes shapes;
        for (int i = 0; i < 99'999; ++i)
            shapes["h." + std::to_string(i)] = {0};
        writeTensors(folder / "model.safetensors", shapes, "F32", 4);
        writeText(folder / "config.json", gpt2Config(8, 8, 8, 8).dump());
        return folder;
    });
    row("shapes of a million dimensions", [](const fs::path& folder) {
        std::string header = R"({"a":{"dtype":"F32","data_offsets":[0,0],"shape":[0)";
        for (int i = 0; i < 4'000'000; ++i)
            header += ",1";
        writeZeros(folder / "model.safetensors", header + "]}}", 0);
        writeText(folder / "config.json", gpt2Config(8, 8, 8, 8).dump());
        return folder;
    });
    row("a configuration of 4 MB", [](const fs::path& folder) {
        writeTensors(folder / "model.safetensors", gpt2Shapes(8, 8, 8, 8), "F32", 4);
        std::string text = "{\"model_type\":[";
        while (text.size() < (4u << 20) - 100)
            text += "[],";
        writeText(folder / "config.json", text + "[]]}");
        return folder;
    });
    row("a configuration nested 100,000 deep", [](const fs::path& folder) {
        writeTensors(folder / "model.safetensors", gpt2Shapes(8, 8, 8, 8), "F32", 4);
        writeText(folder / "config.json", std::string(100'000, '['));
        return folder;
    });
    row("a configuration of 8 GB", [](const fs::path& folder) {
        writeText(folder / "config.json", "{");
        fs::resize_file(folder / "config.json", uint64_t{8} << 30);
        return folder;
    });
    row("ours: 64 layers", ours("kind_gpt2.safetensors", set("num_layers", 64)));
    row("ours: 2^30 layers", ours("kind_gpt2.safetensors", set("num_layers", 1 << 30)));
    row("ours: no heads", ours("kind_gpt2.safetensors", set("num_heads", 0)));
    row("ours: three heads for 16 numbers", ours("kind_gpt2.safetensors", set("num_heads", 3)));
    row("ours: negative width", ours("kind_gpt2.safetensors", set("d_model", -1)));
    row("ours: 2^17 wide networks", ours("kind_gpt2.safetensors", set("d_ff", 1 << 17)));
    row("ours: 65,536 learned positions", ours("kind_gpt2.safetensors", set("max_length", 1 << 16)));
    row("ours: a million words", ours("kind_gpt2.safetensors", [](json& config) {
            config["source_vocab_size"] = config["target_vocab_size"] = 1 << 20;
        }));
    row("ours: a norm of negative epsilon",
        ours("kind_gpt2.safetensors", [](json& config) { config["layer_norm_eps"] = -1e-5; }));
    row("ours: rotations of base 0",
        ours("kind_llama.safetensors", [](json& config) { config["positional_base"] = 0; }));
    row("ours: 16,384 hidden numbers", ours("rnn_dot.safetensors", set("hidden_size", 16384)));
    row("ours: an id above every number",
        ours("kind_bert.safetensors", [](json& config) { config["mask_id"] = UINT64_MAX; }));
    row("GGUF: half a million empty texts", gguf([](GgufWriter& file) {
            GgufBytes list;
            list.put(GgufKind::Text).put<uint64_t>(1U << 19U);
            list.raw(std::vector<char>(size_t{8} << 19U));
            file.key("tokenizer.ggml.tokens", GgufKind::List, list);
        }));
    row("GGUF: lists above the bound", gguf([](GgufWriter& file) {
            for (int i = 0; i < 4; ++i) {
                GgufBytes list;
                list.put(GgufKind::U8).put<uint64_t>(1U << 20U).raw(std::vector<char>(size_t{1} << 20U));
                file.key("list." + std::to_string(i), GgufKind::List, list);
            }
        }));
    row("GGUF: 20,000 tensors", gguf([](GgufWriter& file) {
            file.tensor("token_embd.weight", {8, 8}, GgufType::F32, std::vector<char>(256));
            for (int i = 0; i < 19'999; ++i)
                file.tensor("blk." + std::to_string(i) + ".attn_q.weight", {8, 1}, GgufType::F32,
                            std::vector<char>(32));
        }));
    row("GGUF: 10^12 weights", gguf([](GgufWriter& file) {
            for (const char* key : {"llama.embedding_length", "llama.feed_forward_length"})
                file.drop(key), file.set(key, 16384);
            file.tensor("token_embd.weight", {8, 16384}, GgufType::F32, std::vector<char>(size_t{8} * 16384 * 4));
        }));
    row("GGUF: a tensor of 2^60 numbers", gguf([](GgufWriter& file) {
            file.tensor("token_embd.weight", {1 << 30, 1 << 30}, GgufType::Q8_0, std::vector<char>(64));
        }));
    row("ours: 64 recurrent layers", ours("rnn_dot.safetensors", set("num_layers", 64)));
}

void TestHostileModels::whatAsksForMoreThanItHoldsIsRefusedInMemoryAndWithinItsDeadline() {
    QFETCH(Make, make);
    const QTemporaryDir folder, aside;
    const fs::path model = make(folder.path().toStdString());
    const fs::path beside = aside.path().toStdString();
    const Outcome outcome = runImport(model, beside);
    QCOMPARE(outcome.status, 1);
    const std::string& error = outcome.error;
    QVERIFY2(error.starts_with("headlight-cli: error: " + model.string()), error.c_str());
    QVERIFY2(std::count(error.begin(), error.end(), '\n') == 1 && error.size() < 700, error.c_str());
    QVERIFY2(!fs::exists(beside / "out"), "a file was left behind");
    qInfo("%ld ms, %ld MB: %s", outcome.milliseconds, outcome.kilobytes / 1000,
          error.substr(0, error.size() - 1).c_str());
    QVERIFY2(outcome.kilobytes < mostKilobytes, qPrintable(QString("%1 kB").arg(outcome.kilobytes)));
    QVERIFY2(outcome.milliseconds < mostMilliseconds, qPrintable(QString("%1 ms").arg(outcome.milliseconds)));
}

QTEST_APPLESS_MAIN(TestHostileModels)
#include "test_hostile_models.moc"
