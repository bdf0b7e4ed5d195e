// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/logit_lens.h"

#include <algorithm>

#include "core/error.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"

namespace headlight {

namespace {

using As = UsedWeight::As;

/// What the head and the final norm do, as the trace's own values tell with which weights they were made.
class Lens {
public:
    Lens(const TrainedModel& model, const Trace& trace) : m_model(model) {
        for (const TraceRecord& record : trace.records()) {
            if (record.part == Part::Logits) m_head = &record;
            // The stack that is read last is the one that the head reads.
            if (record.is(ModuleKind::Norm, Part::Output)) m_norm = &record;
            if (record.part == Part::Output && !record.is(ModuleKind::Norm, Part::Output) &&
                record.owner().place.section == Section::End)
                m_norm = nullptr;
        }
    }

    std::vector<float> logProbs(const std::vector<float>& layer) const {
        const std::vector<float> x = normalized(layer);
        const Tensor<const float> matrix = weight(*m_head, As::Matrix), bias = weight(*m_head, As::Bias);
        std::vector<float> logits(static_cast<size_t>(matrix.rows()));
        for (int word = 0; word < matrix.rows(); ++word)
            logits[static_cast<size_t>(word)] =
                kernels<float>().dot(x.size(), matrix.row(word), x.data()) + (bias ? bias.data[word] : 0);
        kernels<float>().logSoftmaxRows(1, matrix.rows(), logits.data(), logits.data());
        return logits;
    }

private:
    Tensor<const float> weight(const TraceRecord& record, As as) const {
        const UsedWeight* const used = record.weight(as);
        return used ? std::as_const(*m_model.network).parameters().value(used->parameter) : Tensor<const float>();
    }

    std::vector<float> normalized(const std::vector<float>& x) const {
        if (!m_norm) return x;
        std::vector<float> y(x.size());
        float mean = 0, inverse = 0;
        kernels<float>().layerNorm(
            1, static_cast<int>(x.size()), x.data(), weight(*m_norm, As::Scale).data, weight(*m_norm, As::Shift).data,
            static_cast<float>(m_model.network->config().layerNormEps), y.data(), &mean, &inverse);
        return y;
    }

    const TrainedModel& m_model;
    const TraceRecord* m_head = nullptr;
    const TraceRecord* m_norm = nullptr;
};

std::vector<float> lastRow(const TraceRecord& record) {
    const auto columns = static_cast<std::ptrdiff_t>(record.shape.back());
    return {record.values.end() - columns, record.values.end()};
}

}  // namespace

std::vector<LensRow> logitLens(const TrainedModel& model, const Trace& trace) {
    const ModelConfig& config = model.network->config();
    if (config.recurrent() || config.corpusKind() == CorpusKind::Labels)
        throw Error("this model has no layers that could speak before the last");
    const Lens lens(model, trace);
    const Stack stack = config.encoderDecoder() ? Stack::Decoder : Stack::Only;
    // A layer hands on what it records last: a norm, a residual sum, or its feed-forward network's output.
    std::vector<const TraceRecord*> ends;
    for (const TraceRecord& record : trace.records()) {
        const ModulePlace& place = record.owner().place;
        if (place.stack != stack || place.section != Section::Layer) continue;
        ends.resize(std::max(ends.size(), static_cast<size_t>(place.layer) + 1));
        ends[static_cast<size_t>(place.layer)] = &record;
    }
    std::vector<LensRow> rows;
    for (size_t layer = 0; layer < ends.size(); ++layer)
        rows.push_back({(stack == Stack::Decoder ? "decoder.layers." : "layers.") + std::to_string(layer),
                        lens.logProbs(lastRow(*ends[layer]))});
    rows.push_back({"logits", lastRow(trace.at("log_probs"))});
    return rows;
}

}  // namespace headlight
