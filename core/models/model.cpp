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

Value recordLogits(ForwardContext& context, Value logits, const std::string& input, Axis tokens) {
    if (!context.tracing()) return logits;
    context.record(logits, "", "logits", Operation::Linear, tokens, {input}, Axis::Vocabulary);
    Value logProbs{{context.tape.allocate(logits.variable.shape()), {}}};
    kernels<float>().logSoftmaxRows(logits.variable.rows(), logits.variable.cols(), logits.variable.value.data,
                                    logProbs.variable.value.data);
    context.record(logProbs, "", "log_probs", Operation::LogSoftmax, tokens, {logits.name}, Axis::Vocabulary);
    return logits;
}

void recordIds(ForwardContext& context, const TokenBatch& tokens, const std::string& scope, Axis axis) {
    Value ids{{context.tape.allocate({1, tokens.length}), {}}};
    std::transform(tokens.ids.begin(), tokens.ids.end(), ids.variable.value.data,
                   [](int id) { return static_cast<float>(id); });
    context.record(ids, scope, "ids", Operation::Input, std::vector<Axis>{axis}, std::vector<int>{tokens.length}, {});
}

}  // namespace headlight
