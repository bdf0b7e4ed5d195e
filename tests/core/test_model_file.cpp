// SPDX-License-Identifier: GPL-3.0-or-later
// Model files: what is written is read again, and a file that is wrong is refused by name.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/io/safetensors.h"
#include "core/train/trainer.h"

using namespace headlight;

namespace {

const std::string modelFileGolden = HEADLIGHT_SOURCE_DIR "/tests/golden/pre_gelu_learned.safetensors";

/// The parts of a model file, to be put together again with a fault.
struct Parts {
    std::map<std::string, std::string> metadata;
    std::map<std::string, std::pair<std::vector<int64_t>, std::vector<float>>> tensors;

    static Parts of(const std::string& path) {
        const auto file = safetensors::File::read(path);
        Parts parts{file.metadata(), {}};
        for (const auto& [name, entry] : file.entries())
            parts.tensors[name] = {entry.shape, file.floats(name)};
        return parts;
    }

    void write(const std::string& path) const {
        safetensors::Writer writer;
        for (const auto& [key, value] : metadata)
            writer.setMetadata(key, value);
        for (const auto& [name, tensor] : tensors)
            writer.add(name, tensor.first, std::span<const float>(tensor.second));
        writer.write(path);
    }

    void editConfig(const std::function<void(nlohmann::json&)>& edit) {
        nlohmann::json config = nlohmann::json::parse(metadata["headlight.config"]);
        edit(config);
        metadata["headlight.config"] = config.dump();
    }
};

struct FileFault {
    const char* name;
    const char* told;  ///< a part of what the error must say
    void (*make)(Parts&);
};

const FileFault faults[] = {
    {"tensor missing", "generator.bias", [](Parts& p) { p.tensors.erase("generator.bias"); }},
    {"tensor too many", "extra.weight",
     [](Parts& p) {
         p.tensors["extra.weight"] = {{2}, {1, 2}};
     }},
    {"tensor of another shape", "generator.bias",
     [](Parts& p) {
         p.tensors["generator.bias"] = {{3}, {1, 2, 3}};
     }},
    {"weight that is no number", "generator.bias",
     [](Parts& p) { p.tensors["generator.bias"].second[1] = std::numeric_limits<float>::quiet_NaN(); }},
    {"not Headlight's", "not a Headlight model", [](Parts& p) { p.metadata["format"] = "pt"; }},
    {"format not said", "those that it trained itself", [](Parts& p) { p.metadata.erase("format"); }},
    {"of a newer program", "99.0", [](Parts& p) { p.metadata["headlight.version"] = "99.0"; }},
    {"configuration missing", "headlight.config", [](Parts& p) { p.metadata.erase("headlight.config"); }},
    {"configuration is no JSON", "headlight.config", [](Parts& p) { p.metadata["headlight.config"] = "{oops"; }},
    {"key of a later version", "rotary", [](Parts& p) { p.editConfig([](auto& c) { c["rotary"] = true; }); }},
    {"value of a wrong type", "d_model", [](Parts& p) { p.editConfig([](auto& c) { c["d_model"] = "wide"; }); }},
    {"heads do not divide d_model", "num_heads", [](Parts& p) { p.editConfig([](auto& c) { c["num_heads"] = 3; }); }},
    {"sizes that no memory holds", "asks for more weights",
     [](Parts& p) { p.editConfig([](auto& c) { c["d_model"] = 16384; }); }},
    {"layers that are not there", "asks for more weights",
     [](Parts& p) { p.editConfig([](auto& c) { c["num_encoder_layers"] = 64; }); }},
    {"feed-forward networks that are not there", "asks for more weights",
     [](Parts& p) { p.editConfig([](auto& c) { c["d_ff"] = 131072; }); }},
    {"positions that are not there", "asks for more weights",
     [](Parts& p) { p.editConfig([](auto& c) { c["max_length"] = 65536; }); }},
    {"words that are not there", "asks for more weights",
     [](Parts& p) { p.editConfig([](auto& c) { c["source_vocab_size"] = 1 << 20; }); }},
    {"vocabulary of another size", "vocabular",
     [](Parts& p) { p.editConfig([](auto& c) { c["target_vocab_size"] = 12; }); }},
    {"tokenizer missing", "headlight.tokenizer.source",
     [](Parts& p) { p.metadata.erase("headlight.tokenizer.source"); }},
    {"metadata nested a million deep", "nested deeper",
     [](Parts& p) { p.metadata["headlight.training"] = std::string(1'000'000, '['); }},
    {"tokenizer nested a million deep", "nested deeper",
     [](Parts& p) { p.metadata["headlight.tokenizer.source"] = R"({"kind":)" + std::string(1'000'000, '['); }},
    {"configuration nested a million deep", "nested deeper",
     [](Parts& p) {
         std::string deep;
         for (int i = 0; i < 1'000'000; ++i)
             deep += "{\"a\":";
         p.metadata["headlight.config"] = deep;
     }},
    {"words without number", "headlight.tokenizer.target has more than",
     [](Parts& p) {
         std::string tokens = R"({"kind":"word","lowercase":false,"tokens":["<pad>","<bos>","<eos>","<unk>")";
         for (int i = 0; i < 3'000'000; ++i)
             tokens += ",\"\"";
         p.metadata["headlight.tokenizer.target"] = tokens + "]}";
     }},
    {"training without end", "headlight.training has more than",
     [](Parts& p) {
         std::string list = "[0";
         for (int i = 0; i < 5'000'000; ++i)
             list += ",0";
         p.metadata["headlight.training"] = list + "]";
     }},
    {"tokenizer of an unknown kind", "telepathy",
     [](Parts& p) {
         p.metadata["headlight.tokenizer.target"] =
             R"({"kind":"telepathy","lowercase":false,"tokens":["<pad>","<bos>","<eos>","<unk>"]})";
     }},
};

}  // namespace

