// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-Neo (Black et al. 2021): GPT-2's shape with scores that nothing divides, and layers that see all words before and
// a window of them in turn.
#include <algorithm>

#include "core/import/model_kind.h"
#include "core/json_text.h"

namespace headlight::gptneo {

namespace {

std::string fileName(const std::string& canonical) {
    return withPrefix("transformer.", canonical, {"lm_head."});
}

/// "global" or "local" for each layer: `attention_layers`, or `attention_types`, [[["global", "local"], 12]].
std::vector<std::string> layerKinds(const ForeignConfig& foreign, int layers) {
    std::vector<std::string> kinds;
    const auto add = [&](const nlohmann::json& list) {
        for (const nlohmann::json& each : list) {
            if (each != "global" && each != "local")
                throw foreign.fault("attention_types has " + jsonText(each).substr(0, 80) +
                                    ", and Headlight computes global and local layers");
            if (kinds.size() <= static_cast<size_t>(layers)) kinds.push_back(each.get<std::string>());
        }
    };
    const nlohmann::json& json = foreign.json();
    if (foreign.has("attention_layers") && json.at("attention_layers").is_array()) {
        add(json.at("attention_layers"));
    } else if (foreign.has("attention_types") && json.at("attention_types").is_array()) {
        for (const nlohmann::json& each : json.at("attention_types")) {
            const bool isRun =
                each.is_array() && each.size() == 2 && each[0].is_array() && each[1].is_number_unsigned();
            if (!isRun) throw foreign.fault("attention_types is no list of layers and how often they come: correct it");
            for (uint64_t i = 0; i < std::min<uint64_t>(each[1].get<uint64_t>(), static_cast<uint64_t>(layers)); ++i)
                add(each[0]);
        }
    } else {
        for (int i = 0; i < layers; ++i)
            kinds.emplace_back(i % 2 == 0 ? "global" : "local");
    }
    if (kinds.size() != static_cast<size_t>(layers))
        throw foreign.fault("attention_types is not of " + std::to_string(layers) +
                            " layers, as num_layers is: correct one");
    return kinds;
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("hidden_size");
    config.numLayers = foreign.size("num_layers");
    config.numHeads = foreign.size("num_heads");
    config.dFf =
        foreign.size("intermediate_size", static_cast<int>(std::min(int64_t{4} * config.dModel, int64_t{1} << 30)));
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = foreign.size("max_position_embeddings", 2048);
    config.activation = foreign.activation("activation_function", "gelu_new");
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.layerNormEps = foreign.number("layer_norm_epsilon", 1e-5);
    config.qkvBias = OwnBias::None;
    config.positionalEncoding = PositionalKind::Learned;
    config.scaleEmbeddings = false;
    config.scaleScores = false;
    constexpr int mostLayers = 1024;  // more are refused where sizes are checked
    const int layers = std::min(config.numLayers, mostLayers);
    const std::vector<std::string> kinds = layerKinds(foreign, layers);
    for (int i = 0; i < layers; ++i)
        if (kinds[static_cast<size_t>(i)] == "local") config.windowLayers.push_back(i);
    if (!config.windowLayers.empty()) config.slidingWindow = foreign.size("window_size", 256);
    if (config.windowLayers.size() == static_cast<size_t>(layers)) config.windowLayers.clear();
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    config.outputBias = false;
    config.startsAtEnd = false;
    config.dropout = foreign.number("resid_dropout", 0);
    const int end = foreign.id("eos_token_id").value_or(config.sourceVocabSize - 1);
    config.eosId = config.unkId = end;
    config.bosId = foreign.id("bos_token_id").value_or(end);
    config.padId = foreign.id("pad_token_id").value_or(end);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json{{"model_type", "gpt_neo"},
                        {"architectures", {"GPTNeoForCausalLM"}},
                        {"hidden_size", config.dModel},
                        {"num_layers", config.numLayers},
                        {"num_heads", config.numHeads},
                        {"intermediate_size", config.dFf},
                        {"vocab_size", config.sourceVocabSize},
                        {"max_position_embeddings", config.maxLength},
                        {"activation_function", activationName(config.activation)},
                        {"layer_norm_epsilon", config.layerNormEps},
                        {"tie_word_embeddings", config.tieEmbeddings},
                        {"resid_dropout", config.dropout},
                        {"embed_dropout", config.dropout},
                        {"attention_dropout", config.dropout},
                        {"bos_token_id", config.bosId},
                        {"eos_token_id", config.eosId},
                        {"pad_token_id", config.padId}};
    nlohmann::json layers = nlohmann::json::array();
    for (int i = 0; i < config.numLayers; ++i)
        layers.push_back(config.isWindowed(i) ? "local" : "global");
    json["attention_layers"] = layers;
    const nlohmann::json run = {layers, 1};
    json["attention_types"] = nlohmann::json::array({run});
    if (config.slidingWindow > 0) json["window_size"] = config.slidingWindow;
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "wte.weight");
    plan.copy("positions.weight", "wpe.weight");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("h.", i);
        const std::string attention = theirs + "attn.attention.";
        plan.stack(ours + "self_attn.in_proj_weight",
                   {attention + "q_proj.weight", attention + "k_proj.weight", attention + "v_proj.weight"});
        plan.module(ours + "self_attn.out_proj", attention + "out_proj");
        plan.module(ours + "linear1", theirs + "mlp.c_fc");
        plan.module(ours + "linear2", theirs + "mlp.c_proj");
        plan.module(ours + "norm1", theirs + "ln_1");
        plan.module(ours + "norm2", theirs + "ln_2");
    }
    plan.module("transformer.norm", "ln_f");
    plan.head("lm_head.weight", config.tieEmbeddings);
    plan.ignore("h.*.attn.attention.bias");  // the mask, which older files keep
    plan.ignore("h.*.attn.attention.masked_bias");
}

}  // namespace

}  // namespace headlight::gptneo

namespace headlight {

extern const ModelKind gptNeoKind;
const ModelKind gptNeoKind{"gpt_neo",        "GPT-Neo",      {"language-model"}, nullptr,
                           gptneo::fileName, gptneo::config, gptneo::describe,   gptneo::weights};

}  // namespace headlight
