// SPDX-License-Identifier: GPL-3.0-or-later
// Models as Hugging Face's programs keep them: what is written comes back as it was, and what no kind computes is not
// written.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/export/hugging_face_folder.h"
#include "core/export/tokenizer_files.h"
#include "core/import/import_model.h"
#include "core/io/safetensors.h"
#include "core/models/seq2seq.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/id_tokenizer.h"
#include "tests/foreign_folder.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path exportHuggingFaceGoldens = HEADLIGHT_SOURCE_DIR "/tests/golden";

nlohmann::json configOf(const fs::path& folder) {
    std::ifstream file(folder / "config.json");
    return nlohmann::json::parse(file);
}

/// Tensors by name: shape and numbers.
std::map<std::string, std::pair<std::vector<int64_t>, std::vector<float>>> tensorsOf(const fs::path& folder) {
    const auto file = safetensors::File::read((folder / "model.safetensors").string());
    std::map<std::string, std::pair<std::vector<int64_t>, std::vector<float>>> tensors;
    for (const auto& [name, entry] : file.entries())
        tensors[name] = {entry.shape, file.floats(name)};
    return tensors;
}

/// A model with random weights and ids for words.
TrainedModel makeModel(const nlohmann::json& settings) {
    const ModelConfig config = ModelConfig::fromJson(settings);
    config.validate();
    const auto ids = std::make_shared<const IdTokenizer>(config.sourceVocabSize);
    TrainedModel model{.network = Model::make(config), .source = ids, .target = ids};
    model.network->parameters().initialize(1);
    return model;
}

const nlohmann::json likeGpt2{{"architecture", "language-model"},
                              {"d_model", 16},
                              {"num_heads", 2},
                              {"num_layers", 2},
                              {"d_ff", 24},
                              {"activation", "gelu_tanh"},
                              {"norm_order", "pre"},
                              {"final_norm", true},
                              {"positional_encoding", "learned"},
                              {"scale_embeddings", false},
                              {"tie_embeddings", true},
                              {"output_bias", false},
                              {"starts_at_end", false},
                              {"max_length", 20},
                              {"source_vocab_size", 30},
                              {"target_vocab_size", 30}};

nlohmann::json with(nlohmann::json settings, const nlohmann::json& more) {
    settings.update(more);
    return settings;
}

std::string refusal(const TrainedModel& model, const std::string& folder) {
    try {
        writeHuggingFaceFolder(model, folder);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

class TestExportHuggingFace : public QObject {
    Q_OBJECT
private slots:
    void anImportedModelComesBackToTheBit_data();
    void anImportedModelComesBackToTheBit();
    void theFilesOfTheKindsOwnProgramAreWrittenAsTheyWere_data();
    void theFilesOfTheKindsOwnProgramAreWrittenAsTheyWere();
    void whatAConfigSaysBesideIsKept();
    void aModelOfOursThatHasAKindsSettingsIsWritten_data();
    void aModelOfOursThatHasAKindsSettingsIsWritten();
    void aModelThatNoKindComputesIsRefusedWithWhatPartsThem();
    void aTokenizerComesBack_data();
    void aTokenizerComesBack();
};

void TestExportHuggingFace::anImportedModelComesBackToTheBit_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : fixture::huggingFaceGoldens)
        QTest::newRow(name) << QString(name);
}

void TestExportHuggingFace::anImportedModelComesBackToTheBit() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const std::string saved = folder.filePath("model.safetensors").toStdString(),
                      out = folder.filePath("out").toStdString();
    // By way of a model file of ours, which must keep all that it takes.
    saveModel(openModel((exportHuggingFaceGoldens / "foreign" / name.toStdString()).string()), saved);
    const TrainedModel before = openModel(saved);
    QCOMPARE(writeHuggingFaceFolder(before, out), std::string());
    const TrainedModel after = openModel(out);
    QCOMPARE(after.network->config(), before.network->config());
    QVERIFY(std::ranges::equal(after.network->parameters().flat(), before.network->parameters().flat()));
    writeHuggingFaceFolder(before, out + " as F16", safetensors::DType::F16);
    TrainedModel rounded = openModel(saved);
    roundWeights(rounded, safetensors::DType::F16);
    const TrainedModel halves = openModel(out + " as F16");
    QVERIFY(std::ranges::equal(halves.network->parameters().flat(), rounded.network->parameters().flat()));
    QCOMPARE(halves.training.savedAs(), std::string("F16"));
    QVERIFY(after.source->toJson() == before.source->toJson());
}

