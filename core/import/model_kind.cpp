// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/model_kind.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

constexpr const char* endsKey = "eos_token_id";

}  // namespace

// A new kind is declared and listed here.
extern const ModelKind gpt2Kind, gptNeoKind, gptNeoxKind, optKind, llamaKind, mistralKind, qwen2Kind, qwen3Kind,
    phiKind, phi3Kind, gemmaKind, gemma2Kind, gemma3Kind, bertKind, electraKind, robertaKind, xlmRobertaKind,
    camembertKind, distilbertKind, marianKind, bartKind, mbartKind, m2m100Kind, modernbertKind, t5Kind, pytorchKind;

std::span<const ModelKind* const> modelKinds() {
    static constexpr std::array kinds{
        &gpt2Kind,      &bertKind,    &distilbertKind, &marianKind,     &bartKind,   &mbartKind,   &t5Kind,
        &llamaKind,     &mistralKind, &qwen2Kind,      &qwen3Kind,      &phi3Kind,   &gemmaKind,   &gemma2Kind,
        &gemma3Kind,    &gptNeoxKind, &gptNeoKind,     &optKind,        &phiKind,    &robertaKind, &xlmRobertaKind,
        &camembertKind, &electraKind, &m2m100Kind,     &modernbertKind, &pytorchKind};
    return kinds;
}

std::string namesOfKinds() {
    std::string names;
    for (const ModelKind* kind : modelKinds())
        if (!kind->isAnyProgram()) names += (names.empty() ? "" : ", ") + std::string(kind->name);
    return names;
}

const ModelKind& kindOf(const ForeignConfig& config) {
    const std::string name = config.text("model_type", "");
    for (const ModelKind* kind : modelKinds())
        if (kind->name == name) return *kind;
    if (name.empty()) throw config.fault("it lacks model_type, the kind of the model: say one of " + namesOfKinds());
    throw config.fault("its model_type is \"" + name.substr(0, 80) + "\", and Headlight reads " + namesOfKinds());
}

ModelConfig readConfig(const ModelKind& kind, const ForeignConfig& foreign, const WeightFiles& files) {
    ModelConfig config = kind.config(foreign, files);
    if (kind.isAnyProgram() || !config.writesTexts()) return config;
    for (const int id : foreign.ids(endsKey))
        // One that no word has is never written, and ends nothing.
        if (!config.ends(id) && id < config.targetVocabSize) config.moreEndIds.push_back(id);
    return config;
}

nlohmann::json describeConfig(const ModelKind& kind, const ModelConfig& config) {
    nlohmann::json json = kind.describe(config);
    if (config.moreEndIds.empty()) return json;
    std::vector<int> ends{config.eosId};
    ends.insert(ends.end(), config.moreEndIds.begin(), config.moreEndIds.end());
    json[endsKey] = ends;
    return json;
}

nlohmann::json describeSizes(const ModelConfig& config) {
    return {{"hidden_size", config.dModel},           {"num_hidden_layers", config.numLayers},
            {"num_attention_heads", config.numHeads}, {"intermediate_size", config.dFf},
            {"vocab_size", config.sourceVocabSize},   {"max_position_embeddings", config.maxLength}};
}

const char* activationName(ops::Activation activation) {
    switch (activation) {
        case ops::Activation::Relu:
            return "relu";
        case ops::Activation::Gelu:
            return "gelu";
        case ops::Activation::GeluTanh:
            return "gelu_new";
        case ops::Activation::Silu:
            return "silu";
        case ops::Activation::QuickGelu:
            return "quick_gelu";
    }
    return "";
}

std::string withPrefix(const std::string& prefix, const std::string& name, std::initializer_list<const char*> outside) {
    const auto begins = [&](const char* head) { return name.starts_with(head); };
    return std::ranges::any_of(outside, begins) ? name : prefix + name;
}

std::string withoutWrappers(std::string name) {
    constexpr std::array<std::string_view, 5> wrappers{"module.", "_orig_mod.", "base_model.model.", "model.",
                                                       "transformer."};
    const auto begins = [&](std::string_view wrapper) { return name.starts_with(wrapper); };
    for (auto found = std::ranges::find_if(wrappers, begins); found != wrappers.end();
         found = std::ranges::find_if(wrappers, begins))
        name.erase(0, found->size());
    return name;
}

std::string withoutPrefix(const std::string& name, const std::string& prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::string layerScope(const std::string& stack, int layer) {
    return stack + std::to_string(layer) + ".";
}

}  // namespace headlight
