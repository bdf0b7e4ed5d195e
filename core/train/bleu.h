// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Corpus BLEU (Papineni et al. 2002) as sacreBLEU computes it by default (Post 2018): 13a tokens, up to 4-grams,
/// exponential smoothing, one reference.
struct Bleu {
    double score = 0;  ///< 0 to 100
    double brevityPenalty = 0;
    std::array<double, 4> precisions{};  ///< 0 to 100, smoothed
    std::array<long, 4> matches{};
    std::array<long, 4> totals{};
    long hypothesisLength = 0;
    long referenceLength = 0;
};

/// Both lists have the same length; asserted.
Bleu corpusBleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references);

/// mteval-v13a's tokens.
std::vector<std::string> tokenize13a(std::string_view line);

}  // namespace headlight
