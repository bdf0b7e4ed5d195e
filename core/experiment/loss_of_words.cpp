// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/loss_of_words.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight {

namespace {

double logSumExp(std::span<const double> logits) {
    const double most = *std::ranges::max_element(logits);
    double sum = 0;
    for (const double logit : logits)
        sum += std::exp(logit - most);
    return most + std::log(sum);
}

/// q of the target.
double ownShare(double smoothing, int vocabulary) {
    return 1 - smoothing + smoothing / vocabulary;
}

/// Of one row of logarithms, in whatever precision.
template <class Number>
WordCost costOf(const Number* logProbs, int vocabulary, int target, size_t likely) {
    WordCost cost{.target = target, .vocabulary = vocabulary, .likely = {}};
    cost.logProbability = static_cast<double>(logProbs[target]);
    std::vector<int> best;
    const auto before = [logProbs](int a, int b) { return logProbs[a] > logProbs[b]; };
    for (int word = 0; word < vocabulary; ++word) {
        cost.logProbabilitySum += static_cast<double>(logProbs[word]);
        const bool full = best.size() == likely;
        if (std::isnan(logProbs[word]) || (full && (best.empty() || !before(word, best.back())))) continue;
        if (full) best.pop_back();
        best.insert(std::ranges::upper_bound(best, word, before), word);
    }
    for (const int word : best)
        cost.likely.push_back({word, std::exp(static_cast<double>(logProbs[word]))});
    return cost;
}

}  // namespace

WordLoss::WordLoss(std::vector<double> logits, int target, double smoothing)
    : m_logits(std::move(logits)), m_target(target), m_smoothing(smoothing), m_logSumExp(logSumExp(m_logits)) {
    assert(target >= 0 && target < vocabulary() && smoothing >= 0 && smoothing < 1);
}

double WordLoss::probability(int word) const {
    return std::exp(logProbability(word));
}

double WordLoss::wanted(int word) const {
    return word == m_target ? ownShare(m_smoothing, vocabulary()) : m_smoothing / vocabulary();
}

double WordLoss::othersMean() const {
    double sum = 0;
    for (int word = 0; word < vocabulary(); ++word)
        if (word != m_target) sum -= logProbability(word);
    return vocabulary() > 1 ? sum / (vocabulary() - 1) : 0;
}

WordLoss WordLoss::stepped(int steps) const {
    WordLoss moved = *this;
    for (int step = 0; step < steps; ++step) {
        std::vector<double> logits(m_logits.size());
        for (int word = 0; word < vocabulary(); ++word)
            logits[static_cast<size_t>(word)] =
                moved.m_logits[static_cast<size_t>(word)] - descentRate * moved.gradient(word);
        moved = WordLoss(std::move(logits), m_target, m_smoothing);
    }
    return moved;
}

WordCost WordLoss::cost(int position, int likely) const {
    std::vector<double> logProbs;
    logProbs.reserve(m_logits.size());
    for (const double logit : m_logits)
        logProbs.push_back(logit - m_logSumExp);
    WordCost cost = costOf(logProbs.data(), vocabulary(), m_target, static_cast<size_t>(likely));
    cost.position = position;
    return cost;
}

double leastLoss(double probability, double smoothing, int vocabulary) {
    const double own = ownShare(smoothing, vocabulary);
    const double others = own < 1 ? (1 - own) * -std::log((1 - probability) / (vocabulary - 1)) : 0;
    return own * -std::log(probability) + others;
}

double WordCost::ownPart(double smoothing) const {
    return ownShare(smoothing, vocabulary) * plain();
}

double WordCost::othersPart(double smoothing) const {
    return smoothing / vocabulary * (logProbability - logProbabilitySum);
}

std::vector<int> targetWords(const ModelConfig& config, const Trace& trace) {
    std::vector<int> words = trace.at(config.encoderDecoder() ? "target.ids" : "ids").ids();
    if (config.masked()) {
        std::ranges::replace(words, config.mask(), -1);
        return words;
    }
    words.erase(words.begin());
    // A translation ends, or was cut off; a text may go on.
    words.push_back(config.encoderDecoder() ? trace.lastWritten.id : -1);
    return words;
}

std::vector<WordCost> costsOf(const Trace& trace, std::span<const int> targets, int likely,
                              const std::function<bool()>& wanted) {
    const TraceRecord& logProbs = trace.at("log_probs");
    const int rows = logProbs.dim(0), vocabulary = logProbs.dim(1);
    std::vector<WordCost> costs;
    for (int row = 0; row < rows && row < static_cast<int>(targets.size()); ++row) {
        const int target = targets[static_cast<size_t>(row)];
        if (target < 0) continue;
        if (wanted && !wanted()) break;
        costs.push_back(costOf(logProbs.values.data() + static_cast<std::ptrdiff_t>(row) * vocabulary, vocabulary,
                               target, static_cast<size_t>(likely)));
        costs.back().position = row;
    }
    return costs;
}

std::vector<double> logitsAt(const Trace& trace, int position) {
    const TraceRecord& logits = trace.at("logits");
    const auto first = logits.values.begin() + static_cast<std::ptrdiff_t>(position) * logits.dim(1);
    return {first, first + logits.dim(1)};
}

SentenceLoss meanLoss(std::span<const WordCost> words, double smoothing) {
    SentenceLoss mean;
    if (words.empty()) return mean;
    for (const WordCost& word : words) {
        mean.plain += word.plain();
        mean.smoothed += word.loss(smoothing);
    }
    mean.plain /= static_cast<double>(words.size());
    mean.smoothed /= static_cast<double>(words.size());
    mean.perplexity = std::exp(mean.plain);
    return mean;
}

}  // namespace headlight