class TestModelFile : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsReadAgainByteForByte();
    void weightsAreSavedAsHalvesAndComputeAsTheRoundedOnes_data();
    void weightsAreSavedAsHalvesAndComputeAsTheRoundedOnes();
    void aWeightThatNoHalfCanHoldIsRefusedAndTheFileStays();
    void aDamagedFileOfHalvesIsRefused();
    void secondBiasOfALayerIsWrittenAsZerosAndAddedWhenRead();
    void faultIsToldByName_data();
    void faultIsToldByName();
    void filesOfOtherProgramsAreCalledByTheirName_data();
    void filesOfOtherProgramsAreCalledByTheirName();
    void cutShortAnywhereIsRefused();
    void damageAnywhereNeverCrashes();
    void configurationIsReadAsItIsWritten();
    void weightCountIsThatOfTheModelItself_data();
    void weightCountIsThatOfTheModelItself();
    void moreWeightsThanCanBeCountedAreRefused();
    void whatIsNotThePapersIsWrittenOnlyWhereItIsAskedFor();
    void aRunGoesOnOnlyWithTheOptionsThatItBeganWith_data();
    void aRunGoesOnOnlyWithTheOptionsThatItBeganWith();
    void aStoryTellsWhatItKnowsAndNothingElse();

private:
    QTemporaryDir m_folder;
    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
};

void TestModelFile::whatIsWrittenIsReadAgainByteForByte() {
    const TrainedModel model = loadModel(modelFileGolden);
    saveModel(model, path("first"));
    saveModel(loadModel(path("first")), path("second"));
    QFile first(m_folder.filePath("first")), second(m_folder.filePath("second"));
    QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
    const QByteArray bytes = first.readAll();
    QVERIFY(bytes.size() > 10000);
    QVERIFY(bytes == second.readAll());
}

void TestModelFile::weightsAreSavedAsHalvesAndComputeAsTheRoundedOnes_data() {
    QTest::addColumn<QString>("golden");
    QTest::newRow("Transformer") << "pre_gelu_learned";
    QTest::newRow("a layer's second bias") << "lstm_none_deep";
}