void TestExportHuggingFace::theFilesOfTheKindsOwnProgramAreWrittenAsTheyWere_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("prefix");       // that the golden files do without
    QTest::addColumn<QStringList>("leftOut");  // what the model is not computed with, or what is there twice
    QTest::newRow("gpt2_by_layer") << "gpt2_by_layer"
                                   << "transformer." << QStringList{"h.0.attn.bias", "h.1.attn.bias", "masked_bias"};
    QTest::newRow("bert") << "bert"
                          << "" << QStringList{"pooler", "seq_relationship", "predictions.decoder", "position_ids"};
    QTest::newRow("distilbert") << "distilbert"
                                << "" << QStringList{"vocab_projector.weight"};
    QTest::newRow("marian") << "marian"
                            << "" << QStringList{"lm_head", "embed_tokens", "embed_positions"};
    QTest::newRow("bart") << "bart"
                          << "" << QStringList{"lm_head", "embed_tokens"};
    QTest::newRow("t5") << "t5"
                        << "" << QStringList{"lm_head", "embed_tokens", "EncDecAttention.relative_attention_bias"};
    QTest::newRow("llama") << "llama"
                           << "" << QStringList{"inv_freq"};
    for (const char* name : {"llama_scaled",
                             "mistral",
                             "qwen2",
                             "qwen3",
                             "phi3",
                             "gemma",
                             "gemma2",
                             "gemma3",
                             "gemma3_newer",
                             "opt",
                             "opt_norms_behind",
                             "phi",
                             "roberta_classifier",
                             "electra",
                             "electra_generator",
                             "electra_classifier",
                             "modernbert",
                             "modernbert_classifier",
                             "gpt_neox_settings",
                             "camembert"})
        QTest::newRow(name) << name << "" << QStringList{"inv_freq"};
    for (const char* name : {"mbart", "nllb", "nllb_settings"})
        QTest::newRow(name) << name << "" << QStringList{"embed_tokens"};
    QTest::newRow("gpt_neox") << "gpt_neox"
                              << "" << QStringList{"attention.bias", "masked_bias", "inv_freq"};
    QTest::newRow("roberta") << "roberta"
                             << "" << QStringList{"decoder.bias", "position_ids"};
    QTest::newRow("xlm_roberta_model") << "xlm_roberta_model"
                                       << "roberta." << QStringList{};
}

void TestExportHuggingFace::theFilesOfTheKindsOwnProgramAreWrittenAsTheyWere() {
    QFETCH(QString, name);
    QFETCH(QString, prefix);
    QFETCH(QStringList, leftOut);
    const QTemporaryDir folder;
    const fs::path out = folder.filePath("out").toStdString(),
                   from = exportHuggingFaceGoldens / "foreign" / name.toStdString();
    writeHuggingFaceFolder(openModel(from.string()), out.string());
    const auto found = tensorsOf(out);
    size_t expected = 0;
    for (const auto& [tensor, values] : tensorsOf(from)) {
        QString known = prefix + QString::fromStdString(tensor);
        if (std::ranges::any_of(leftOut, [&](const QString& part) { return known.contains(part); })) continue;
        known.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias");
        QVERIFY2(found.contains(known.toStdString()), qPrintable(known));
        QVERIFY2(found.at(known.toStdString()) == values, qPrintable(known));
        ++expected;
    }
    QCOMPARE(found.size(), expected);
    const nlohmann::json was = configOf(from), is = configOf(out);
    for (const auto& [key, value] : was.items())
        if (!value.is_null() && key != "activation_function" && key != "torch_dtype")
            QVERIFY2(is.value(key, nlohmann::json()) == value, key.c_str());
}

void TestExportHuggingFace::whatAConfigSaysBesideIsKept() {
    const QTemporaryDir folder;
    const std::string out = folder.filePath("out").toStdString();
    writeHuggingFaceFolder(openModel((exportHuggingFaceGoldens / "foreign/marian").string()), out);
    QVERIFY(configOf(out)["num_beams"] == 4);
}

void TestExportHuggingFace::aModelOfOursThatHasAKindsSettingsIsWritten_data() {
    QTest::addColumn<QString>("golden");
    QTest::addColumn<QString>("kind");
    for (const auto& [golden, kind] : {std::pair("kind_gpt2", "gpt2"),
                                       {"kind_gpt2_without_biases", "gpt2"},
                                       {"kind_llama", "llama"},
                                       {"kind_bert", "bert"},
                                       {"kind_t5", "t5"}})
        QTest::newRow(golden) << QString(golden) << QString(kind);
}

