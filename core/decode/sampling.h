// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/intervention.h"

namespace headlight {

class LanguageModel;
struct ModelConfig;

/// How the next word is drawn from a model's probabilities.
struct SamplingOptions {
    double temperature = 1;  ///< logits are divided by it; 0: always the likeliest word
    int topK = 0;            ///< among the k likeliest words only (Fan, Lewis, Dauphin 2018); 0: all
    double topP = 1;         ///< among the fewest words that have this probability (Holtzman et al. 2020); 1: all
    uint64_t seed = 1;
    std::span<const MutedHead> mutedHeads = {};
    std::span<const Intervention> interventions = {};

    /// Throws Error for values out of range.
    void validate() const;
};

/// A word that may come next.
struct Candidate {
    int word = 0;
    double probability = 0;  ///< after temperature, top-k and top-p, so that all candidates' add up to 1
};

/// The words that may be drawn, the likeliest first; equal ones by id. `never` are left out.
std::vector<Candidate> candidates(std::span<const float> logits, const SamplingOptions& options,
                                  std::span<const int> never = {});

/// The words that generate() never draws: <pad>, <bos>, and what the configuration forbids; <eos> is not among them,
/// though a model may begin its texts with it.
std::vector<int> neverWritten(const ModelConfig& config);

/// A text as it grew.
struct GeneratedText {
    std::vector<int> words;        ///< after the prompt; with <eos> where it was reached
    std::vector<double> logProbs;  ///< of each, of the model itself: without temperature, top-k and top-p
    bool finished = false;         ///< by <eos>
};

/// Goes on from the prompt for at most maxLength words, to the sentence's end. The prompt (ids) stands at the beginning
/// of a sentence, behind an <eos>; of a model that reads texts as they stand it is all that is read, or <bos> where it
/// is empty. Where the text outgrows the model's max_length, the model reads its last half anew and goes on. Throws
/// Error where the prompt alone is longer than max_length.
GeneratedText generate(const LanguageModel& model, std::span<const int> prompt, int maxLength,
                       const SamplingOptions& options);

}  // namespace headlight
