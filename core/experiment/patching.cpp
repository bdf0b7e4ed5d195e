// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/patching.h"

#include <algorithm>
#include <cmath>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/experiment/residual_stream.h"
#include "core/models/encoder.h"

namespace headlight {

namespace {

using Kind = PatchDepth::Kind;
using After = PatchDepth::After;

/// Readings that differ by less have nothing to move.
constexpr double leastDifference = 0.5;

After afterOf(StreamSublayer::Kind kind) {
    switch (kind) {
        case StreamSublayer::Kind::SelfAttention:
            return After::SelfAttention;
        case StreamSublayer::Kind::CrossAttention:
            return After::CrossAttention;
        case StreamSublayer::Kind::FeedForward:
            return After::FeedForward;
    }
    return After::FeedForward;
}

/// What two decoders write, as far as it is the same.
std::vector<int> commonStart(const std::vector<int>& a, const std::vector<int>& b) {
    return {a.begin(), std::ranges::mismatch(a, b).in1};
}

}  // namespace

std::vector<int> alignPlaces(const std::vector<int>& a, const std::vector<int>& b) {
    const size_t shorter = std::min(a.size(), b.size());
    size_t start = 0, end = 0;
    while (start < shorter && a[start] == b[start])
        ++start;
    while (end < shorter - start && a[a.size() - 1 - end] == b[b.size() - 1 - end])
        ++end;
    std::vector<int> places(a.size(), -1);
    for (size_t i = 0; i < a.size(); ++i)
        if (i + end >= a.size())
            places[i] = static_cast<int>(b.size() - (a.size() - i));
        else if (i + end < b.size())
            places[i] = static_cast<int>(i);
    return places;
}

Patching::Patching(const TrainedModel& model, const std::string& a, const std::string& b,
                   const std::optional<std::string>& target)
    : m_model(&model) {
    if (model.network->config().headless()) refuseWithoutHead();
    if (model.network->config().encoderDecoder()) {
        feedBothTheSame(a, b, target);
    } else {
        m_a = traceSentence(model, a, target);
        m_b = traceSentence(model, b);
    }
    m_prompt = Prompt::of(m_a);
    const Prompt other = Prompt::of(m_b);
    m_sources = alignPlaces(m_prompt.source, other.source);
    m_targets = alignPlaces(m_prompt.target, other.target);
    findAnswer();
    findDepths();
}

void Patching::feedBothTheSame(const std::string& a, const std::string& b, const std::optional<std::string>& target) {
    m_a = traceSentence(*m_model, a, target);
    m_b = traceSentence(*m_model, b, target);
    if (target) return;
    const Prompt ofA = Prompt::of(m_a), ofB = Prompt::of(m_b);
    const std::vector<int> fed = commonStart(ofA.target, ofB.target);
    m_a = traceIds(*m_model, ofA.source, fed);
    m_b = traceIds(*m_model, ofB.source, fed);
}

void Patching::findAnswer() {
    const Prompt other = Prompt::of(m_b);
    const TraceRecord &ofA = m_a.at("logits"), &ofB = m_b.at("logits");
    const auto width = static_cast<size_t>(ofA.dim(1));
    m_row = headlight::answerRow(*m_model, m_prompt);
    const auto rowOf = [&](const TraceRecord& logits, int row) {
        return std::span(logits.values).subspan(static_cast<size_t>(row) * width, width);
    };
    const auto a = rowOf(ofA, m_row), b = rowOf(ofB, headlight::answerRow(*m_model, other));
    m_columns = {likeliest(a), likeliest(b)};
    if (m_columns.first == m_columns.second)
        throw Error("both sentences are answered with \"" +
                    m_model->target->displayOne(wordOfColumn(*m_model, m_columns.first)) +
                    "\": choose two whose answers differ");
    m_words = {wordOfColumn(*m_model, m_columns.first), wordOfColumn(*m_model, m_columns.second)};
    const auto difference = [&](std::span<const float> row) {
        return static_cast<double>(row[static_cast<size_t>(m_columns.second)]) -
               static_cast<double>(row[static_cast<size_t>(m_columns.first)]);
    };
    m_differences = {difference(a), difference(b)};
}

/// A depth of values that both readings have.
void Patching::add(PatchDepth depth) {
    const TraceRecord& record = m_a.at(depth.values.front());
    const size_t rows = record.shape.size() - 2;
    depth.ofSource = record.axes[rows] == Axis::SourceToken;
    depth.positions = record.shape[rows];
    m_depths.push_back(std::move(depth));
}

void Patching::addStreams(Stack stack) {
    const NormOrder order = m_model->network->config().normOrder;
    const std::vector<StreamSublayer> sublayers = streamSublayers(m_a, stack, order);
    if (sublayers.empty()) return;
    add({.kind = Kind::State, .after = After::Embedding, .stack = stack, .values = {sublayers.front().x}});
    for (const StreamSublayer& each : sublayers) {
        const After after = afterOf(each.kind);
        add({.kind = Kind::State,
             .after = after,
             .stack = stack,
             .layer = each.layer,
             .values = {each.handedOn(order)}});
        add({.kind = Kind::Sublayer, .after = after, .stack = stack, .layer = each.layer, .values = {each.f}});
        const TraceRecord* const heads = m_a.find(m_a.at(each.f).owner(), Part::Heads);
        for (int head = 0; heads && head < heads->dim(0); ++head)
            add({.kind = Kind::Head,
                 .after = after,
                 .stack = stack,
                 .layer = each.layer,
                 .head = head,
                 .values = {heads->name}});
    }
}

void Patching::addRecurrent() {
    for (const TraceRecord& record : m_a.records()) {
        const Module& module = record.owner();
        PatchDepth depth{.stack = module.place.stack,
                         .direction = module.direction,
                         .layer = module.place.layer,
                         .values = {record.name}};
        if (record.is(ModuleKind::Embedding, Part::Embedding)) {
            add(std::move(depth));
        } else if (record.is(ModuleKind::Recurrent, Part::State)) {
            depth.after = After::Recurrent;
            if (const TraceRecord* const cell = m_a.find(module, Part::Cell)) depth.values.push_back(cell->name);
            add(std::move(depth));
        } else if (module.place.section == Section::End && module.place.stack == Stack::Encoder &&
                   record.part == Part::Output) {
            depth.after = After::Output;
            add(std::move(depth));
        } else if (record.is(ModuleKind::Combine, Part::Output) || record.is(ModuleKind::Attention, Part::Context)) {
            depth.after = record.part == Part::Context ? After::CrossAttention : After::Combine;
            depth.kind = record.part == Part::Context ? Kind::Sublayer : Kind::State;
            add(std::move(depth));
        }
    }
}

void Patching::findDepths() {
    if (m_model->network->config().recurrent())
        addRecurrent();
    else
        for (const Stack stack : {Stack::Encoder, Stack::Decoder, Stack::Only})
            addStreams(stack);
    std::ranges::stable_sort(m_depths, {}, &PatchDepth::kind);
}

std::vector<Intervention> Patching::changes(const PatchDepth& depth, int position) const {
    const int from = alignment(depth)[static_cast<size_t>(position)];
    if (from < 0) return {};
    std::vector<Intervention> list;
    for (const std::string& value : depth.values)
        list.push_back(takenFrom(m_b, {value, depth.head, {position}}, {from}));
    return list;
}

double Patching::differenceUnder(std::span<const Intervention> changes) const {
    const std::vector<float> logits = logitsOf(*m_model, m_prompt, changes);
    const size_t first = static_cast<size_t>(m_row) * static_cast<size_t>(m_a.at("logits").dim(1));
    return static_cast<double>(logits[first + static_cast<size_t>(m_columns.second)]) -
           static_cast<double>(logits[first + static_cast<size_t>(m_columns.first)]);
}

std::optional<double> Patching::share(double difference) const {
    const double whole = m_differences.second - m_differences.first;
    if (std::abs(whole) < leastDifference) return {};
    return (difference - m_differences.first) / whole;
}

std::optional<PatchCell> Patching::read(size_t depth, int position) const {
    const std::vector<Intervention> list = changes(m_depths[depth], position);
    if (list.empty()) return {};
    const int from = alignment(m_depths[depth])[static_cast<size_t>(position)];
    const double difference = differenceUnder(list);
    return PatchCell{depth, position, from, difference, share(difference)};
}

void Patching::readAll(PatchDepth::Kind kind, const std::function<bool(const PatchCell&)>& each) const {
    for (size_t depth = 0; depth < m_depths.size(); ++depth)
        for (int position = 0; m_depths[depth].kind == kind && position < m_depths[depth].positions; ++position)
            if (const std::optional<PatchCell> cell = read(depth, position); cell && !each(*cell)) return;
}

}  // namespace headlight
