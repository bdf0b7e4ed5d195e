// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decode/greedy.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/tensor/kernels.h"

namespace headlight {

namespace {

/// Sentences that are decoded together: enough for the products to be worth it, few enough for the caches to stay
/// small.
constexpr size_t batchSize = 64;

void checkLengths(const Seq2Seq& model, std::span<const std::vector<int>> sources) {
    const size_t limit = static_cast<size_t>(model.config().maxLength);
    for (const std::vector<int>& source : sources) {
        if (source.empty()) throw Error("the sentence has no words: give at least one");
        if (source.size() > limit)
            throw Error("the sentence has " + std::to_string(source.size()) + " tokens, and this model reads at most " +
                        std::to_string(limit) + " (max_length): shorten it, or train a model with a larger max_length");
    }
}

std::vector<Hypothesis> decodeBatch(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                    const GreedyOptions& options) {
    const ModelConfig& config = model.config();
    const int limit = options.maxLength > 0 ? std::min(options.maxLength, config.maxLength) : config.maxLength;
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.parameters());
    context.mutedHeads = options.mutedHeads;

    const TokenBatch source = TokenBatch::pad(sources, config.padId);
    const std::unique_ptr<Seq2Seq::DecoderState> state = model.beginDecoding(context, source, 1, limit);
    std::vector<Hypothesis> hypotheses(sources.size());
    std::vector<int> words(sources.size(), config.bosId);
    const Arena::Mark afterEncoder = arena.mark();
    for (int step = 0; step < limit; ++step) {
        const Tensor<float> logits = model.decodeStep(context, words, *state);
        kernels<float>().logSoftmaxRows(logits.rows(), logits.cols(), logits.data, logits.data);
        bool anyGoesOn = false;
        for (size_t i = 0; i < hypotheses.size(); ++i) {
            Hypothesis& hypothesis = hypotheses[i];
            if (hypothesis.finished) continue;
            const float* row = logits.row(static_cast<int>(i));
            const int best = static_cast<int>(std::max_element(row, row + logits.cols()) - row);
            hypothesis.tokens.push_back(best);
            hypothesis.tokenLogProbs.push_back(static_cast<double>(row[best]));
            hypothesis.logProb += static_cast<double>(row[best]);
            hypothesis.finished = best == config.eosId;
            words[i] = best;
            anyGoesOn |= !hypothesis.finished;
        }
        arena.rewind(afterEncoder);
        if (!anyGoesOn) break;
    }
    return hypotheses;
}

}  // namespace

std::vector<Hypothesis> decodeGreedily(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                       const GreedyOptions& options) {
    checkLengths(model, sources);
    // Sentences of like length go together, so that little is padding.
    std::vector<size_t> order(sources.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return sources[a].size() < sources[b].size(); });

    std::vector<Hypothesis> result(sources.size());
    for (size_t first = 0; first < order.size(); first += batchSize) {
        const size_t count = std::min(batchSize, order.size() - first);
        std::vector<std::vector<int>> batch;
        for (size_t i = 0; i < count; ++i)
            batch.push_back(sources[order[first + i]]);
        std::vector<Hypothesis> decoded = decodeBatch(model, batch, options);
        for (size_t i = 0; i < count; ++i)
            result[order[first + i]] = std::move(decoded[i]);
    }
    return result;
}

}  // namespace headlight
