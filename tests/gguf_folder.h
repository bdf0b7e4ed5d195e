// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/io/safetensors.h"
#include "tests/gguf_file.h"

namespace headlight::fixture {

/// The way from a folder of Hugging Face's to a GGUF file, as llama.cpp's converters go it (conversion/ and
/// gguf-py/gguf/tensor_mapping.py there): for the kinds that are read back.
class GgufConversion {
public:
    struct Values {
        std::vector<int64_t> shape;
        std::vector<float> numbers;
    };

    /// `config` of the folder, which may have been changed; `tensors` under their names there.
    GgufConversion(nlohmann::json config, std::map<std::string, Values> tensors)
        : m_config(std::move(config)), m_tensors(std::move(tensors)), m_kind(m_config.at("model_type")) {}

    /// The file, its matrices of that type where their rows come to whole blocks, all else as float32.
    GgufWriter file(GgufType type) const {
        GgufWriter writer;
        writer.set("general.architecture", architecture());
        writer.set("general.type", "model");
        keys(writer);
        for (const auto& [name, values] : m_tensors)
            if (const std::string theirs = nameOf(name); !theirs.empty()) {
                const Values turned = turn(name, values);
                writer.tensor(theirs, turned.shape, isEncoded(turned.shape, type) ? type : GgufType::F32,
                              std::span<const float>(turned.numbers));
            }
        if (const auto divisors = llama3Divisors())
            writer.tensor("rope_freqs.weight", {static_cast<int64_t>(divisors->size())}, GgufType::F32,
                          std::span<const float>(*divisors));
        return writer;
    }

    static bool isEncoded(const std::vector<int64_t>& shape, GgufType type) {
        return shape.size() == 2 && (type != GgufType::Q8_0 || shape.back() % 32 == 0);
    }

private:
    bool is(std::initializer_list<const char*> kinds) const {
        return std::ranges::any_of(kinds, [this](const char* kind) { return m_kind == kind; });
    }
    bool isGemma() const { return is({"gemma", "gemma2", "gemma3_text"}); }
    std::string architecture() const {
        static const std::map<std::string, std::string> others{
            {"mistral", "llama"}, {"gemma3_text", "gemma3"}, {"gpt_neox", "gptneox"}, {"phi", "phi2"}};
        const auto found = others.find(m_kind);
        return found == others.end() ? m_kind : found->second;
    }
    int number(const char* key, int fallback = 0) const {
        const auto found = m_config.find(key);
        return found == m_config.end() || found->is_null() ? fallback : found->get<int>();
    }
    int heads() const { return number("num_attention_heads", number("n_head")); }
    int keyHeads() const { return number("num_key_value_heads", heads()); }
    int width() const { return number("hidden_size", number("n_embd")); }
    int headWidth() const { return number("head_dim", width() / heads()); }

    /// `rope_parameters`, or what older files have beside the sizes.
    nlohmann::json rotary() const {
        nlohmann::json found = m_config.value("rope_parameters", nlohmann::json::object());
        if (found.contains("full_attention")) found = found["full_attention"];
        for (const char* key : {"rope_theta", "partial_rotary_factor"})
            if (m_config.contains(key)) found[key] = m_config[key];
        if (m_config.contains("rotary_pct")) found["partial_rotary_factor"] = m_config["rotary_pct"];
        if (m_config.contains("rotary_emb_base")) found["rope_theta"] = m_config["rotary_emb_base"];
        if (const auto scaling = m_config.value("rope_scaling", nlohmann::json()); scaling.is_object())
            found.update(scaling);
        if (found.contains("type")) found["rope_type"] = found["type"];
        return found;
    }

