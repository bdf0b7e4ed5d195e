// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of other programs' configurations that change the numbers a model computes. What Headlight does not compute
// it refuses by the setting's name: a model that opened and told other numbers than its own program would be a lie.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/import/import_model.h"
#include "core/io/safetensors.h"

using namespace headlight;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path foreignSettingsGoldens = HEADLIGHT_SOURCE_DIR "/tests/golden/foreign";

/// A copy of a golden folder, or of a state_dict with its JSON, of which the configuration can be edited.
class Copy {
public:
    explicit Copy(const std::string& name) : m_isFile(name.starts_with("pytorch_")) {
        if (m_isFile) {
            for (const char* ending : {".json", ".safetensors"})
                fs::copy(foreignSettingsGoldens / (name + ending), root() / (std::string("model") + ending));
        } else {
            fs::copy(foreignSettingsGoldens / name, root(),
                     fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        }
    }
    fs::path root() const { return m_folder.path().toStdString(); }
    fs::path config() const { return root() / (m_isFile ? "model.json" : "config.json"); }
    std::string model() const { return (m_isFile ? root() / "model.safetensors" : root()).string(); }

    /// `path`: a JSON pointer, as `/rope_scaling/type`.
    void set(const std::string& path, const std::string& value) const {
        json whole = json::parse(std::ifstream(config()));
        whole[json::json_pointer(path)] = json::parse(value);
        std::ofstream(config()) << whole;
    }
    std::string refusal() const {
        try {
            openModel(model());
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    }

private:
    QTemporaryDir m_folder;
    bool m_isFile;
};

}  // namespace

class TestForeignSettings : public QObject {
    Q_OBJECT
private slots:
    void whatIsNotComputedIsRefusedByItsName_data();
    void whatIsNotComputedIsRefusedByItsName();
    void whatStandsAsItIsComputedIsRead_data();
    void whatStandsAsItIsComputedIsRead();
    void bartsFirstFilesForceTheirFirstWordByASwitch();
    void aHeadOfItsOwnMustBeThere_data();
    void aHeadOfItsOwnMustBeThere();
    void sizesThatNoModelHasAreRefused_data();
    void sizesThatNoModelHasAreRefused();
    void weightsThatAreWholeNumbersAreRefused();
    void aDescriptionThatLeadsOutOfTheFolderIsNotFollowed();
    void numbersThatNoDoubleHoldsAreRefused();
};

void TestForeignSettings::whatIsNotComputedIsRefusedByItsName_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* model, const char* key, const char* value) {
        QTest::addRow("%s: %s = %s", model, key, value) << QString(model) << QString(key) << QString(value);
    };
    row("gpt2", "add_cross_attention", "true");
    row("gpt2", "quantization_config", R"({"bits": 4})");
    row("gpt2", "activation_function", "\"mish\"");
    row("gpt2", "auto_map", R"({"AutoModelForCausalLM": "own.Model"})");
    row("gpt2", "pruned_heads", R"({"0": [1]})");
    row("bert", "is_decoder", "true");
    row("bert", "position_embedding_type", "\"relative_key\"");
    row("bert", "hidden_act", "\"gelu_10\"");
    row("electra", "is_decoder", "true");
    row("electra", "position_embedding_type", "\"relative_key\"");
    row("electra_generator", "hidden_act", "\"relu\"");
    row("electra_classifier", "architectures", R"(["ElectraForTokenClassification"])");
    row("electra_classifier", "problem_type", "\"multi_label_classification\"");
    row("distilbert", "activation", "\"tanh\"");
    row("bert_classifier", "architectures", R"(["BertForTokenClassification"])");
    row("bert_classifier", "architectures", R"("BertForMultipleChoice")");
    row("bert_classifier", "architectures", "[1]");
    row("bert_classifier", "problem_type", "\"multi_label_classification\"");
    row("distilbert_classifier", "problem_type", "\"regression\"");
    row("bert_classifier", "id2label", R"({"0": "bad", "1": "good"})");
    row("bert_classifier", "id2label", R"({"0": "bad", "1": "good", "3": "none"})");
    row("bert_classifier", "id2label", R"({"0": "bad", "1": "good", "2": "bad"})");
    row("bert_classifier", "id2label", R"({"0": "bad", "1": "good", "2": ""})");
    row("bert_classifier", "id2label", R"({"0": "bad", "1": "good", "2": "<unk>"})");
    row("bert_classifier", "id2label", "[1, 2, 3]");
    row("marian", "static_position_embeddings", "false");
    row("marian", "normalize_embedding", "true");
    row("marian", "normalize_before", "true");
    row("marian", "add_final_layer_norm", "true");
    row("marian", "encoder_ffn_dim", "16");
    row("marian", "decoder_attention_heads", "2");
    row("bart", "static_position_embeddings", "true");
    row("bart", "normalize_embedding", "false");
    row("bart", "normalize_before", "true");
    row("bart", "add_final_layer_norm", "true");
    row("mbart", "normalize_before", "false");
    row("mbart", "add_final_layer_norm", "false");
    row("nllb", "d_model", "15");
    row("nllb", "normalize_before", "false");
    row("nllb", "decoder_ffn_dim", "16");
    row("nllb", "activation_function", "\"mish\"");
    row("modernbert", "classifier_bias", "true");
    row("modernbert", "classifier_activation", "\"relu\"");
    row("modernbert", "hidden_activation", "\"mish\"");
    row("modernbert", "rope_scaling", R"({"rope_type": "linear", "factor": 2.0})");
    row("modernbert", "layer_types", R"(["full_attention"])");
    row("modernbert_classifier", "classifier_activation", "\"silu\"");
    row("modernbert_classifier", "classifier_pooling", "\"mean\"");
    row("modernbert_classifier", "architectures", R"(["ModernBertForTokenClassification"])");
    row("t5", "feed_forward_proj", "\"gated-tanh\"");
    row("t5", "is_gated_act", "true");
    row("flan_t5", "is_gated_act", "false");
    row("t5", "dense_act_fn", "\"gelu_new\"");
    row("t5", "scale_decoder_outputs", "false");
    row("flan_t5", "scale_decoder_outputs", "true");
    row("llama", "sliding_window", "4096");
    row("llama", "partial_rotary_factor", "0.01");
    row("llama", "partial_rotary_factor", "1.5");
    row("llama", "rope_scaling", R"({"type": "linear"})");
    row("llama", "rope_scaling", R"({"rope_type": "llama3", "factor": 8.0})");
    row("llama", "rope_scaling", R"({"rope_type": "longrope", "short_factor": [1.0]})");
    row("llama", "rope_scaling", R"({"rope_type": "dynamic", "factor": 2.0})");
    row("llama", "rope_scaling", R"({"rope_type": "yarn"})");
    row("llama", "rope_scaling", "[2]");
    row("llama", "rope_parameters", R"({"rope_type": "default", "rope_theta": 10000.0})");
    row("mistral", "layer_types", R"(["sliding_attention", "chunked_attention"])");
    row("qwen2", "layer_types", R"(["sliding_attention"])");
    row("phi3", "rope_scaling", R"({"type": "longrope", "long_factor": [1.0], "short_factor": [1.0]})");
    row("gemma2", "use_bidirectional_attention", "true");
    row("gemma3_newer", "rope_parameters",
        R"({"sliding_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 300.0}})");
    row("gpt_neox", "rotary_pct", "0");
    row("gpt_neo_local", "attention_types", R"([[["local"], 2]])");
    row("gpt_neo_local", "attention_types", R"([[["far"], 3]])");
    row("gpt_neo_local", "attention_types", R"(["local"])");
    row("opt", "word_embed_proj_dim", "9");
    row("opt", "layer_norm_elementwise_affine", "false");
    row("phi", "qk_layernorm", "true");
    row("roberta", "position_embedding_type", "\"relative_key\"");
    row("roberta", "is_decoder", "true");
    row("roberta", "hidden_act", "\"relu\"");
    row("pytorch_lstm", "ignored", "\"*\"");
    row("pytorch_lstm", "names", "[\"generator\"]");
}