void TestModelFile::weightsAreSavedAsHalvesAndComputeAsTheRoundedOnes() {
    QFETCH(QString, golden);
    using safetensors::DType;
    TrainedModel model = loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/" + golden.toStdString() + ".safetensors");
    saveModel(model, path("wide"));
    saveModel(model, path("half"), DType::F16);
    const auto file = safetensors::File::read(path("half"));
    for (const auto& [name, entry] : file.entries())
        QVERIFY2(entry.dtype == DType::F16, name.c_str());
    QCOMPARE(readModelCard(path("half")).training.savedAs(), std::string("F16"));
    QCOMPARE(readModelCard(path("wide")).training.savedAs(), std::string("F32"));

    const TrainedModel read = loadModel(path("half"));
    QCOMPARE(read.training.savedAs(), std::string("F16"));
    const std::span<const float> exact = std::as_const(*model.network).parameters().flat();
    const std::span<const float> halves = std::as_const(*read.network).parameters().flat();
    bool anyRounded = false;
    for (size_t i = 0; i < exact.size(); ++i) {
        QVERIFY(std::abs(halves[i] - exact[i]) <= std::max(std::abs(exact[i]) * 0x1p-11f, 0x1p-25f));
        anyRounded = anyRounded || halves[i] != exact[i];
    }
    QVERIFY(anyRounded);

    roundWeights(model, DType::F16);
    QVERIFY(std::ranges::equal(exact, halves));
    const Trace rounded = traceIds(model, {4, 5, 6}, {1, 4, 5}), opened = traceIds(read, {4, 5, 6}, {1, 4, 5});
    const auto numbers = [](const Trace& trace) { return trace.at("logits").values; };
    QVERIFY(std::ranges::equal(numbers(rounded), numbers(opened)));

    // The same once more, and as wide as before with the numbers that it has.
    const auto bytes = [&](const char* name) {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    saveModel(read, path("again"), DType::F16);
    QCOMPARE(bytes("again"), bytes("half"));
    saveModel(read, path("widened"));
    QVERIFY(std::ranges::equal(std::as_const(*loadModel(path("widened")).network).parameters().flat(), halves));
    QCOMPARE(readModelCard(path("widened")).training.savedAs(), std::string("F32"));
}

void TestModelFile::aWeightThatNoHalfCanHoldIsRefusedAndTheFileStays() {
    TrainedModel model = loadModel(modelFileGolden);
    saveModel(model, path("kept"), safetensors::DType::F16);
    const ParameterSet::Entry& entry = model.network->parameters().entries()[1];
    model.network->parameters().flat()[entry.offset] = 70000;
    const std::vector<float> before(model.network->parameters().flat().begin(),
                                    model.network->parameters().flat().end());
    for (const bool rounds : {false, true}) {
        try {
            if (rounds)
                roundWeights(model, safetensors::DType::F16);
            else
                saveModel(model, path("kept"), safetensors::DType::F16);
            QFAIL("it was done all the same");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains(entry.name.c_str()), error.what());
            QVERIFY2(QByteArray(error.what()).contains("70000"), error.what());
        }
    }
    QVERIFY(std::ranges::equal(model.network->parameters().flat(), before));
    QVERIFY(std::as_const(*loadModel(path("kept")).network).parameters().flat()[entry.offset] != 70000);
    saveModel(model, path("wide"));
}

void TestModelFile::aDamagedFileOfHalvesIsRefused() {
    saveModel(loadModel(modelFileGolden), path("half"), safetensors::DType::F16);
    QFile file(m_folder.filePath("half"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(file.size() - 2);
    file.write("\x01\x7e");  // no number
    file.close();
    QVERIFY_EXCEPTION_THROWN(loadModel(path("half")), Error);
    QVERIFY(file.resize(file.size() - 1));
    QVERIFY_EXCEPTION_THROWN(loadModel(path("half")), Error);
}

void TestModelFile::secondBiasOfALayerIsWrittenAsZerosAndAddedWhenRead() {
    const std::string lstm = HEADLIGHT_SOURCE_DIR "/tests/golden/lstm_none_deep.safetensors";
    const std::string file = path("twins");
    saveModel(loadModel(lstm), file);
    Parts parts = Parts::of(file);
    QCOMPARE(parts.tensors.size(), Parts::of(lstm).tensors.size());
    auto& second = parts.tensors["decoder.bias_hh_l1"].second;
    QCOMPARE(second, std::vector<float>(32));
    second[3] = 0.5f;
    parts.write(file);
    const std::vector<float> before = parts.tensors["decoder.bias_ih_l1"].second;
    saveModel(loadModel(file), file);
    const std::vector<float> after = Parts::of(file).tensors["decoder.bias_ih_l1"].second;
    for (size_t i = 0; i < before.size(); ++i)
        QCOMPARE(after[i], before[i] + (i == 3 ? 0.5f : 0.0f));
}

void TestModelFile::faultIsToldByName_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < std::size(faults); ++i)
        QTest::newRow(faults[i].name) << static_cast<int>(i);
}

