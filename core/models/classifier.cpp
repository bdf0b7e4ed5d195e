// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/classifier.h"

#include <algorithm>

namespace headlight {

Classifier::Classifier(const ModelConfig& config)
    : Model(config),
      m_stack(m_parameters, config),
      m_classifier(m_parameters, "classifier", config.dModel, labels(), Init::FanInUniform) {}

int Classifier::firstLabel() const {
    return std::max({m_config.padId, m_config.bosId, m_config.eosId, m_config.unkId}) + 1;
}

Value Classifier::forward(ForwardContext& context, std::span<const std::vector<int>> sentences) const {
    std::vector<std::vector<int>> rows;
    std::vector<int> first;
    rows.reserve(sentences.size());
    first.reserve(sentences.size());
    for (const std::vector<int>& sentence : sentences) {
        rows.push_back({m_config.bosId});
        rows.back().insert(rows.back().end(), sentence.begin(), sentence.end());
    }
    const TokenBatch ids = TokenBatch::pad(rows, m_config.padId);
    for (int b = 0; b < ids.batch; ++b)
        first.push_back(b * ids.length);
    const Value output = m_stack.forward(context, ids, TransformerStack::Sight::Everywhere);
    const Variable<float> read = ops::gatherRows(context.tape, output.variable, first);
    return recordLogits(context, {m_classifier.forward(context, read)}, output.name, Axis::SourceToken);
}

ops::CrossEntropyResult Classifier::loss(ForwardContext& context, std::span<const Example* const> examples,
                                         ops::CrossEntropyOptions options) const {
    std::vector<std::vector<int>> sentences;
    std::vector<int> wanted;
    for (const Example* example : examples) {
        sentences.push_back(example->source);
        wanted.push_back(example->target.front() - firstLabel());
    }
    options.ignore = -1;  // every sentence counts
    return ops::crossEntropy(context.tape, forward(context, sentences).variable, wanted, options);
}

}  // namespace headlight