void TestForeignSettings::whatIsNotComputedIsRefusedByItsName() {
    QFETCH(QString, model);
    QFETCH(QString, key);
    QFETCH(QString, value);
    const Copy copy(model.toStdString());
    QCOMPARE(copy.refusal(), std::string());  // before
    copy.set("/" + key.toStdString(), value.toStdString());
    const std::string refusal = copy.refusal();
    QVERIFY2(refusal.starts_with(copy.config().string()), refusal.c_str());
    QVERIFY2(refusal.find(key.toStdString()) != std::string::npos, refusal.c_str());
    QVERIFY2(refusal.size() < 600 && refusal.find('\n') == std::string::npos, refusal.c_str());
}

void TestForeignSettings::whatStandsAsItIsComputedIsRead_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* model, const char* key, const char* value) {
        QTest::addRow("%s: %s = %s", model, key, value) << QString(model) << QString(key) << QString(value);
    };
    row("gpt2", "auto_map", R"({"AutoTokenizer": "own.Tokenizer"})");
    row("bert", "position_embedding_type", "\"absolute\"");
    row("bert", "pruned_heads", "{}");
    row("distilbert_classifier", "problem_type", "\"single_label_classification\"");
    row("marian", "static_position_embeddings", "true");
    row("bart", "static_position_embeddings", "false");
    row("nllb", "scale_embedding", "true");
    row("nllb", "activation_function", "\"relu\"");
    row("modernbert", "layer_types",
        R"(["full_attention", "sliding_attention", "sliding_attention", "full_attention"])");
    row("modernbert", "rope_parameters", R"({"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})");
    row("modernbert_classifier", "decoder_bias", "false");
    row("t5", "is_gated_act", "false");
    row("t5", "dense_act_fn", "\"relu\"");
    row("flan_t5", "dense_act_fn", "\"gelu_new\"");
    row("flan_t5", "scale_decoder_outputs", "false");
    row("llama", "sliding_window", "null");
    row("llama", "partial_rotary_factor", "1.0");
    row("llama", "rope_scaling", R"({"rope_type": "default", "rope_theta": 500.0})");
    row("llama", "rope_parameters", R"({"rope_type": "default", "rope_theta": 500.0})");
    row("mistral", "layer_types", R"(["sliding_attention", "sliding_attention"])");
    row("qwen2", "layer_types", R"(["full_attention", "sliding_attention"])");
    row("qwen3", "sliding_window", "4096");
    row("gemma2", "layer_types", R"(["sliding_attention", "full_attention", "sliding_attention"])");
    row("gpt_neox", "rope_scaling", "null");
    row("gpt_neox", "attention_bias", "true");
    row("gpt_neo_local", "attention_layers", R"(["local", "local", "local"])");
    row("opt", "_remove_final_layer_norm", "false");
    row("phi", "partial_rotary_factor", "0.4");
}