void TestModelFile::faultIsToldByName() {
    QFETCH(int, index);
    const FileFault& fault = faults[index];
    Parts parts = Parts::of(modelFileGolden);
    fault.make(parts);
    parts.write(path("faulty"));
    try {
        loadModel(path("faulty"));
        QFAIL("it was opened all the same");
    } catch (const Error& error) {
        const QString told = QString::fromUtf8(error.what());
        QVERIFY2(told.contains(QLatin1String(fault.told)), error.what());
        QVERIFY2(told.contains("faulty"), error.what());
        QVERIFY(!told.contains('\n'));
    }
    // A list of models reads no weights; what it refuses it calls by its name too.
    try {
        readModelCard(path("faulty"));
    } catch (const Error& error) {
        QVERIFY2(QByteArray(error.what()).contains("faulty"), error.what());
    }
}

void TestModelFile::filesOfOtherProgramsAreCalledByTheirName_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("told");
    const auto row = [](const char* name, const QByteArray& begin, const char* told) {
        QTest::newRow(name) << begin + QByteArray(4000, 'x') << QString(told);
    };
    row("PyTorch", QByteArray("PK\x03\x04\0\0\x08\x08", 8), "zip archive");
    row("older PyTorch", QByteArray("\x80\x02\x8a\x0al\xfc\x9c\x46", 8), "pickle");
    row("GGUF", "GGUF\x03", "GGUF");
    row("Keras", "\x89HDF\r\n\x1a\n", "HDF5");
    row("text", "the cat sat", "this is a text, and no model");
}

void TestModelFile::filesOfOtherProgramsAreCalledByTheirName() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, told);
    QFile file(m_folder.filePath("foreign"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    try {
        loadModel(path("foreign"));
        QFAIL("it was opened all the same");
    } catch (const Error& error) {
        const QString what = error.what();
        QVERIFY2(what.contains(told), qPrintable(what));
    }
}

void TestModelFile::cutShortAnywhereIsRefused() {
    QFile file(QString::fromStdString(modelFileGolden));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    Random random(3);
    for (int i = 0; i < 60; ++i) {
        const auto length = static_cast<size_t>(random.below(static_cast<uint64_t>(whole.size())));
        QFile cut(m_folder.filePath("cut"));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(whole.constData(), static_cast<qint64>(length));
        cut.close();
        QVERIFY_EXCEPTION_THROWN(loadModel(path("cut")), Error);
    }
}

void TestModelFile::damageAnywhereNeverCrashes() {
    QFile file(QString::fromStdString(modelFileGolden));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    Random random(4);
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        QByteArray damaged = whole;
        // Mostly in the header, where it matters.
        const auto reach = static_cast<uint64_t>(i % 4 ? 6000 : whole.size());
        damaged[static_cast<qsizetype>(random.below(reach))] = static_cast<char>(random.below(256));
        QFile out(m_folder.filePath("damaged"));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(damaged);
        out.close();
        try {
            loadModel(path("damaged"));
        } catch (const Error&) {
            ++refused;
        }
    }
    QVERIFY2(refused > 100, qPrintable(QString::number(refused)));
}

void TestModelFile::configurationIsReadAsItIsWritten() {
    ModelConfig config;
    config.dModel = 96;
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.activation = ops::Activation::GeluTanh;
    config.positionalEncoding = PositionalKind::Learned;
    config.dropout = 0.25;
    config.tieEmbeddings = true;
    QVERIFY(ModelConfig::fromJson(config.toJson()) == config);
    // final_norm follows norm_order where it is not said.
    QVERIFY(ModelConfig::fromJson({{"norm_order", "pre"}}).finalNorm);
    QVERIFY(!ModelConfig::fromJson({{"norm_order", "post"}}).finalNorm);
}

