// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/logit_lens.h"

#include <algorithm>

#include "core/autograd/operations.h"
#include "core/error.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/tensor/variant_kernels.h"

namespace headlight {

namespace {

using As = UsedWeight::As;

/// What stands behind the layers: the final norm and the head, as the trace's own values tell with which weights they
/// were made.
class Lens {
public:
    Lens(const TrainedModel& model, const Trace& trace) : m_model(model) {
        for (const TraceRecord& record : trace.records()) {
            const Section section = record.owner().place.section;
            // The stack that is read last is the one that the head reads.
            if (section == Section::Layer || section == Section::Start) m_way.clear();
            if (section == Section::End || section == Section::Head) m_way.push_back(&record);
        }
    }

    std::vector<float> logProbs(std::vector<float> x) const {
        for (const TraceRecord* record : m_way)
            x = pass(*record, x);
        return x;
    }

private:
    Tensor<const float> weight(const TraceRecord& record, As as) const {
        const UsedWeight* const used = record.weight(as);
        return used ? std::as_const(*m_model.network).parameters().value(used->parameter) : Tensor<const float>();
    }

    std::vector<float> pass(const TraceRecord& record, std::vector<float>& x) const {
        switch (record.operation) {
            case Operation::Linear:
                return mapped(record, x);
            case Operation::LayerNorm:
            case Operation::RmsNorm:
                return normalized(record, x);
            case Operation::Activation:
                activate(x);
                break;
            case Operation::LogSoftmax:
                kernels<float>().logSoftmaxRows(1, static_cast<int>(x.size()), x.data(), x.data());
                break;
            default:
                break;
        }
        return std::move(x);
    }

    std::vector<float> mapped(const TraceRecord& record, const std::vector<float>& x) const {
        const Tensor<const float> matrix = weight(record, As::Matrix), bias = weight(record, As::Bias);
        const auto factor = static_cast<float>(record.factor);
        std::vector<float> y(static_cast<size_t>(matrix.rows()));
        for (int row = 0; row < matrix.rows(); ++row)
            y[static_cast<size_t>(row)] =
                kernels<float>().dot(x.size(), matrix.row(row), x.data()) * factor + (bias ? bias.data[row] : 0);
        return y;
    }

    std::vector<float> normalized(const TraceRecord& record, const std::vector<float>& x) const {
        const int width = static_cast<int>(x.size());
        const Tensor<const float> scale = weight(record, As::Scale), shift = weight(record, As::Shift);
        const auto epsilon = static_cast<float>(m_model.network->config().layerNormEps);
        const std::vector<float> zeros(shift ? 0 : x.size());
        std::vector<float> y(x.size());
        float mean = 0, inverse = 0;
        if (record.operation == Operation::RmsNorm)
            variantKernels<float>().rmsNorm(1, width, x.data(), scale.data, epsilon, y.data(), &inverse);
        else
            kernels<float>().layerNorm(1, width, x.data(), scale.data, shift ? shift.data : zeros.data(), epsilon,
                                       y.data(), &mean, &inverse);
        return y;
    }

    void activate(std::vector<float>& x) const {
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ops::activationInPlace(tape, m_model.network->config().activation,
                               {{x.data(), {1, static_cast<int>(x.size())}}});
    }

    const TrainedModel& m_model;
    std::vector<const TraceRecord*> m_way;
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
