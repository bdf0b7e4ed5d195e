// SPDX-License-Identifier: GPL-3.0-or-later
// Model files: what is written is read again, and a file that is wrong is refused by name.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <limits>

#include "core/error.h"
#include "core/io/model_file.h"
#include "core/io/safetensors.h"

using namespace headlight;

namespace {

const std::string golden = HEADLIGHT_SOURCE_DIR "/tests/golden/pre_gelu_learned.safetensors";

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

struct Fault {
    const char* name;
    const char* told;  ///< a part of what the error must say
    void (*make)(Parts&);
};

const Fault faults[] = {
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
    {"format not said", "not a Headlight model", [](Parts& p) { p.metadata.erase("format"); }},
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
    {"vocabulary of another size", "vocabular",
     [](Parts& p) { p.editConfig([](auto& c) { c["target_vocab_size"] = 12; }); }},
    {"tokenizer missing", "headlight.tokenizer.source",
     [](Parts& p) { p.metadata.erase("headlight.tokenizer.source"); }},
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
    void secondBiasOfALayerIsWrittenAsZerosAndAddedWhenRead();
    void faultIsToldByName_data();
    void faultIsToldByName();
    void cutShortAnywhereIsRefused();
    void damageAnywhereNeverCrashes();
    void configurationIsReadAsItIsWritten();

private:
    QTemporaryDir m_folder;
    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
};

void TestModelFile::whatIsWrittenIsReadAgainByteForByte() {
    const TrainedModel model = loadModel(golden);
    saveModel(model, path("first"));
    saveModel(loadModel(path("first")), path("second"));
    QFile first(m_folder.filePath("first")), second(m_folder.filePath("second"));
    QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
    const QByteArray bytes = first.readAll();
    QVERIFY(bytes.size() > 10000);
    QVERIFY(bytes == second.readAll());
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
    const Fault& fault = faults[index];
    Parts parts = Parts::of(golden);
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
}

void TestModelFile::cutShortAnywhereIsRefused() {
    QFile file(QString::fromStdString(golden));
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
    QFile file(QString::fromStdString(golden));
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

QTEST_APPLESS_MAIN(TestModelFile)
#include "test_model_file.moc"