void TestModelFile::weightCountIsThatOfTheModelItself_data() {
    QTest::addColumn<QByteArray>("config");
    const auto row = [](const char* name, const char* config) { QTest::newRow(name) << QByteArray(config); };
    row("transformer", "{}");
    row("uneven", R"({"d_model": 24, "d_ff": 100, "num_encoder_layers": 3, "num_decoder_layers": 1})");
    row("tied", R"({"tie_embeddings": true, "target_vocab_size": 50})");
    row("learned positions", R"({"positional_encoding": "learned", "max_length": 500})");
    row("concatenated positions", R"({"positional_encoding": "learned", "positional_combine": "concat"})");
    row("language model", R"({"architecture": "language-model", "num_layers": 3, "target_vocab_size": 30})");
    row("classifier", R"({"architecture": "encoder-classifier", "target_vocab_size": 7})");
    row("masked language model",
        R"({"architecture": "masked-language-model", "target_vocab_size": 30, "token_types": 2, "embedding_norm": true})");
    row("GPT-2's shape", R"({"architecture": "language-model", "norm_order": "pre", "positional_encoding": "learned",
                            "tie_embeddings": true, "output_bias": false, "target_vocab_size": 30})");
    row("no biases", R"({"bias": "none", "norm_order": "pre", "gated_ffn": true})");
    row("Llama's shape",
        R"({"architecture": "language-model", "norm": "rms", "bias": "none", "gated_ffn": true, "num_kv_heads": 2,
            "positional_encoding": "rotary", "output_bias": false, "target_vocab_size": 30})");
    row("Gemma's shape",
        R"({"architecture": "language-model", "norm": "rms", "bias": "none", "gated_ffn": true, "num_kv_heads": 2,
            "head_size": 6, "positional_encoding": "rotary", "output_bias": false, "norm_order": "pre",
            "norm_from_one": true, "output_norms": true, "head_norms": true, "qkv_bias": "all", "ffn_bias": "all",
            "sliding_window": 3, "target_vocab_size": 30})");
    for (const char* parallel : {"one_norm", "two_norms"})
        QTest::addRow("parallel sublayers, %s", parallel)
            << QByteArray(R"({"architecture": "language-model", "norm_order": "pre", "out_proj_bias": "none",
                              "positional_encoding": "rotary", "rotary_size": 4, "target_vocab_size": 30,
                              "parallel": ")") +
                   parallel + "\"}";
    row("BART's shape", R"({"positional_encoding": "learned", "position_offset": 2, "share_positions": false,
                           "embedding_norm": true, "share_embeddings": true, "target_vocab_size": 30})");
    row("T5's shape", R"({"norm": "rms", "norm_order": "pre", "bias": "none", "head_size": 40, "tie_embeddings": true,
                         "positional_encoding": "relative", "scale_output": true, "output_bias": false})");
    row("recurrent language model",
        R"({"architecture": "rnn-language-model", "num_layers": 2, "target_vocab_size": 30})");
    for (const char* cell : {"rnn", "gru", "lstm"})
        for (const char* attention : {"none", "dot", "general", "additive"})
            for (const char* more : {R"("bidirectional": true, "num_layers": 3)", R"("context": "every_input")"})
                QTest::addRow("%s, %s, %s", cell, attention, more)
                    << QByteArray(R"({"architecture": "rnn", "cell": ")") + cell + R"(", "attention": ")" + attention +
                           R"(", )" + more + "}";
}

void TestModelFile::moreWeightsThanCanBeCountedAreRefused() {
    // What a stranger's file may say; validate() refuses most of it for another reason.
    ModelConfig config{.numEncoderLayers = 1 << 30, .dFf = 1 << 30, .sourceVocabSize = 30, .targetVocabSize = 40};
    config.dModel = config.headSize = 1 << 30;
    QVERIFY_EXCEPTION_THROWN(config.weightCount(), Error);
    config.dModel = -1;
    QVERIFY_EXCEPTION_THROWN(config.weightCount(), Error);
}

namespace {

/// Fields that JSON does not have.
struct NotAmong {
    const nlohmann::json& json;

    template <class Field>
    void operator()(const char* name, const Field&, std::initializer_list<const char*> = {}) const {
        QVERIFY2(!json.contains(name), name);
    }
};

}  // namespace

void TestModelFile::whatIsNotThePapersIsWrittenOnlyWhereItIsAskedFor() {
    ModelConfig config;
    const nlohmann::json before = config.toJson();
    visitVariantFields(config, NotAmong{before});
    config.norm = NormKind::Rms;
    config.forbiddenIds = {0, 3};
    config.outputBias = false;
    const nlohmann::json after = config.toJson();
    QCOMPARE(after.size(), before.size() + 3);
    QCOMPARE(after["norm"].get<std::string>(), std::string("rms"));
    QCOMPARE(after["output_bias"].get<bool>(), false);
    QVERIFY(ModelConfig::fromJson(after) == config);
    for (const char* wrong : {R"({"forbidden_ids": 3})", R"({"forbidden_ids": [-1]})", R"({"forbidden_ids": ["a"]})",
                              R"({"norm": "batch"})", R"({"token_types": 2})"})
        QVERIFY_EXCEPTION_THROWN(ModelConfig::fromJson(nlohmann::json::parse(wrong)), Error);
}