void TestForeignSettings::whatStandsAsItIsComputedIsRead() {
    QFETCH(QString, model);
    QFETCH(QString, key);
    QFETCH(QString, value);
    const Copy copy(model.toStdString());
    const ModelConfig before = openModel(copy.model()).network->config();
    copy.set("/" + key.toStdString(), value.toStdString());
    QVERIFY(openModel(copy.model()).network->config() == before);
}

void TestForeignSettings::bartsFirstFilesForceTheirFirstWordByASwitch() {
    const Copy copy("bart");
    copy.set("/force_bos_token_to_be_generated", "true");
    QCOMPARE(openModel(copy.model()).network->config().forcedFirstId, 0);
    copy.set("/forced_bos_token_id", "7");
    QCOMPARE(openModel(copy.model()).network->config().forcedFirstId, 7);
}

void TestForeignSettings::aHeadOfItsOwnMustBeThere_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"gpt2", "bert", "marian", "bart", "nllb", "modernbert", "t5", "llama_settings"})
        QTest::newRow(model) << QString(model);
}

void TestForeignSettings::aHeadOfItsOwnMustBeThere() {
    QFETCH(QString, model);
    const Copy copy(model.toStdString());
    QCOMPARE(copy.refusal(), std::string());  // before
    copy.set("/tie_word_embeddings", "false");
    const std::string refusal = copy.refusal();
    QVERIFY2(refusal.find("lacks the tensor") != std::string::npos || refusal.find("asks for") != std::string::npos,
             refusal.c_str());
}

