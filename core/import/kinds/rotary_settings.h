// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/model_kind.h"

namespace headlight {

/// What the program of a kind takes where its config.json says nothing, and how that calls it.
struct RotaryUsual {
    double base = 10000;
    double share = 1;  ///< of a head's numbers, that are turned
    const char* shareKey = "partial_rotary_factor";
    const char* baseKey = "rope_theta";
};

/// How many positions a model of that width has. Nothing is stored of one: as many as this program has room for.
int rotaryLength(const ForeignConfig& foreign, int usual, int width);
/// Rotary positions: base, scaled angles, and how much of a head is turned. Newer files keep them in `rope_parameters`,
/// older ones beside the sizes and in `rope_scaling`; what they say differently of one thing is an Error, and so is a
/// type of scaling that is not computed. Needs the width of a head. `layers`: of which kind of layers, where the file
/// tells them apart.
void takeRotary(const ForeignConfig& foreign, const RotaryUsual& usual, ModelConfig& config,
                const char* layers = "full_attention");
/// The other way.
void describeRotary(const ModelConfig& config, const RotaryUsual& usual, nlohmann::json& json);

/// The base that a file with two kinds of layers has for those with a window; nothing where it says none.
std::optional<double> windowRotaryBase(const ForeignConfig& foreign);

/// Layers with a sliding window of so many words: those that `layer_types` names, or, where the file has none, those
/// for which isWindowed(layer) holds.
void takeWindows(const ForeignConfig& foreign, int window, bool (*isWindowed)(int layer, int rule), int rule,
                 ModelConfig& config);
/// `layer_types` of a model whose layers are of two kinds.
nlohmann::json layerTypes(const ModelConfig& config);

}  // namespace headlight