void TestModelFile::weightCountIsThatOfTheModelItself() {
    QFETCH(QByteArray, config);
    nlohmann::json json = nlohmann::json::parse(config.toStdString());
    json["source_vocab_size"] = 30;
    if (!json.contains("target_vocab_size")) json["target_vocab_size"] = 40;
    const std::unique_ptr<Model> model = Model::make(ModelConfig::fromJson(json));
    QCOMPARE(model->config().weightCount(), std::as_const(*model).parameters().count());
}

void TestModelFile::aRunGoesOnOnlyWithTheOptionsThatItBeganWith_data() {
    QTest::addColumn<int>("index");
    const char* const names[] = {"none",           "seed",         "batch_size",      "optimizer", "schedule",
                                 "learning_rate",  "warmup_steps", "label_smoothing", "clip_norm", "teacher_forcing",
                                 "teacher_forcing"};
    for (int i = 0; i < 11; ++i)
        QTest::addRow("%d: %s", i, names[i]) << i;
}

void TestModelFile::aRunGoesOnOnlyWithTheOptionsThatItBeganWith() {
    QFETCH(int, index);
    const TrainOptions first{.steps = 100, .seed = 3, .batchSize = 4, .learningRate = 0.01, .warmupSteps = 5};
    const struct {
        const char* told;
        void (*change)(TrainOptions&);
    } changes[] = {
        {"", [](TrainOptions&) {}},
        {"another seed", [](TrainOptions& o) { o.seed = 4; }},
        {"another batch_size", [](TrainOptions& o) { o.batchSize = 5; }},
        {"another optimizer", [](TrainOptions& o) { o.optimizer = OptimizerKind::Sgd; }},
        {"another schedule", [](TrainOptions& o) { o.schedule = ScheduleKind::Constant; }},
        {"another learning_rate", [](TrainOptions& o) { o.learningRate = 0.02; }},
        {"another warmup_steps", [](TrainOptions& o) { o.warmupSteps = 6; }},
        {"another label_smoothing", [](TrainOptions& o) { o.labelSmoothing = 0.2; }},
        {"another clip_norm", [](TrainOptions& o) { o.clipNorm = 2; }},
        {"another teacher_forcing", [](TrainOptions& o) { o.teacherForcing = 0.5; }},
        {"another teacher_forcing", [](TrainOptions& o) { o.teacherForcingEnd = 0.5; }},
    };
    const std::vector<Example> pairs(8, Example{{4, 5}, {5, 4}});
    TrainedModel model = loadModel(modelFileGolden), other = loadModel(modelFileGolden);
    Trainer trainer(*model.network, pairs, first);
    trainer.step();
    trainer.step();
    saveCheckpoint(model, trainer, path("checkpoint"));

    TrainOptions options = first;
    changes[index].change(options);
    Trainer resumed(*other.network, pairs, options);
    const std::vector<float> before(other.network->parameters().flat().begin(),
                                    other.network->parameters().flat().end());
    QString told;
    try {
        resumeFromCheckpoint(other, resumed, path("checkpoint"));
    } catch (const Error& error) {
        told = error.what();
    }
    if (index == 0) {
        QCOMPARE(told, QString());
        QCOMPARE(resumed.stepsDone(), 2L);
        QVERIFY(std::ranges::equal(other.network->parameters().flat(), model.network->parameters().flat()));
    } else {
        QVERIFY2(told.contains(changes[index].told), qPrintable(told));
        QCOMPARE(resumed.stepsDone(), 0L);
        QVERIFY(std::ranges::equal(other.network->parameters().flat(), before));
    }
}

void TestModelFile::aStoryTellsWhatItKnowsAndNothingElse() {
    TrainingStory story = TrainingStory::ofTask("vi-en", 7);
    story.setSteps(12);
    QCOMPARE(story.task(), std::string("vi-en"));
    QCOMPARE(story.steps(), std::optional<long>(12));
    const TrainingStory copy = story;
    story.setSteps(13);
    QCOMPARE(copy.steps(), std::optional<long>(12));
    // A file by another hand says something else under these keys, or is no object.
    const nlohmann::json others[] = {
        5, nlohmann::json::array(), {{"data", "text"}, {"steps", "many"}}, {{"data", {{"task", 3}}}}};
    for (const nlohmann::json& json : others) {
        const TrainingStory other(json);
        QCOMPARE(other.task(), std::string());
        QVERIFY(!other.steps());
        QVERIFY(!taskOf(other));
    }
}

QTEST_APPLESS_MAIN(TestModelFile)
#include "test_model_file.moc"
