// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/import/gguf/gguf_keys.h"
#include "core/import/gguf/gguf_model.h"
#include "core/import/gguf/gguf_rotary.h"
#include "core/io/safetensors_header.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr const char* headCount = "attention.head_count";

/// Keys that change what is computed, and the value with which they do not. `none`: that they are there is enough.
struct Unknown {
    const char* key;
    double without;
};
constexpr std::array unknownKeys{
    Unknown{"expert_count", 0},        Unknown{"attention.scale", 0},          Unknown{"attention.max_alibi_bias", 0},
    Unknown{"attention.clamp_kqv", 0}, Unknown{"rope.scaling.attn_factor", 1}, Unknown{"logit_scale", 0},
    Unknown{"residual_scale", 0},      Unknown{"embedding_scale", 0},          Unknown{"nextn_predict_layers", 0},
};

void refuseWhatIsNotComputed(const GgufKeys& keys) {
    const gguf::File& file = keys.file();
    const std::string type = file.text("general.type").value_or("model");
    if (type != "model")
        throw file.fault("it holds no model of language, its general.type is " + safetensors::quotedName(type) +
                         ": open the file of the model itself");
    if (const auto parts = file.whole("split.count"); parts && *parts > 1)
        throw file.fault("it is one part of " + std::to_string(*parts) +
                         ": join them with llama-gguf-split --merge and open the whole");
    if (file.tensors().empty())
        throw file.fault("it holds a vocabulary and no weights: open the file of the model itself");
    for (const auto& [key, without] : unknownKeys)
        if (const double there = keys.number(key, without); there != without && there != 0)
            throw file.fault("the key " + keys.full(key) + " is " + shortestNumber(there) +
                             ", and Headlight does not compute such models");
    if (!file.flag(keys.full("attention.causal")).value_or(true))
        throw file.fault("the key " + keys.full("attention.causal") +
                         " is false, and Headlight reads models of this kind that go on with a text");
}

/// Rows of a matrix that must be there.
int64_t rowsOf(const gguf::File& file, const char* tensor) {
    const std::vector<int64_t>& shape = file.tensor(tensor).shape;
    if (shape.size() != 2)
        throw file.fault("the tensor " + safetensors::quotedName(tensor) + " is no matrix: the file is damaged");
    return shape.front();
}

void takeTokens(const GgufKeys& keys, nlohmann::json& json) {
    if (const auto id = keys.token("bos")) json["bos_token_id"] = *id;
    if (const auto id = keys.token("padding")) json["pad_token_id"] = *id;
    // A chat model's turn ends with a token of its own.
    std::vector<int> ends;
    for (const char* name : {"eos", "eot", "eom"})
        if (const auto id = keys.token(name); id && std::ranges::find(ends, *id) == ends.end()) ends.push_back(*id);
    if (!ends.empty()) json["eos_token_id"] = std::move(ends);
}

bool hasTensor(const GgufKeys& keys, const char* name) {
    return keys.file().tensors().count(name) != 0;
}

/// What all kinds say alike.
nlohmann::json common(const GgufKeys& keys, const char* kind) {
    nlohmann::json json{{"model_type", kind},
                        {"vocab_size", rowsOf(keys.file(), "token_embd.weight")},
                        {"tie_word_embeddings", !hasTensor(keys, "output.weight")}};
    takeTokens(keys, json);
    return json;
}

/// Of a head: what the file says, else what is usual. Throws Error where queries and values differ.
int headWidth(const GgufKeys& keys) {
    const int usual = keys.size("embedding_length") / keys.size(headCount);
    const int width = keys.has("attention.key_length") ? keys.size("attention.key_length") : usual;
    if (keys.has("attention.value_length") && keys.size("attention.value_length") != width)
        throw keys.file().fault("the keys " + keys.full("attention.key_length") + " and " +
                                keys.full("attention.value_length") + " differ, and Headlight has one number for both");
    return width;
}

