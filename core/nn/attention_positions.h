// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/autograd/variant_operations.h"
#include "core/nn/context.h"
#include "core/nn/positional_encoding.h"
#include "core/nn/rotary.h"

namespace headlight {

/// What one pass of self-attention is told of where its words stand; nothing where the words' vectors say it.
struct AttentionPlaces {
    ops::Rotation<float> rotation = {};        ///< of queries and keys
    ops::Rotation<float> windowRotation = {};  ///< of those of layers with a sliding window
    Value bias = {};                           ///< [heads, queries, keys], added to the scores
};

/// How a relative encoding tells distances apart (Raffel et al. 2020): each of the nearer half of the buckets is one
/// distance, the others are wider and wider up to `farthest`, from where on all are one. Where both directions are seen
/// half of the buckets are for either.
struct RelativeBuckets {
    int count = 32;
    int farthest = 128;
    bool bothWays = false;

    /// Of a key that stands `distance` behind its query.
    int of(int distance) const;
};

/// Tells the layers of a stack, that is their self-attention, where each word stands: for the kinds `Rotary` and
/// `Relative`. Traced: relative_bias.
class AttentionPositions {
public:
    struct Options {
        PositionalKind kind = PositionalKind::None;
        int numHeads = 1;
        int headWidth = 0;
        RotarySpeeds speeds = {};
        std::optional<RotarySpeeds> windowSpeeds = {};  ///< of layers with a sliding window, where they have others
        RelativeBuckets buckets = {};
        Stack stack = Stack::Only;
        std::string fileScope;   ///< of a relative bias
        std::string traceScope;  ///< likewise
    };
    AttentionPositions(ParameterSet& parameters, const Options& options);

    /// Of the words whose rows are asked for, which look at themselves and at those before `first`.
    AttentionPlaces of(ForwardContext& context, const PositionalEncoding::Rows& rows) const;

private:
    ops::Rotation<float> rotation(ForwardContext& context, const RotarySpeeds& speeds, int first, int length) const;
    Variable<float> bias(ForwardContext& context, int first, int length) const;

    Options m_options;
    ModuleRef m_module;
    std::optional<ParameterId> m_weight;
};

}  // namespace headlight
