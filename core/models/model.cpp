// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"

#include <algorithm>

#include "core/models/rnn_seq2seq.h"
#include "core/models/transformer.h"
#include "core/tensor/kernels.h"

namespace headlight {

Model::Model(const ModelConfig& config) : m_config(config) {
    config.validate();
}

std::unique_ptr<Model> Model::make(const ModelConfig& config) {
    config.validate();
    if (config.recurrent()) return std::make_unique<RnnSeq2Seq>(config);
    return std::make_unique<Transformer>(config);
}

void recordLogProbs(ForwardContext& context, const Value& logits, Axis tokens) {
    Value logProbs{{context.tape.allocate(logits.variable.shape()), {}}};
    kernels<float>().logSoftmaxRows(logits.variable.rows(), logits.variable.cols(), logits.variable.value.data,
                                    logProbs.variable.value.data);
    context.record(logProbs, "", "log_probs", Operation::LogSoftmax, tokens, {logits.name}, Axis::Vocabulary);
}

void recordIds(ForwardContext& context, const TokenBatch& tokens, const std::string& scope, Axis axis) {
    Value ids{{context.tape.allocate({1, tokens.length}), {}}};
    std::transform(tokens.ids.begin(), tokens.ids.end(), ids.variable.value.data,
                   [](int id) { return static_cast<float>(id); });
    context.record(ids, scope, "ids", Operation::Input, std::vector<Axis>{axis}, std::vector<int>{tokens.length}, {});
}

}  // namespace headlight
