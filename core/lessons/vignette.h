// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace headlight {

/// The drawn signs of lessons, by the names that a lesson's head knows them by (`vignette: heads`): those of the
/// program's own lessons, in their order.
inline constexpr std::array<std::string_view, 24> vignetteNames = {
    "seq2seq",   "cell",         "handover",        "forcing",   "bottleneck",    "attention",
    "scores",    "by-hand",      "query-key-value", "positions", "heads",         "masks",
    "residuals", "feed-forward", "encoder",         "decoder",   "loss",          "training",
    "decoding",  "subwords",     "language-model",  "cost",      "heads-look-at", "bleu"};

}  // namespace headlight
