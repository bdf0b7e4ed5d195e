// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/experiment/head_habits.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

/// A habit in a word or two, for where there is room for no more: "previous". Empty for None.
QString habitName(HeadHabit habit);
/// What a head with it looks at: "the word before". Of a causal head the same word elsewhere stands before.
QString habitPhrase(HeadHabit habit, bool causal = true);

/// What reaches each row of a block from each word, through all layers up to it: the product of the layers' matrices,
/// each the mean of its heads, half of it the residual connection's identity (Abnar, Zuidema 2020, section 3). Of
/// cross-attention, its own mean times what reaches the encoder's output. Row-major [rows, columns], rows sum to 1.
std::vector<float> attentionRollout(const Trace& trace, const AttentionBlock& block);

}  // namespace headlight
