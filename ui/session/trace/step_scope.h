// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// Where a traced value belongs, read from its name, at three grains. Each scope contains the ones after it, as a
/// prefix: `decoder.layers.1.cross_attn.weights` is in "decoder", "decoder.layers.1" and "decoder.layers.1.cross_attn".
/// A residual sum and the norm behind it are one sublayer ("decoder.layers.1.norm2"); what comes before the layers is
/// "….embed"; what comes after them "….end"; logits are "output".
struct StepScope {
    std::string model;
    std::string layer;
    std::string sublayer;
    bool operator==(const StepScope&) const = default;
};

StepScope stepScope(std::string_view recordName);

}  // namespace headlight