/// What all kinds but GPT-2 call alike. `share`: how the kind calls that part of a head which is turned.
nlohmann::json withRotary(const GgufKeys& keys, const char* kind, const char* share = "partial_rotary_factor") {
    nlohmann::json json = common(keys, kind);
    json["hidden_size"] = keys.size("embedding_length");
    json["num_hidden_layers"] = keys.size("block_count");
    json["num_attention_heads"] = keys.size(headCount);
    json["intermediate_size"] = keys.size("feed_forward_length");
    json["max_position_embeddings"] = keys.size("context_length");
    takeGgufRotary(keys, json);
    if (const auto turned = ggufRotaryShare(keys, headWidth(keys))) json[share] = *turned;
    return json;
}

void takeKeyHeads(const GgufKeys& keys, nlohmann::json& json) {
    json["num_key_value_heads"] =
        keys.has("attention.head_count_kv") ? keys.size("attention.head_count_kv") : keys.size(headCount);
}

nlohmann::json llamaLike(const GgufKeys& keys, const char* kind) {
    nlohmann::json json = withRotary(keys, kind);
    takeKeyHeads(keys, json);
    json["rms_norm_eps"] = keys.number("attention.layer_norm_rms_epsilon");
    json["head_dim"] = headWidth(keys);
    if (hasTensor(keys, "blk.0.attn_q.bias")) json["attention_bias"] = true;
    if (hasTensor(keys, "blk.0.ffn_gate.bias")) json["mlp_bias"] = true;
    return json;
}

nlohmann::json llama(const GgufKeys& keys) {
    nlohmann::json json = llamaLike(keys, "llama");
    if (json.contains("partial_rotary_factor"))
        throw keys.file().fault("the key " + keys.full("rope.dimension_count") +
                                " turns a part of each head, and a llama turns all of it: convert the model again");
    // Mistral's: of the same architecture there, of a kind of its own here.
    if (const int window = keys.sizeOrNone("attention.sliding_window").value_or(0); window > 0) {
        json["model_type"] = "mistral";
        json["sliding_window"] = window;
    }
    return json;
}

nlohmann::json phi3(const GgufKeys& keys) {
    nlohmann::json json = llamaLike(keys, "phi3");
    if (const int window = keys.sizeOrNone("attention.sliding_window").value_or(0); window > 0)
        json["sliding_window"] = window;
    return json;
}

/// Which layers have a window: of so many all but the last, or as the file lists them.
void takePattern(const GgufKeys& keys, int usual, int window, nlohmann::json& json) {
    const gguf::File& file = keys.file();
    const std::string key = keys.full("attention.sliding_window_pattern");
    const int layers = keys.size("block_count");
    constexpr int most = 1024;  // more are refused where sizes are checked
    if (layers > most) return;
    std::vector<bool> windowed(static_cast<size_t>(layers), false);
    const auto found = file.keys().find(key);
    if (found != file.keys().end() && std::holds_alternative<std::vector<int64_t>>(found->second.held)) {
        const std::vector<int64_t>& listed = *file.wholes(key);
        if (listed.size() != windowed.size())
            throw file.fault("the key " + key + " lists " + std::to_string(listed.size()) + " layers, and there are " +
                             std::to_string(layers) + ": convert the model again");
        std::transform(listed.begin(), listed.end(), windowed.begin(), [](int64_t each) { return each != 0; });
    } else {
        const int period = keys.sizeOrNone("attention.sliding_window_pattern").value_or(usual);
        for (int i = 0; i < layers; ++i)
            windowed[static_cast<size_t>(i)] = period == 0 || i % period < period - 1;
    }
    json["layer_types"] = nlohmann::json::array();
    for (const bool each : windowed)
        json["layer_types"].push_back(each && window > 0 ? "sliding_attention" : "full_attention");
    if (window > 0) json["sliding_window"] = window;
}

/// Gemma 2 and 3. The largest model of each scales by the width that a head would have if heads filled the states; no
/// key says so, and llama.cpp tells it by the number of layers too.
nlohmann::json laterGemma(const GgufKeys& keys, const char* kind, int layersOfTheLargest) {
    nlohmann::json json = llamaLike(keys, kind);
    const bool isLargest = keys.size("block_count") == layersOfTheLargest;
    json["query_pre_attn_scalar"] = isLargest ? keys.size("embedding_length") / keys.size(headCount) : headWidth(keys);
    return json;
}

