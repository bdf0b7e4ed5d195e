// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/logit_lens.h"

#include <algorithm>
#include <cmath>

#include "core/autograd/operations.h"
#include "core/autograd/variant_operations.h"
#include "core/error.h"
#include "core/experiment/loss_of_words.h"
#include "core/nn/context.h"
#include "core/tensor/kernels.h"

namespace headlight {

namespace {

using As = UsedWeight::As;
using After = LensDepth::After;

constexpr int mostLogits = 1 << 22;  ///< at once: 16 MB, whatever the vocabulary

/// The weight that a value was made with; null where it was made with none.
Variable<float> weightOf(const ForwardContext& context, const TraceRecord& record, As as) {
    const UsedWeight* const used = record.weight(as);
    return used ? context.parameter(used->parameter) : Variable<float>();
}

/// What a norm multiplies by.
Variable<float> scaleOf(const ForwardContext& context, const TraceRecord& record) {
    const Variable<float> weight = weightOf(context, record, As::Scale);
    const double plus = record.weight(As::Scale)->plus;
    return plus == 0 ? weight : ops::addNumber(context.tape, weight, static_cast<float>(plus));
}

/// What made `record`, of other rows.
Variable<float> pass(ForwardContext& context, const ModelConfig& config, const TraceRecord& record, Variable<float> x) {
    const auto epsilon = static_cast<float>(config.layerNormEps);
    switch (record.operation) {
        case Operation::Linear:
            if (record.factor != 1) x = ops::scale(context.tape, x, static_cast<float>(record.factor));
            return ops::linear(context.tape, x, weightOf(context, record, As::Matrix),
                               weightOf(context, record, As::Bias));
        case Operation::LayerNorm:
            return ops::layerNorm(context.tape, x, weightOf(context, record, As::Scale),
                                  weightOf(context, record, As::Shift), epsilon);
        case Operation::RmsNorm:
            return ops::rmsNorm(context.tape, x, scaleOf(context, record), epsilon);
        case Operation::SoftCap:
            return ops::softCap(context.tape, x, static_cast<float>(record.factor));
        case Operation::Activation:
            return ops::activationInPlace(context.tape, config.activation, x);
        case Operation::LogSoftmax:
            kernels<float>().logSoftmaxRows(x.rows(), x.cols(), x.value.data, x.value.data);
            return x;
        case Operation::Identity:
            return x;
        case Operation::Input:
        case Operation::Embedding:
        case Operation::PositionalEncoding:
        case Operation::Add:
        case Operation::AttentionScores:
        case Operation::Mask:
        case Operation::Softmax:
        case Operation::WeightedSum:
        case Operation::Concat:
        case Operation::Multiply:
        case Operation::Rotation:
        case Operation::RelativeBias:
        case Operation::Gate:
        case Operation::Candidate:
        case Operation::CellState:
        case Operation::HiddenState:
        case Operation::Tanh:
        case Operation::DotScores:
        case Operation::AdditiveScores:
            break;
    }
    throw Error("the lens cannot compute \"" + record.name + "\" of other rows: no head that it knows does that");
}

/// The sublayer that a record of a layer belongs to; nothing where it is a norm's, which stands on either side of one.
std::optional<After> sublayerOf(const Module& module) {
    if (module.kind == ModuleKind::FeedForward) return After::FeedForward;
    if (module.kind != ModuleKind::Attention) return {};
    return module.over == AttentionOver::Memory ? After::CrossAttention : After::SelfAttention;
}

}  // namespace

LogitLens::LogitLens(const TrainedModel& model, const Trace& trace, int words)
    : m_model(model), m_trace(trace), m_words(words) {
    const ModelConfig& config = model.network->config();
    if (config.recurrent() || !config.saysWords())
        throw Error("this model has no layers that could say a word before the last: open a Transformer that writes");
    findDepths();
    findWay();
    findWords();
}

void LogitLens::findDepths() {
    const ModelConfig& config = m_model.network->config();
    const Stack stack = config.encoderDecoder() ? Stack::Decoder : Stack::Only;
    // Where the norm comes first it is the next sublayer's.
    const bool normEnds = config.normOrder == NormOrder::Post;
    for (const TraceRecord& record : m_trace.records()) {
        const Module& module = record.owner();
        if (module.place.stack != stack) continue;
        if (module.place.section == Section::Start && record.part == Part::Input)
            m_depths.push_back({After::Embedding, -1, false, record.name, {}});
        if (module.place.section != Section::Layer || m_depths.empty()) continue;
        if (const std::optional<After> after = sublayerOf(module)) {
            LensDepth& last = m_depths.back();
            if (last.after != *after || last.layer != module.place.layer)
                m_depths.push_back({*after, module.place.layer, false, record.name, {}});
            m_depths.back().value = record.name;
            if (*after == After::CrossAttention && record.part == Part::Weights) m_depths.back().weights = record.name;
        } else if (module.place.layer == m_depths.back().layer && (normEnds || record.part == Part::Residual)) {
            m_depths.back().value = record.name;
        }
    }
    if (m_depths.empty()) throw Error("this trace does not say which model made it: trace the sentence anew");
    for (size_t depth = 1; depth < m_depths.size(); ++depth)
        m_depths[depth].endsLayer = depth + 1 == m_depths.size() || m_depths[depth + 1].layer != m_depths[depth].layer;
}

void LogitLens::findWay() {
    for (const TraceRecord& record : m_trace.records()) {
        const Section section = record.owner().place.section;
        // The stack that is read last is the one that the head reads.
        if (section == Section::Layer || section == Section::Start) m_way.clear();
        if (section == Section::End || section == Section::Head) m_way.push_back(&record);
    }
}

void LogitLens::findWords() {
    const ModelConfig& config = m_model.network->config();
    const TraceRecord& logProbs = m_trace.at("log_probs");
    const auto columns = static_cast<std::ptrdiff_t>(logProbs.dim(1));
    for (auto row = logProbs.values.begin(); row != logProbs.values.end(); row += columns)
        m_finals.push_back(static_cast<int>(std::max_element(row, row + columns) - row));
    m_inText = targetWords(config, m_trace);
}

bool LogitLens::throughNorm() const {
    return std::ranges::any_of(m_way, [](const TraceRecord* record) {
        return record->owner().kind == ModuleKind::Norm && record->owner().place.section == Section::End;
    });
}

std::vector<LensCell> LogitLens::read(size_t depth, int first) const {
    const LensDepth& at = m_depths[depth];
    const TraceRecord& record = m_trace.at(at.value);
    const int atOnce = std::max(1, mostLogits / m_trace.at("log_probs").dim(1));
    std::vector<LensCell> cells;
    for (int from = first; from < positions(); from += atOnce)
        readRows(record, from, std::min(atOnce, positions() - from),
                 [&](const float* logProbs, int vocabulary, int position) {
                     cells.push_back(cellOf(logProbs, vocabulary, position));
                 });
    if (!at.weights.empty())
        for (int position = first; position < positions(); ++position)
            addSource(m_trace.at(at.weights), position, cells[static_cast<size_t>(position - first)]);
    return cells;
}

std::vector<float> LogitLens::probabilities(size_t depth, int position) const {
    std::vector<float> all;
    readRows(m_trace.at(m_depths[depth].value), position, 1, [&](const float* logProbs, int vocabulary, int) {
        std::transform(logProbs, logProbs + vocabulary, std::back_inserter(all),
                       [](float logProb) { return std::exp(logProb); });
    });
    return all;
}

void LogitLens::readRows(const TraceRecord& record, int from, int count,
                         const std::function<void(const float*, int, int)>& take) const {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, std::as_const(*m_model.network).parameters());
    const int width = record.dim(1);
    Variable<float> x = tape.variable({count, width});
    std::copy_n(record.values.begin() + static_cast<std::ptrdiff_t>(from) * width, x.value.shape.count(), x.value.data);
    for (const TraceRecord* step : m_way)
        x = pass(context, m_model.network->config(), *step, x);
    for (int row = 0; row < count; ++row)
        take(x.value.row(row), x.cols(), from + row);
}

