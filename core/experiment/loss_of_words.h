// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// How fast WordLoss::stepped() goes down the gradient.
inline constexpr double descentRate = 3;

/// What the target word at one place of a reading costs. Enough to have the loss for any ε without the logits.
struct WordCost {
    struct Likely {
        int word = 0;
        double probability = 0;
    };
    int position = 0;  ///< row of the logits
    int target = 0;
    double logProbability = 0;     ///< of the target
    double logProbabilitySum = 0;  ///< over the whole vocabulary
    int vocabulary = 0;
    std::vector<Likely> likely;  ///< the likeliest words, the first first

    double plain() const { return -logProbability; }
    double ownPart(double smoothing) const;
    double othersPart(double smoothing) const;
    double loss(double smoothing) const { return ownPart(smoothing) + othersPart(smoothing); }
};

/// The loss of one word, taken apart: softmax cross-entropy against a target distribution that label smoothing ε
/// softens (Szegedy et al. 2016: Rethinking the Inception Architecture for Computer Vision, section 7), as
/// torch.nn.functional.cross_entropy(label_smoothing=ε) has it: q = 1 − ε + ε/V at the target, ε/V elsewhere. Natural
/// logarithms; everything in double precision.
class WordLoss {
public:
    /// `logits` are V numbers, `target` one of their places, 0 ≤ `smoothing` < 1.
    WordLoss(std::vector<double> logits, int target, double smoothing);

    int vocabulary() const { return static_cast<int>(m_logits.size()); }
    int target() const { return m_target; }
    double smoothing() const { return m_smoothing; }
    const std::vector<double>& logits() const { return m_logits; }
    double logProbability(int word) const { return m_logits[static_cast<size_t>(word)] - m_logSumExp; }
    double probability(int word) const;
    /// q, what the word should have.
    double wanted(int word) const;
    /// ∂L/∂z = p − q.
    double gradient(int word) const { return probability(word) - wanted(word); }

    /// −log p of the target: the loss without smoothing.
    double plain() const { return -logProbability(m_target); }
    /// L = −Σ q log p. It is ownPart() + othersPart().
    double loss() const { return ownPart() + othersPart(); }
    /// q · −log p of the target.
    double ownPart() const { return wanted(m_target) * plain(); }
    /// What ε shares among all others costs.
    double othersPart() const { return (1 - wanted(m_target)) * othersMean(); }
    /// The mean of −log p over the words that are not the target; 0 where there are none.
    double othersMean() const;

    /// The same word after so many steps down the gradient of its logits: z ← z − descentRate · (p − q).
    WordLoss stepped(int steps = 1) const;
    /// The same without the logits, with so many of the likeliest words.
    WordCost cost(int position, int likely) const;

private:
    std::vector<double> m_logits;
    int m_target;
    double m_smoothing, m_logSumExp = 0;
};

/// The least loss that a target word with probability p can have, 0 < p < 1: the other V − 1 words share the rest
/// alike. It is least where p = q, and there it is the entropy of q.
double leastLoss(double probability, double smoothing, int vocabulary);

/// The word that stands where the model of this trace says one, for each row of its logits: of a translation the next
/// word and in the end <eos>, of a text the next word, of a masked text the word itself. −1: there is none, or it was
/// taken out.
std::vector<int> targetWords(const ModelConfig& config, const Trace& trace);

/// What each target word of a trace costs; rows without a target (−1) are left out. `likely`: how many of the likeliest
/// words are kept. `wanted` is asked between rows whether to go on; what there is by then is given back.
std::vector<WordCost> costsOf(const Trace& trace, std::span<const int> targets, int likely,
                              const std::function<bool()>& wanted = {});

/// The logits of one row of a trace.
std::vector<double> logitsAt(const Trace& trace, int position);

/// Of a sentence: means over its target words.
struct SentenceLoss {
    double plain = 0;       ///< mean −log p
    double smoothed = 0;    ///< mean loss
    double perplexity = 1;  ///< e to the power of the mean −log p
};
SentenceLoss meanLoss(std::span<const WordCost> words, double smoothing);

}  // namespace headlight