void TestForeignSettings::sizesThatNoModelHasAreRefused_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    const auto rows = [](const char* model, const std::string& prefix, const std::vector<const char*>& keys,
                         const std::vector<const char*>& values) {
        for (const char* key : keys)
            for (const char* value : values)
                QTest::addRow("%s: %s = %s", model, key, value)
                    << QString(model) << QString::fromStdString(prefix + key) << QString(value);
    };
    const std::vector<const char*> sizes{"0", "-1", "2147483647", "1e300", "18446744073709551615", "2.5", "[4]", "{}"};
    rows("gpt2", "/", {"n_embd", "n_layer", "n_head", "n_inner", "n_positions", "vocab_size"}, sizes);
    rows("bert", "/",
         {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "max_position_embeddings",
          "vocab_size", "type_vocab_size"},
         sizes);
    rows("distilbert", "/", {"dim", "n_layers", "n_heads", "hidden_dim", "max_position_embeddings", "vocab_size"},
         sizes);
    rows("marian", "/", {"d_model", "encoder_layers", "decoder_layers", "vocab_size", "max_position_embeddings"},
         sizes);
    rows("bart", "/", {"d_model", "encoder_layers", "decoder_layers", "vocab_size", "max_position_embeddings"}, sizes);
    rows("t5", "/",
         {"d_model", "d_kv", "d_ff", "num_layers", "num_decoder_layers", "num_heads", "vocab_size", "n_positions",
          "relative_attention_num_buckets", "relative_attention_max_distance"},
         sizes);
    rows("llama", "/",
         {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim",
          "intermediate_size", "vocab_size"},
         sizes);
    for (const char* model : {"mistral", "qwen2", "qwen3", "phi3", "gemma3"})
        rows(model, "/", {"hidden_size", "num_hidden_layers", "num_attention_heads", "head_dim"},
             {"0", "-1", "1e300", "2.5"});
    for (const char* model : {"mistral", "qwen2", "phi3", "gemma3"})
        rows(model, "/", {"sliding_window"}, {"0", "-1", "1e300", "2.5"});
    rows("gpt_neox", "/", {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"}, sizes);
    rows("gpt_neo", "/", {"hidden_size", "num_layers", "num_heads", "window_size", "max_position_embeddings"}, sizes);
    rows("opt", "/", {"hidden_size", "ffn_dim", "num_attention_heads", "max_position_embeddings"}, sizes);
    rows("phi", "/", {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"}, sizes);
    rows("nllb", "/", {"d_model", "encoder_layers", "vocab_size", "max_position_embeddings"}, sizes);
    rows("modernbert", "/",
         {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
          "local_attention", "global_attn_every_n_layers"},
         sizes);
    rows("electra_generator", "/", {"hidden_size", "embedding_size", "num_hidden_layers"}, sizes);
    rows("roberta", "/", {"max_position_embeddings", "pad_token_id", "type_vocab_size"}, {"-1", "1e12", "2.5"});
    rows("gemma2", "/", {"query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping"},
         {"-1", "\"2\""});
    rows("llama_scaled", "/rope_parameters/", {"factor", "low_freq_factor", "high_freq_factor"}, {"0", "-1", "\"8\""});
    rows("llama_scaled", "/rope_parameters/", {"original_max_position_embeddings"}, sizes);
    rows("pytorch_transformer", "/config/", {"d_model", "num_heads", "num_encoder_layers", "d_ff", "max_length"},
         sizes);
    rows("pytorch_lstm", "/config/", {"embedding_size", "hidden_size", "num_layers", "source_vocab_size"}, sizes);
    rows("gpt2", "/", {"n_head"}, {"3", "5", "16384"});
    rows("llama", "/", {"num_key_value_heads"}, {"3", "8"});
    rows("llama", "/", {"head_dim"}, {"7", "16"});
    rows("llama", "/", {"rope_theta"}, {"0", "-1", "1", "\"10000\"", "1e999"});
    rows("llama", "/", {"rms_norm_eps"}, {"0", "-1e-6", "\"1e-6\"", "1e999"});
    for (const char* model : {"gpt2", "t5"})
        rows(model, "/", {"layer_norm_epsilon"}, {"0", "-1e-6", "1e999"});
    rows("bert", "/", {"layer_norm_eps"}, {"0", "-1e-12"});
    rows("marian", "/", {"decoder_start_token_id", "forced_bos_token_id", "pad_token_id"}, {"49", "-2", "1e12"});
}

void TestForeignSettings::sizesThatNoModelHasAreRefused() {
    QFETCH(QString, model);
    QFETCH(QString, path);
    QFETCH(QString, value);
    const Copy copy(model.toStdString());
    if (value == "1e999") {  // no double holds it, so nlohmann's writer could not write it
        copy.set(path.toStdString(), "\"here\"");
        std::ifstream in(copy.config());
        QByteArray text = QByteArray::fromStdString(std::string(std::istreambuf_iterator<char>(in), {}));
        std::ofstream(copy.config()) << text.replace("\"here\"", "1e999").toStdString();
    } else {
        copy.set(path.toStdString(), value.toStdString());
    }
    const std::string refusal = copy.refusal();
    QVERIFY2(refusal.starts_with(copy.root().string()), refusal.c_str());
    QVERIFY2(refusal.size() < 600 && refusal.find('\n') == std::string::npos, refusal.c_str());
}

void TestForeignSettings::weightsThatAreWholeNumbersAreRefused() {
    const Copy copy("gpt2_by_layer");
    const std::string file = copy.model() + "/model.safetensors";
    std::map<std::string, std::vector<int64_t>> shapes;
    {
        const auto old = safetensors::File::read(file);
        for (const auto& [name, entry] : old.entries())
            shapes[name] = entry.shape;
    }
    std::map<std::string, std::vector<int64_t>> values;
    safetensors::Writer writer;
    for (const auto& [name, shape] : shapes) {
        int64_t count = 1;
        for (const int64_t dim : shape)
            count *= dim;
        values[name].assign(static_cast<size_t>(count), 1);
        writer.add(name, shape, std::span<const int64_t>(values[name]));
    }
    writer.write(file);
    const std::string refusal = copy.refusal();
    QVERIFY2(refusal.find("holds I64") != std::string::npos && refusal.find("quantized") != std::string::npos,
             refusal.c_str());
}

void TestForeignSettings::aDescriptionThatLeadsOutOfTheFolderIsNotFollowed() {
    const Copy copy("pytorch_gru");
    QCOMPARE(copy.refusal(), std::string());
    fs::remove(copy.config());
    fs::create_symlink(foreignSettingsGoldens / "pytorch_gru.json", copy.config());
    const std::string refusal = copy.refusal();
    QVERIFY2(refusal.starts_with(copy.config().string()), refusal.c_str());
    QVERIFY2(refusal.find("leads out of the folder") != std::string::npos, refusal.c_str());
}

void TestForeignSettings::numbersThatNoDoubleHoldsAreRefused() {
    const Copy copy("gpt2");
    std::ofstream(copy.config()) << R"({"model_type": "gpt2", "n_embd": 1e999})";
    const std::string refusal = copy.refusal();
    QVERIFY2(refusal.starts_with(copy.config().string()), refusal.c_str());
    QVERIFY2(refusal.find("a number larger than") != std::string::npos, refusal.c_str());
}

QTEST_APPLESS_MAIN(TestForeignSettings)
#include "test_foreign_settings.moc"
