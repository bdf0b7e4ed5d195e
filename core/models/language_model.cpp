// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/language_model.h"

namespace headlight {

ops::CrossEntropyResult LanguageModel::loss(ForwardContext& context, std::span<const Example* const> examples,
                                            ops::CrossEntropyOptions options) const {
    if (oneByOne(context, examples)) return lossOneByOne(context, examples, options);
    std::pmr::vector<std::span<const int>> inputs(context.memory()), outputs(context.memory());
    for (const Example* example : examples) {
        const std::span<const int> window(example->target);
        inputs.push_back(window.first(window.size() - 1));
        outputs.push_back(window.subspan(1));
    }
    const Value logits = forward(context, TokenBatch::pad(inputs, m_config.padId, context.memory()));
    // Padding is told from words by an id that no word has: GPT-2 has no <pad> of its own.
    const TokenBatch wanted = TokenBatch::pad(outputs, -1, context.memory());
    options.ignore = -1;
    return ops::crossEntropy(context.tape, logits.variable, wanted.ids, options);
}

}  // namespace headlight
