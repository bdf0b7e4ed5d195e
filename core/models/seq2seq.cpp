// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/seq2seq.h"

namespace headlight {

ops::CrossEntropyResult Seq2Seq::loss(ForwardContext& context, std::span<const Example* const> examples,
                                      ops::CrossEntropyOptions options) const {
    std::vector<std::vector<int>> sources, inputs, outputs;
    for (const Example* example : examples) {
        sources.push_back(example->source);
        inputs.push_back({m_config.bosId});
        inputs.back().insert(inputs.back().end(), example->target.begin(), example->target.end());
        outputs.push_back(example->target);
        outputs.back().push_back(m_config.eosId);
    }
    const TokenBatch wanted = TokenBatch::pad(outputs, m_config.padId);
    const Value logits =
        forward(context, TokenBatch::pad(sources, m_config.padId), TokenBatch::pad(inputs, m_config.padId));
    options.ignore = m_config.padId;
    return ops::crossEntropy(context.tape, logits.variable, wanted.ids, options);
}

}  // namespace headlight
