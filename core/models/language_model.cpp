// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/language_model.h"

namespace headlight {

ops::CrossEntropyResult LanguageModel::loss(ForwardContext& context, std::span<const Example* const> examples,
                                            ops::CrossEntropyOptions options) const {
    std::vector<std::vector<int>> inputs, outputs;
    for (const Example* example : examples) {
        inputs.emplace_back(example->target.begin(), example->target.end() - 1);
        outputs.emplace_back(example->target.begin() + 1, example->target.end());
    }
    const Value logits = forward(context, TokenBatch::pad(inputs, m_config.padId));
    options.ignore = m_config.padId;
    return ops::crossEntropy(context.tape, logits.variable, TokenBatch::pad(outputs, m_config.padId).ids, options);
}

}  // namespace headlight
