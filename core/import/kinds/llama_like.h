// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/kinds/rotary_settings.h"
#include "core/import/model_kind.h"

namespace headlight {

// Llama and what came of it: RMS norms before the sublayers, rotary positions, gated networks.

/// What the kinds' own programs take where a config.json says nothing, and how its class is called.
struct LlamaUsual {
    const char* architecture;
    int keyHeads = 0;   ///< 0: as many as of queries
    int headWidth = 0;  ///< 0: hidden_size / num_attention_heads
    double epsilon = 1e-6;
    int maxLength = 2048;
    bool tied = false;
    const char* activationKey = "hidden_act";
    const char* activation = "silu";
    RotaryUsual rotary = {};
};

ModelConfig llamaLikeConfig(const ForeignConfig& foreign, const LlamaUsual& usual);
/// The other way; the kind's own name is not among it.
nlohmann::json describeLlamaLike(const ModelConfig& config, const LlamaUsual& usual);
std::string llamaLikeFileName(const std::string& canonical);

/// How queries, keys, values and the two maps of the network lie in the file.
enum class LlamaMaps {
    Apart,
    Fused,  ///< q, k, v in `qkv_proj`, gate and up in `gate_up_proj`
};
/// All weights but the norms within and around the sublayers.
void llamaLikeWeights(const ModelConfig& config, LlamaMaps maps, WeightPlan& plan);
/// The norms before the sublayers, of each head, and the last one.
void llamaLikeNorms(const ModelConfig& config, const char* beforeNetwork, WeightPlan& plan);

/// No layer but those that `layer_types` names, or every one.
bool noLayer(int layer, int rule);
bool everyLayer(int layer, int rule);

}  // namespace headlight
