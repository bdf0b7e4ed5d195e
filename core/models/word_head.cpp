// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/word_head.h"

#include <cmath>

#include "core/autograd/variant_operations.h"
#include "core/models/stack_parts.h"

namespace headlight {

namespace {

Linear makeGenerator(ParameterSet& parameters, const ModelConfig& config, ParameterId embedding) {
    const Biases bias = config.outputBias ? Biases::All : Biases::None;
    if (config.tieEmbeddings) return {parameters, addHead(parameters), "generator", embedding, bias};
    // It starts as torch.nn.Linear does, not as the Transformer's own matrices: Xavier's bound shrinks with the
    // vocabulary, and at 10,000 words the first steps would be spent on making logits large enough to matter.
    const int read = config.masked() ? config.embeddingWidth() : config.dModel;
    return {parameters, addHead(parameters), "generator", read, config.targetVocabSize, Init::FanInUniform, bias};
}

}  // namespace

WordHead::WordHead(ParameterSet& parameters, const ModelConfig& config, ParameterId embedding)
    : m_factor(config.scaleOutput ? 1 / std::sqrt(static_cast<float>(config.dModel)) : 1.0f),
      m_cap(config.logitCap),
      m_generator(makeGenerator(parameters, config, embedding)) {}

Variable<float> WordHead::logits(ForwardContext& context, const Variable<float>& x) const {
    return m_generator.forward(context, m_factor == 1 ? x : ops::scale(context.tape, x, m_factor));
}

Variable<float> WordHead::forward(ForwardContext& context, const Variable<float>& x) const {
    const Variable<float> all = logits(context, x);
    return m_cap > 0 ? ops::softCap(context.tape, all, static_cast<float>(m_cap)) : all;
}

Value WordHead::forward(ForwardContext& context, const Value& x, Axis tokens) const {
    return recordLogits(context, {logits(context, x.variable)}, m_generator, x.name, tokens,
                        {.factor = static_cast<double>(m_factor), .cap = m_cap});
}

}  // namespace headlight