LensCell LogitLens::cellOf(const float* logProbs, int vocabulary, int position) const {
    const auto before = [logProbs](int a, int b) { return logProbs[a] > logProbs[b]; };
    const int final = m_finals[static_cast<size_t>(position)];
    LensCell cell;
    cell.finalProbability = std::exp(logProbs[final]);
    std::vector<int> best;
    for (int word = 0; word < vocabulary; ++word) {
        cell.finalRank += before(word, final);
        const bool full = best.size() == static_cast<size_t>(m_words);
        if (std::isnan(logProbs[word]) || (full && !before(word, best.back()))) continue;
        if (full) best.pop_back();
        best.insert(std::ranges::upper_bound(best, word, before), word);
    }
    for (const int word : best)
        cell.words.push_back({word, std::exp(logProbs[word])});
    return cell;
}

void LogitLens::addSource(const TraceRecord& weights, int position, LensCell& cell) const {
    const int heads = weights.dim(0), sources = weights.dim(2);
    std::vector<float> mean(static_cast<size_t>(sources));
    for (int head = 0; head < heads; ++head) {
        const auto row = weights.head(head).subspan(static_cast<size_t>(position) * mean.size(), mean.size());
        for (size_t source = 0; source < mean.size(); ++source)
            mean[source] += row[source] / static_cast<float>(heads);
    }
    const auto most = std::ranges::max_element(mean);
    cell.source = static_cast<int>(most - mean.begin());
    cell.sourceWeight = *most;
}

size_t settledFrom(const std::vector<int>& tops, int final) {
    size_t from = tops.size() - 1;
    while (from > 0 && tops[from - 1] == final)
        --from;
    return from;
}

}  // namespace headlight