    void keys(GgufWriter& writer) const {
        const std::string prefix = architecture() + ".";
        writer.set(prefix + "block_count", number("num_hidden_layers", number("n_layer")));
        writer.set(prefix + "context_length", number("max_position_embeddings", number("n_positions")));
        writer.set(prefix + "embedding_length", width());
        writer.set(prefix + "feed_forward_length", number("intermediate_size", number("n_inner", 4 * width())));
        writer.set(prefix + "attention.head_count", heads());
        if (!is({"gpt2", "gpt_neox"})) writer.set(prefix + "attention.head_count_kv", keyHeads());
        if (m_config.contains("head_dim")) {
            writer.set(prefix + "attention.key_length", headWidth());
            writer.set(prefix + "attention.value_length", headWidth());
        }
        for (const char* key : {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon"})
            if (m_config.contains(key))
                writer.set(prefix + (std::string(key) == "rms_norm_eps" ? "attention.layer_norm_rms_epsilon"
                                                                        : "attention.layer_norm_epsilon"),
                           m_config[key].get<double>());
        if (m_kind != "gpt2") angles(writer, prefix);
        if (m_config.contains("use_parallel_residual"))
            writer.set(prefix + "use_parallel_residual", m_config["use_parallel_residual"].get<bool>());
        if (is({"mistral", "phi3", "gemma2", "gemma3_text"}))
            writer.set(prefix + "attention.sliding_window", number("sliding_window"));
        if (m_kind == "gemma2") {
            writer.set(prefix + "attn_logit_softcapping", m_config["attn_logit_softcapping"].get<double>());
            writer.set(prefix + "final_logit_softcapping", m_config["final_logit_softcapping"].get<double>());
        }
        if (m_kind == "gemma3_text") {
            if (m_config.contains("sliding_window_pattern"))
                writer.set(prefix + "attention.sliding_window_pattern", number("sliding_window_pattern"));
            if (m_config.contains("layer_types")) pattern(writer, prefix);
        }
        tokens(writer);
    }

    void pattern(GgufWriter& writer, const std::string& prefix) const {
        GgufBytes list;
        list.put(GgufKind::Bool).put<uint64_t>(m_config["layer_types"].size());
        for (const auto& type : m_config["layer_types"])
            list.put<uint8_t>(type == "sliding_attention");
        writer.key(prefix + "attention.sliding_window_pattern", GgufKind::List, list);
    }

    void angles(GgufWriter& writer, const std::string& prefix) const {
        const nlohmann::json found = rotary();
        const double share = found.value("partial_rotary_factor", m_kind == "phi" ? 0.5 : 1.0);
        writer.set(prefix + "rope.dimension_count", static_cast<int>(headWidth() * share));
        if (found.contains("rope_theta")) writer.set(prefix + "rope.freq_base", found["rope_theta"].get<double>());
        if (found.value("rope_type", "") == "linear") {
            writer.set(prefix + "rope.scaling.type", "linear");
            writer.set(prefix + "rope.scaling.factor", found["factor"].get<double>());
        }
        if (m_kind != "gemma3_text") return;
        const auto parameters = m_config.value("rope_parameters", nlohmann::json::object());
        writer.set(prefix + "rope.freq_base_swa", parameters.contains("sliding_attention")
                                                      ? parameters["sliding_attention"]["rope_theta"].get<double>()
                                                      : m_config["rope_local_base_freq"].get<double>());
    }

    /// What llama.cpp divides the frequencies by, where the folder has angles of Llama 3's.
    std::optional<std::vector<float>> llama3Divisors() const {
        const nlohmann::json found = rotary();
        if (found.value("rope_type", "") != "llama3") return {};
        const double factor = found["factor"], low = found["low_freq_factor"], high = found["high_freq_factor"],
                     length = found["original_max_position_embeddings"];
        std::vector<float> divisors;
        for (int i = 0; i < headWidth(); i += 2) {
            const double turn = 2 * 3.14159265358979323846 *
                                std::pow(found["rope_theta"].get<double>(), static_cast<double>(i) / headWidth());
            const double share = (length / turn - low) / (high - low);
            divisors.push_back(static_cast<float>(turn < length / high  ? 1
                                                  : turn > length / low ? factor
                                                                        : 1 / ((1 - share) / factor + share)));
        }
        return divisors;
    }

    void tokens(GgufWriter& writer) const {
        for (const auto& [ours, theirs] :
             {std::pair("bos_token_id", "bos"), std::pair("eos_token_id", "eos"), std::pair("pad_token_id", "padding")})
            if (const int id = number(ours, -1); id >= 0)
                writer.set(std::string("tokenizer.ggml.") + theirs + "_token_id", id);
    }

    /// As the file calls it; empty for what the converter leaves out.
    std::string nameOf(std::string name) const {
        for (const char* prefix : {"gpt_neox.", "transformer.", "model."})
            if (name.starts_with(prefix)) name.erase(0, std::string(prefix).size());
        for (const char* end : {"masked_bias", "inv_freq", ".attn.bias", "attention.bias"})
            if (name.ends_with(end)) return {};
        std::string layer;
        for (const std::string scope : {"layers.", "h."})
            if (name.starts_with(scope)) {
                const size_t dot = name.find('.', scope.size());
                layer = "blk." + name.substr(scope.size(), dot - scope.size()) + ".";
                name.erase(0, dot + 1);
            }
        const size_t dot = name.rfind('.');
        return layer + parts().at(name.substr(0, dot)) + name.substr(dot);
    }

    std::map<std::string, std::string> parts() const {
        std::map<std::string, std::string> all{{"embed_tokens", "token_embd"},
                                               {"wte", "token_embd"},
                                               {"embed_in", "token_embd"},
                                               {"wpe", "position_embd"},
                                               {"lm_head", "output"},
                                               {"embed_out", "output"},
                                               {"norm", "output_norm"},
                                               {"ln_f", "output_norm"},
                                               {"final_layer_norm", "output_norm"},
                                               {"final_layernorm", "output_norm"},
                                               {"input_layernorm", "attn_norm"},
                                               {"ln_1", "attn_norm"},
                                               {"self_attn.q_proj", "attn_q"},
                                               {"self_attn.k_proj", "attn_k"},
                                               {"self_attn.v_proj", "attn_v"},
                                               {"self_attn.o_proj", "attn_output"},
                                               {"self_attn.dense", "attn_output"},
                                               {"self_attn.qkv_proj", "attn_qkv"},
                                               {"attention.query_key_value", "attn_qkv"},
                                               {"attn.c_attn", "attn_qkv"},
                                               {"attention.dense", "attn_output"},
                                               {"attn.c_proj", "attn_output"},
                                               {"self_attn.q_norm", "attn_q_norm"},
                                               {"self_attn.k_norm", "attn_k_norm"},
                                               {"post_attention_layernorm", "ffn_norm"},
                                               {"ln_2", "ffn_norm"},
                                               {"mlp.gate_proj", "ffn_gate"},
                                               {"mlp.up_proj", "ffn_up"},
                                               {"mlp.down_proj", "ffn_down"},
                                               {"mlp.gate_up_proj", "ffn_up"},
                                               {"mlp.c_fc", "ffn_up"},
                                               {"mlp.c_proj", "ffn_down"},
                                               {"mlp.fc1", "ffn_up"},
                                               {"mlp.fc2", "ffn_down"},
                                               {"mlp.dense_h_to_4h", "ffn_up"},
                                               {"mlp.dense_4h_to_h", "ffn_down"}};
        if (is({"gemma2", "gemma3_text"})) {
            all["post_attention_layernorm"] = "post_attention_norm";
            all["pre_feedforward_layernorm"] = "ffn_norm";
            all["post_feedforward_layernorm"] = "post_ffw_norm";
        }
        return all;
    }

    /// Rows in another order: row `to` of the result is row `from(to)`.
    static Values reordered(const Values& values, const std::function<size_t(size_t)>& from) {
        Values result{values.shape, std::vector<float>(values.numbers.size())};
        const size_t rows = static_cast<size_t>(values.shape.front()), width = values.numbers.size() / rows;
        for (size_t to = 0; to < rows; ++to)
            for (size_t i = 0; i < width; ++i)
                result.numbers[to * width + i] = values.numbers[from(to) * width + i];
        return result;
    }

    Values turn(const std::string& name, Values values) const {
        const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
        if (isGemma() && name.ends_with("norm.weight"))
            for (float& value : values.numbers)
                value += 1;
        if (is({"llama", "mistral"}) && (has("q_proj") || has("k_proj"))) {
            const size_t head = static_cast<size_t>(headWidth());
            // A head's first half and its second, taken in turns.
            return reordered(values, [head](size_t to) {
                const size_t in = to % head;
                return to - in + (in % 2) * (head / 2) + in / 2;
            });
        }
        if (m_kind == "gpt_neox" && has("query_key_value")) {
            const auto count = static_cast<size_t>(heads()), head = static_cast<size_t>(headWidth());
            return reordered(values, [count, head](size_t to) {
                const size_t kind = to / (count * head), which = to / head % count;
                return (which * 3 + kind) * head + to % head;
            });
        }
        if (m_kind == "gpt2" && values.shape.size() == 2 && (has("c_attn") || has("c_proj") || has("c_fc"))) {
            const size_t rows = static_cast<size_t>(values.shape[0]), columns = static_cast<size_t>(values.shape[1]);
            Values turned{{values.shape[1], values.shape[0]}, std::vector<float>(values.numbers.size())};
            for (size_t r = 0; r < rows; ++r)
                for (size_t c = 0; c < columns; ++c)
                    turned.numbers[c * rows + r] = values.numbers[r * columns + c];
            return turned;
        }
        return values;
    }

    nlohmann::json m_config;
    std::map<std::string, Values> m_tensors;
    std::string m_kind;
};

/// All tensors of a folder's safetensors files that are fractions.
inline std::map<std::string, GgufConversion::Values> tensorsIn(const std::filesystem::path& folder) {
    std::map<std::string, GgufConversion::Values> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".safetensors") continue;
        const auto file = safetensors::File::read(entry.path().string());
        for (const auto& [name, tensor] : file.entries())
            if (tensor.dtype != safetensors::DType::Bool) all[name] = {tensor.shape, file.floats(name)};
    }
    return all;
}

inline nlohmann::json configIn(const std::filesystem::path& folder) {
    std::ifstream file(folder / "config.json");
    return nlohmann::json::parse(file);
}

}  // namespace headlight::fixture
