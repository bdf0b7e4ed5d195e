// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/logit_lens.h"

#include <algorithm>

#include "core/error.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"

namespace headlight {

namespace {

std::vector<float> normalized(const TrainedModel& model, const std::string& norm, std::vector<float> x) {
    const ParameterSet& weights = std::as_const(*model.network).parameters();
    const Tensor<const float> scale = weights.value(norm + ".weight"), shift = weights.value(norm + ".bias");
    if (!scale) return x;
    std::vector<float> y(x.size());
    float mean = 0, inverse = 0;
    kernels<float>().layerNorm(1, static_cast<int>(x.size()), x.data(), scale.data, shift.data,
                               static_cast<float>(model.network->config().layerNormEps), y.data(), &mean, &inverse);
    return y;
}

std::vector<float> logProbsOf(const TrainedModel& model, const std::vector<float>& x) {
    const char* tied = model.network->config().encoderDecoder() ? "target_embedding.weight" : "embedding.weight";
    const ParameterSet& weights = std::as_const(*model.network).parameters();
    Tensor<const float> generator = weights.value("generator.weight");
    if (!generator) generator = weights.value(tied);
    const Tensor<const float> bias = weights.value("generator.bias");
    std::vector<float> logits(static_cast<size_t>(generator.rows()));
    for (int word = 0; word < generator.rows(); ++word)
        logits[static_cast<size_t>(word)] =
            kernels<float>().dot(x.size(), generator.row(word), x.data()) + (bias ? bias.data[word] : 0);
    kernels<float>().logSoftmaxRows(1, generator.rows(), logits.data(), logits.data());
    return logits;
}

std::vector<float> lastRow(const TraceRecord& record) {
    const auto columns = static_cast<std::ptrdiff_t>(record.shape.back());
    return {record.values.end() - columns, record.values.end()};
}

}  // namespace

std::vector<LensRow> logitLens(const TrainedModel& model, const Trace& trace) {
    const ModelConfig& config = model.network->config();
    if (config.recurrent() || config.corpusKind() == CorpusKind::Labels)
        throw Error("this model has no layers that could speak before the last");
    const bool translates = config.encoderDecoder();
    const std::string stack = translates ? "decoder." : "", sublayer = translates ? "3" : "2";
    const int layers = translates ? config.numDecoderLayers : config.numLayers;
    // After the last sublayer of a layer stands its norm (post) or its residual sum (pre).
    const std::string last = config.normOrder == NormOrder::Post ? ".norm"
                             : config.residuals                  ? ".residual"
                                                                 : ".ffn.output";
    const std::string end = last == ".ffn.output" ? last : last + sublayer;
    std::vector<LensRow> rows;
    for (int layer = 0; layer < layers; ++layer) {
        const std::string scope = stack + "layers." + std::to_string(layer);
        const std::string norm = translates ? "transformer.decoder.norm" : "transformer.norm";
        rows.push_back({scope, logProbsOf(model, normalized(model, norm, lastRow(trace.at(scope + end))))});
    }
    rows.push_back({"logits", lastRow(trace.at("log_probs"))});
    return rows;
}

}  // namespace headlight
