// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/trace/trace.h"

namespace headlight {

/// Where a traced value belongs at three grains, as its module tells it: `decoder.layers.1.cross_attn.weights` is in
/// "decoder", "decoder.layers.1" and "decoder.layers.1.cross_attn". A residual sum and the norm behind it are one
/// sublayer; what comes before the layers is "….embed", what comes after them "….end"; logits are "output".
struct StepScope {
    /// Values of one scope have the same id; the label is the reader's.
    struct Level {
        std::string id;
        QString label;
        bool operator==(const Level& other) const { return id == other.id; }
    };
    Level model, layer, sublayer;
    Stack stack = Stack::Shared;  ///< whose it is; logits are nobody's
    bool operator==(const StepScope&) const = default;
};

StepScope stepScope(const TraceRecord& record);

}  // namespace headlight
