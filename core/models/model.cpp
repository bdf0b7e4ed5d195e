// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"

#include <algorithm>

#include "core/models/classifier.h"
#include "core/models/rnn_language_model.h"
#include "core/models/rnn_seq2seq.h"
#include "core/models/transformer.h"
#include "core/models/transformer_language_model.h"
#include "core/tensor/kernels.h"

namespace headlight {

Model::Model(const ModelConfig& config) : m_config(config) {
    config.validate();
}

std::unique_ptr<Model> Model::make(const ModelConfig& config) {
    config.validate();
    const std::string& name = config.architecture;
    if (name == "rnn") return std::make_unique<RnnSeq2Seq>(config);
    if (name == "language-model") return std::make_unique<TransformerLanguageModel>(config);
    if (name == "rnn-language-model") return std::make_unique<RnnLanguageModel>(config);
    if (name == "encoder-classifier") return std::make_unique<Classifier>(config);
    return std::make_unique<Transformer>(config);
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

ModuleRef addHead(ParameterSet& parameters) {
    return parameters.addModule({ModuleKind::Head, "logits", {Stack::Shared, Section::Head}});
}

ModuleRef addStackOutput(ParameterSet& parameters, const std::string& scope, Stack stack, bool norm) {
    return parameters.addModule({norm ? ModuleKind::Norm : ModuleKind::Result, scope, {stack, Section::End}});
}

Value recordLogits(ForwardContext& context, Value logits, const Linear& head, const std::string& input, Axis tokens) {
    if (!context.tracing()) return logits;
    Origin made = head.made(Part::Logits);
    const ModuleRef module = made.module;
    context.record(logits, module->scope, std::move(made), tokens, {input}, Axis::Vocabulary);
    Value logProbs{{context.tape.allocate(logits.variable.shape()), {}}};
    kernels<float>().logSoftmaxRows(logits.variable.rows(), logits.variable.cols(), logits.variable.value.data,
                                    logProbs.variable.value.data);
    context.record(logProbs, "log_probs", {module, Part::LogProbs, Operation::LogSoftmax}, tokens, {logits.name},
                   Axis::Vocabulary);
    return logits;
}

Value stackOutput(ForwardContext& context, const Value& x, const std::optional<LayerNorm>& norm,
                  const ModuleRef& result, Axis tokens) {
    Value output{norm ? norm->forward(context, x.variable) : x.variable};
    if (context.tracing())
        context.record(output, result->scope,
                       norm ? norm->made(Part::Output) : Origin{result, Part::Output, Operation::Identity}, tokens,
                       {x.name});
    return output;
}

}  // namespace headlight
