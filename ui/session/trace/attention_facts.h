// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

#include "ui/session/trace/attention_block.h"

namespace headlight {

/// (source word, target word), counted from 0.
using GoldLinks = std::vector<std::pair<int, int>>;

/// What a head is found to do in this sentence (Clark et al. 2019; Voita et al. 2019).
enum class HeadRole {
    None,
    Itself,
    Previous,
    Next,
    First,
    SameToken,  ///< the same word elsewhere
    Alignment,  ///< the word that gold links to the one being written
};

struct HeadFacts {
    double entropy = 0;   ///< mean of the rows, in bits
    double distance = 0;  ///< words between the one that looks and what it looks at, on average; self-attention only
    HeadRole role = HeadRole::None;
    double share = 0;  ///< of the weight (of an alignment: of the words) that agrees with the role
};

/// A role is given where at least this share of the weight lies as it says.
constexpr double kRoleShare = 0.4;

HeadFacts headFacts(const Trace& trace, const AttentionBlock& block, int head, const GoldLinks& gold = {});
/// "previous word".
QString roleName(HeadRole role);

/// What reaches each row of a block from each word, through all layers up to it: the product of the layers' matrices,
/// each the mean of its heads, half of it the residual connection's identity (Abnar, Zuidema 2020, section 3). Of
/// cross-attention, its own mean times what reaches the encoder's output. Row-major [rows, columns], rows sum to 1.
std::vector<float> attentionRollout(const Trace& trace, const AttentionBlock& block);

}  // namespace headlight
