// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "core/import/gguf/gguf_keys.h"

namespace headlight {

/// The tensor that divides each pair's frequency in Llama 3.
inline constexpr const char* ggufDivisors = "rope_freqs.weight";

/// What a GGUF file says of the angles, in the words of a config.json: rope_theta, rope_scaling. Throws Error for
/// scalings that Headlight does not compute.
void takeGgufRotary(const GgufKeys& keys, nlohmann::json& json);

/// The share of a head's `width` numbers that makes int(width · share) the number that the file turns; nothing where it
/// turns all of them.
std::optional<double> ggufRotaryShare(const GgufKeys& keys, int width);

}  // namespace headlight
