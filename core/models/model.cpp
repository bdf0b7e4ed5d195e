// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"

#include <algorithm>

#include "core/models/classifier.h"
#include "core/models/encoder.h"
#include "core/models/masked_language_model.h"
#include "core/models/rnn_language_model.h"
#include "core/models/rnn_seq2seq.h"
#include "core/models/transformer.h"
#include "core/models/transformer_language_model.h"
#include "core/nn/context.h"

namespace headlight {

Model::Model(const ModelConfig& config) : m_config(config) {
    config.validate();
    m_parameters.reserve(config.weightCount());
}

std::unique_ptr<Model> Model::make(const ModelConfig& config) {
    config.validate();
    const std::string& name = config.architecture;
    if (name == "rnn") return std::make_unique<RnnSeq2Seq>(config);
    if (name == "language-model") return std::make_unique<TransformerLanguageModel>(config);
    if (name == "rnn-language-model") return std::make_unique<RnnLanguageModel>(config);
    if (name == "encoder") return std::make_unique<Encoder>(config);
    if (name == "encoder-classifier") return std::make_unique<Classifier>(config);
    if (name == "masked-language-model") return std::make_unique<MaskedLanguageModel>(config);
    return std::make_unique<Transformer>(config);
}

bool Model::oneByOne(const ForwardContext& context, std::span<const Example* const> examples) {
    return examples.size() > 1 && tellRows(context.interventions);
}

ops::CrossEntropyResult Model::lossOneByOne(ForwardContext& context, std::span<const Example* const> examples,
                                            const ops::CrossEntropyOptions& options) const {
    ops::CrossEntropyResult sum;
    for (size_t i = 0; i < examples.size(); ++i) {
        const ops::CrossEntropyResult each = loss(context, examples.subspan(i, 1), options);
        sum.smoothed += each.smoothed;
        sum.plain += each.plain;
        sum.tokens += each.tokens;
        sum.correct += each.correct;
    }
    return sum;
}

std::vector<std::string> Model::attentionBlocks() const {
    std::vector<std::string> scopes;
    for (const ModuleRef& module : modules())
        if (module->kind == ModuleKind::Attention) scopes.push_back(module->scope);
    return scopes;
}

int Model::attentionHeads() const {
    int heads = 0;
    for (const ModuleRef& module : modules())
        if (module->kind == ModuleKind::Attention) heads = std::max(heads, module->heads);
    return heads;
}

}  // namespace headlight