void TestExportHuggingFace::aModelOfOursThatHasAKindsSettingsIsWritten() {
    QFETCH(QString, golden);
    QFETCH(QString, kind);
    const QTemporaryDir folder;
    const std::string out = folder.filePath("out").toStdString();
    const TrainedModel model = openModel((exportHuggingFaceGoldens / (golden.toStdString() + ".safetensors")).string());
    const std::string note = writeHuggingFaceFolder(model, out);
    QVERIFY2(note.find("tokenizer") != std::string::npos, note.c_str());
    QVERIFY(configOf(out)["model_type"] == kind.toStdString());
    const TrainedModel after = openModel(out);
    QVERIFY(std::ranges::equal(after.network->parameters().flat(), model.network->parameters().flat()));
}

void TestExportHuggingFace::aModelThatNoKindComputesIsRefusedWithWhatPartsThem() {
    const QTemporaryDir folder;
    const std::string out = folder.filePath("out").toStdString();
    QCOMPARE(refusal(makeModel(likeGpt2), out), std::string());
    const std::string other = folder.filePath("other").toStdString();
    const std::string post = refusal(makeModel(with(likeGpt2, {{"norm_order", "post"}})), other);
    QVERIFY2(post.find("the nearest is gpt2, but norm_order is \"post\" and there \"pre\"") != std::string::npos,
             post.c_str());
    const std::string shipped = HEADLIGHT_SOURCE_DIR "/resources/models/";
    const std::string rnn = refusal(openModel(shipped + "vi-en-rnn.safetensors"), other);
    QVERIFY2(rnn.find("no model of architecture rnn") != std::string::npos, rnn.c_str());
    const std::string paper = refusal(openModel(shipped + "vi-en-transformer.safetensors"), other);
    QVERIFY2(paper.find("--format pytorch") != std::string::npos, paper.c_str());
    QVERIFY(!fs::exists(other));
}

void TestExportHuggingFace::aTokenizerComesBack_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("size");
    for (const auto& [name, kind] : {std::pair("bert", "bert"),
                                     {"bert-cased-json", "bert"},
                                     {"gpt2", "gpt2"},
                                     {"gpt2-json", "gpt2"},
                                     {"llama", "llama"},
                                     {"llama-json", "llama"},
                                     {"marian", "marian"},
                                     {"t5", "t5"}})
        QTest::newRow(name) << QString(name) << QString(kind) << 0;
    QTest::newRow("t5 with room") << "t5"
                                  << "t5" << 1200;
}

void TestExportHuggingFace::aTokenizerComesBack() {
    QFETCH(QString, name);
    QFETCH(QString, kind);
    QFETCH(int, size);
    const QTemporaryDir temporary;
    const std::string out = temporary.filePath("out").toStdString();
    const TokenizerFacts facts{.modelType = kind.toStdString(), .vocabularySize = size};
    const FolderTokenizers before =
        openTokenizers(platform::Folder(exportHuggingFaceGoldens / "tokenizers" / name.toStdString()), facts);
    {
        NewFolder folder(out);
        QCOMPARE(writeTokenizerFiles({.network = nullptr, .source = before.source, .target = before.target},
                                     kind.toStdString(), folder),
                 std::string());
        folder.keep();
    }
    const FolderTokenizers after = openTokenizers(platform::Folder(fs::path(out)), facts);
    for (const char* line : {"The quick brown fox, 12 of them.", "  два  пробела ", ">>en<< xin chào thế giới",
                             "a </s> b [MASK] c <extra_id_0> <|endoftext|>", "naïve café 你好 🙂"}) {
        QCOMPARE(after.source->encodeInput(line).ids, before.source->encodeInput(line).ids);
        QCOMPARE(after.target->encodeInput(line).ids, before.target->encodeInput(line).ids);
        const std::vector<int> ids = before.target->encode(line);
        QCOMPARE(after.target->decode(ids), before.target->decode(ids));
    }
    QCOMPARE(after.source->vocabulary().tokens(), before.source->vocabulary().tokens());
    QVERIFY(after.source->toJson()["specials"] == before.source->toJson()["specials"]);
}

QTEST_APPLESS_MAIN(TestExportHuggingFace)
#include "test_export_hugging_face.moc"
