// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/seq2seq.h"

#include <algorithm>

namespace headlight {

TokenBatch Seq2Seq::feedItself(ForwardContext& context, const TokenBatch& source, TokenBatch target) const {
    Arena& arena = context.tape.arena();
    const Arena::Mark before = arena.mark();
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext reading(tape, context.parameters);
    reading.interventions = context.interventions;
    Random random(context.nextSeed());
    const std::unique_ptr<DecoderState> state = beginDecoding(reading, source, 1, target.length);
    std::pmr::vector<int> words(static_cast<size_t>(target.batch), m_config.decoderStart(), context.memory());
    const Arena::Mark afterEncoder = arena.mark();
    const size_t length = static_cast<size_t>(target.length);
    for (size_t t = 1; t < length; ++t) {
        const Tensor<float> logits = decodeStep(reading, words, *state);
        for (size_t b = 0; b < words.size(); ++b) {
            const float* row = logits.row(static_cast<int>(b));
            int& next = target.ids[b * length + t];
            const bool padding = static_cast<int>(t) >= target.lengths[b];
            if (random.uniform(0, 1) >= context.teacherForcing && !padding)
                next = static_cast<int>(std::max_element(row, row + logits.cols()) - row);
            words[b] = next;
        }
        arena.rewind(afterEncoder);
    }
    arena.rewind(before);
    return target;
}

Tensor<float> Seq2Seq::keepRows(const Tensor<float>& matrix, std::span<const int> going, int rowsEach) {
    int to = 0;
    for (const int sentence : going)
        for (int row = 0; row < rowsEach; ++row, ++to) {
            const float* from = matrix.row(sentence * rowsEach + row);
            if (from != matrix.row(to)) std::copy_n(from, matrix.cols(), matrix.row(to));
        }
    return matrix.rowRange(0, to);
}

ops::CrossEntropyResult Seq2Seq::loss(ForwardContext& context, std::span<const Example* const> examples,
                                      ops::CrossEntropyOptions options) const {
    if (oneByOne(context, examples)) return lossOneByOne(context, examples, options);
    std::pmr::vector<std::span<const int>> sources(context.memory());
    IdRows inputs(context.memory()), outputs(context.memory());
    for (const Example* example : examples) {
        sources.emplace_back(example->source);
        auto& input = inputs.emplace_back(example->target.size() + 1, m_config.decoderStart());
        std::ranges::copy(example->target, input.begin() + 1);
        auto& output = outputs.emplace_back(example->target.size() + 1, m_config.eosId);
        std::ranges::copy(example->target, output.begin());
    }
    // Padding is told from words by an id that no word has: some models begin or end with their <pad>.
    const TokenBatch wanted = TokenBatch::pad(outputs, -1, context.memory());
    const TokenBatch source = TokenBatch::pad(sources, m_config.padId, context.memory());
    TokenBatch input = TokenBatch::pad(inputs, m_config.padId, context.memory());
    if (context.teacherForcing < 1) input = feedItself(context, source, std::move(input));
    const Value logits = forward(context, source, input);
    options.ignore = -1;
    return ops::crossEntropy(context.tape, logits.variable, wanted.ids, options);
}

}  // namespace headlight