nlohmann::json gemma2(const GgufKeys& keys) {
    constexpr int largest = 46, usualWindow = 4096, period = 2;
    nlohmann::json json = laterGemma(keys, "gemma2", largest);
    json["attn_logit_softcapping"] = keys.number("attn_logit_softcapping", 50);
    json["final_logit_softcapping"] = keys.number("final_logit_softcapping", 30);
    takePattern(keys, period, keys.sizeOrNone("attention.sliding_window").value_or(usualWindow), json);
    return json;
}

nlohmann::json gemma3(const GgufKeys& keys) {
    constexpr int largest = 62, period = 6;
    nlohmann::json json = laterGemma(keys, "gemma3_text", largest);
    if (keys.has("final_logit_softcapping")) json["final_logit_softcapping"] = keys.number("final_logit_softcapping");
    json["rope_local_base_freq"] = keys.number("rope.freq_base_swa", 10000);
    takePattern(keys, period, keys.sizeOrNone("attention.sliding_window").value_or(0), json);
    return json;
}

nlohmann::json gpt2(const GgufKeys& keys) {
    nlohmann::json json = common(keys, "gpt2");
    json["n_embd"] = keys.size("embedding_length");
    json["n_layer"] = keys.size("block_count");
    json["n_head"] = keys.size(headCount);
    json["n_inner"] = keys.size("feed_forward_length");
    json["n_positions"] = keys.size("context_length");
    json["activation_function"] = "gelu_new";
    json["layer_norm_epsilon"] = keys.number("attention.layer_norm_epsilon");
    return json;
}

nlohmann::json gptNeox(const GgufKeys& keys) {
    nlohmann::json json = withRotary(keys, "gpt_neox", "rotary_pct");
    // What is turned is a quarter where a config.json does not say it, and all where a GGUF file does not.
    if (!json.contains("rotary_pct")) json["rotary_pct"] = 1;
    json["use_parallel_residual"] = keys.file().flag(keys.full("use_parallel_residual")).value_or(true);
    json["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    json["attention_bias"] = hasTensor(keys, "blk.0.attn_qkv.bias");
    return json;
}

nlohmann::json phi2(const GgufKeys& keys) {
    nlohmann::json json = withRotary(keys, "phi");
    takeKeyHeads(keys, json);
    if (!json.contains("partial_rotary_factor")) json["partial_rotary_factor"] = 1;
    json["layer_norm_eps"] = keys.number("attention.layer_norm_epsilon");
    return json;
}

nlohmann::json gemma(const GgufKeys& keys) {
    return llamaLike(keys, "gemma");
}

nlohmann::json qwen2(const GgufKeys& keys) {
    nlohmann::json json = llamaLike(keys, "qwen2");
    json.erase("attention_bias");  // its kind has them always
    return json;
}

nlohmann::json qwen3(const GgufKeys& keys) {
    return llamaLike(keys, "qwen3");
}

struct Architecture {
    std::string_view name;
    nlohmann::json (*config)(const GgufKeys& keys);
};
constexpr std::array ggufArchitectures{
    Architecture{"llama", llama}, Architecture{"qwen2", qwen2},     Architecture{"qwen3", qwen3},
    Architecture{"gemma", gemma}, Architecture{"gemma2", gemma2},   Architecture{"gemma3", gemma3},
    Architecture{"gpt2", gpt2},   Architecture{"gptneox", gptNeox}, Architecture{"phi2", phi2},
    Architecture{"phi3", phi3},
};

}  // namespace

ForeignConfig ggufConfig(const gguf::File& file) {
    const GgufKeys keys(file);
    std::string known;
    for (const Architecture& each : ggufArchitectures) {
        if (each.name == keys.architecture()) {
            refuseWhatIsNotComputed(keys);
            return {each.config(keys), file.name()};
        }
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    throw file.fault("its general.architecture is " + safetensors::quotedName(keys.architecture()) +
                     ", and Headlight reads of GGUF files " + known);
}

}  // namespace headlight
