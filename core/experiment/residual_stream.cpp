// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/residual_stream.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/trace/record_row.h"

namespace headlight {

namespace {

using SublayerKind = StreamSublayer::Kind;
using As = UsedWeight::As;

/// The sublayer that a module is; nothing where it stands beside one.
std::optional<SublayerKind> kindOf(const Module& module) {
    if (module.kind == ModuleKind::FeedForward) return SublayerKind::FeedForward;
    if (module.kind != ModuleKind::Attention) return {};
    return module.over == AttentionOver::Memory ? SublayerKind::CrossAttention : SublayerKind::SelfAttention;
}

template <class T>
RowMoments moments(std::span<const T> row) {
    RowMoments result;
    const auto count = static_cast<double>(row.size());
    double squares = 0;
    for (const T value : row) {
        result.mean += static_cast<double>(value) / count;
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    double around = 0;
    for (const T value : row)
        around += (static_cast<double>(value) - result.mean) * (static_cast<double>(value) - result.mean);
    result.deviation = std::sqrt(around / count);
    result.length = std::sqrt(squares);
    return result;
}

std::vector<double> weightsOf(const TrainedModel& model, const TraceRecord& record, As as, size_t width, double none) {
    std::vector<double> values(width, none);
    if (const UsedWeight* const used = record.weight(as)) {
        const Tensor<const float> weight = std::as_const(*model.network).parameters().value(used->parameter);
        std::transform(weight.data, weight.data + width, values.begin(),
                       [used](float each) { return used->plus + static_cast<double>(each); });
    }
    return values;
}

/// The norm that a sublayer reads; "" where it reads the stream.
std::string normBefore(const Trace& trace, const Module& module) {
    const auto isFirst = [&](const TraceRecord& record) { return &record.owner() == &module; };
    const auto first = std::ranges::find_if(trace.records(), isFirst);
    const TraceRecord* const input = first->inputs.empty() ? nullptr : trace.find(first->inputs.front());
    return input && input->is(ModuleKind::Norm, Part::Norm) ? input->name : "";
}

/// ‖x‖ of every row, added up.
double lengthsOf(const TraceRecord& record) {
    double sum = 0;
    for (int row = 0; row < record.dim(0); ++row)
        sum += momentsOf(rowOf(record, row)).length;
    return sum;
}

std::vector<StreamSurvey::OfStack> stacksOf(const ModelConfig& config) {
    std::vector<StreamSurvey::OfStack> stacks;
    for (const Stack stack : {Stack::Encoder, Stack::Decoder, Stack::Only})
        if (config.encoderDecoder() == (stack != Stack::Only)) stacks.emplace_back().stack = stack;
    return stacks;
}

/// Sums become means.
void divide(StreamSurvey& survey) {
    for (StreamSurvey::OfStack& each : survey.stacks)
        for (double& length : each.lengths)
            length /= static_cast<double>(std::max(1L, each.words));
}

/// Adds what one sentence has to what is known of a stack.
void addSentence(StreamSurvey::OfStack& to, const Trace& trace, NormOrder order, bool keep) {
    const std::vector<StreamSublayer> sublayers = streamSublayers(trace, to.stack, order);
    if (sublayers.empty()) return;
    to.lengths.resize(sublayers.size() + 1);
    to.normed.resize(sublayers.size());
    const TraceRecord& input = trace.at(sublayers.front().x);
    to.words += input.dim(0);
    to.lengths[0] += lengthsOf(input);
    for (size_t i = 0; i < sublayers.size(); ++i) {
        to.lengths[i + 1] += lengthsOf(trace.at(sublayers[i].handedOn(order)));
        if (keep) to.normed[i].push_back(trace.at(sublayers[i].normed(order)).values);
    }
}

}  // namespace

std::vector<StreamSublayer> streamSublayers(const Trace& trace, Stack stack, NormOrder order) {
    std::vector<StreamSublayer> all;
    std::string stream, norm;  // what flows, and the norm that was made of it
    const auto close = [&](const std::string& handedOn) {
        stream = handedOn;
        norm.clear();
    };
    bool isOpen = false;  // f is there, what is made of it is not yet
    for (const TraceRecord& record : trace.records()) {
        const Module& module = record.owner();
        if (module.place.stack != stack || module.place.section == Section::Start) {
            if (module.place.stack == stack && (record.part == Part::Input || record.part == Part::Norm))
                stream = record.name;
            continue;
        }
        if (module.place.section != Section::Layer) continue;
        const bool leftOut = isOpen && all.back().sum.empty() && order == NormOrder::Pre;
        if (leftOut && !record.is(ModuleKind::Norm, Part::Residual) && record.part != Part::NormedOutput) {
            isOpen = false;
            close(all.back().f);
        }
        if (const std::optional<SublayerKind> kind = kindOf(module)) {
            if (record.part != Part::Output) continue;
            // One norm may serve both sublayers of a layer.
            if (norm.empty() && order == NormOrder::Pre) norm = normBefore(trace, module);
            all.push_back({*kind, module.place.layer, stream, record.name, {}, norm});
            isOpen = true;
        } else if (record.part == Part::NormedOutput) {
            if (isOpen) all.back().f = record.name;  // what is added
        } else if (record.is(ModuleKind::Norm, Part::Residual)) {
            if (!isOpen) continue;
            all.back().sum = record.name;
            if (order == NormOrder::Pre) {
                isOpen = false;
                close(record.name);
            }
        } else if (record.is(ModuleKind::Norm, Part::Norm)) {
            norm = record.name;
            if (order == NormOrder::Post && isOpen) {
                all.back().norm = record.name;
                isOpen = false;
                close(record.name);
            }
        }
    }
    return all;
}

RowMoments momentsOf(std::span<const float> row) {
    return moments(row);
}

RowMoments momentsOf(std::span<const double> row) {
    return moments(row);
}

NormedRow normRow(const TrainedModel& model, const Trace& trace, const std::string& norm, int row) {
    const TraceRecord& record = trace.at(norm);
    if (record.operation != Operation::LayerNorm && record.operation != Operation::RmsNorm)
        throw Error(norm + " was not made by a norm");
    const std::span<const float> in = rowOf(trace.at(record.inputs.front()), row);
    NormedRow result;
    result.takesMean = record.operation == Operation::LayerNorm;
    result.in.assign(in.begin(), in.end());
    result.epsilon = model.network->config().layerNormEps;
    const RowMoments known = momentsOf(in);
    const auto count = static_cast<double>(in.size());
    result.mean = result.takesMean ? known.mean : 0;
    result.variance = result.takesMean ? known.deviation * known.deviation : known.length * known.length / count;
    result.divisor = std::sqrt(result.variance + result.epsilon);
    result.scale = weightsOf(model, record, As::Scale, in.size(), 1);
    result.shift = weightsOf(model, record, As::Shift, in.size(), 0);
    for (size_t i = 0; i < in.size(); ++i) {
        result.z.push_back((result.in[i] - result.mean) / result.divisor);
        result.out.push_back(result.scale[i] * result.z[i] + result.shift[i]);
    }
    return result;
}

double batchNormed(double value, size_t column, std::span<const std::vector<float>> sentences, size_t width,
                   double epsilon) {
    double mean = 0, around = 0;
    long rows = 0;
    const auto each = [&](auto take) {
        for (const std::vector<float>& sentence : sentences)
            for (size_t at = column; at < sentence.size(); at += width)
                take(static_cast<double>(sentence[at]));
    };
    each([&](double number) {
        mean += number;
        ++rows;
    });
    if (rows == 0) return 0;
    mean /= static_cast<double>(rows);
    each([&](double number) { around += (number - mean) * (number - mean); });
    return (value - mean) / std::sqrt(around / static_cast<double>(rows) + epsilon);
}

const StreamSurvey::OfStack* StreamSurvey::of(Stack stack) const {
    const auto at = std::ranges::find(stacks, stack, &OfStack::stack);
    return at == stacks.end() ? nullptr : &*at;
}

StreamSurvey surveyStream(const TrainedModel& model, const Corpus& corpus, int kept,
                          const std::function<bool()>& wanted) {
    const ModelConfig& config = model.network->config();
    if (config.recurrent()) throw Error("a recurrent model has no sublayers that add to a stream");
    StreamSurvey result;
    result.stacks = stacksOf(config);
    const bool text = config.corpusKind() == CorpusKind::Text;
    for (const SentencePair& pair : corpus) {
        if (wanted && !wanted()) break;
        const std::string& source = text && pair.source.empty() ? pair.target : pair.source;
        try {
            const Trace trace =
                traceSentence(model, source, config.encoderDecoder() ? std::optional(pair.target) : std::nullopt);
            const bool keep = static_cast<int>(result.sources.size()) < kept;
            if (keep) result.sources.push_back(source);
            for (StreamSurvey::OfStack& each : result.stacks)
                addSentence(each, trace, config.normOrder, keep);
            ++result.sentences;
        } catch (const Error&) {
            continue;  // too long for the model, or without a word
        }
    }
    divide(result);
    return result;
}

StreamSurvey streamOf(const Trace& trace, const ModelConfig& config) {
    if (config.recurrent()) throw Error("a recurrent model has no sublayers that add to a stream");
    StreamSurvey result;
    result.stacks = stacksOf(config);
    for (StreamSurvey::OfStack& each : result.stacks)
        addSentence(each, trace, config.normOrder, true);
    result.sentences = 1;
    divide(result);
    return result;
}

bool differInNormOrderOnly(const ModelConfig& one, const ModelConfig& other) {
    if (one.recurrent() || one.normOrder == other.normOrder) return false;
    ModelConfig turned = other;
    turned.normOrder = one.normOrder;
    turned.finalNorm = one.finalNorm;
    return turned == one;
}

bool differInResidualsOnly(const ModelConfig& one, const ModelConfig& other) {
    if (one.recurrent() || one.residuals == other.residuals) return false;
    ModelConfig turned = other;
    turned.residuals = one.residuals;
    return turned == one;
}

}  // namespace headlight
