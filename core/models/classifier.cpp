// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/classifier.h"

#include <algorithm>

#include "core/models/stack_parts.h"

namespace headlight {

Classifier::Classifier(const ModelConfig& config)
    : Model(config),
      m_stack(m_parameters, config),
      m_pooler(Pooler::make(m_parameters, config)),
      m_classifier(m_parameters, addHead(m_parameters), "classifier", config.dModel, labels(), Init::FanInUniform) {}

int Classifier::firstLabel() const {
    return m_config.firstLabel();
}

Value Classifier::forward(ForwardContext& context, std::span<const std::span<const int>> sentences) const {
    const size_t before = m_config.startsAtBos ? 1 : 0;
    IdRows rows(context.memory());
    for (const std::span<const int> sentence : sentences)
        std::ranges::copy(sentence, rows.emplace_back(sentence.size() + before, m_config.bosId).begin() +
                                        static_cast<std::ptrdiff_t>(before));
    const TokenBatch ids = TokenBatch::pad(rows, m_config.padId, context.memory());
    const Value output = m_stack.forward(context, ids, TransformerStack::Sight::Everywhere);
    Value read{firstPositions(context, output.variable, ids), output.name};
    if (m_pooler) read = m_pooler->forward(context, read);
    return recordLogits(context, {m_classifier.forward(context, read.variable)}, m_classifier, read.name,
                        Axis::SourceToken);
}

ops::CrossEntropyResult Classifier::loss(ForwardContext& context, std::span<const Example* const> examples,
                                         ops::CrossEntropyOptions options) const {
    if (oneByOne(context, examples)) return lossOneByOne(context, examples, options);
    std::pmr::vector<std::span<const int>> sentences(context.memory());
    std::pmr::vector<int> wanted(context.memory());
    for (const Example* example : examples) {
        sentences.emplace_back(example->source);
        wanted.push_back(example->target.front() - firstLabel());
    }
    options.ignore = -1;  // every sentence counts
    return ops::crossEntropy(context.tape, forward(context, sentences).variable, wanted, options);
}

}  // namespace headlight
