// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/patching.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/experiment/residual_stream.h"
#include "core/models/encoder.h"
#include "core/trace/record_row.h"

namespace headlight {

namespace {

using DepthKind = PatchDepth::Kind;
using DepthAfter = PatchDepth::After;

/// Readings that differ by less have nothing to move.
constexpr double leastDifference = 0.5;

DepthAfter afterOf(StreamSublayer::Kind kind) {
    switch (kind) {
        case StreamSublayer::Kind::SelfAttention:
            return DepthAfter::SelfAttention;
        case StreamSublayer::Kind::CrossAttention:
            return DepthAfter::CrossAttention;
        case StreamSublayer::Kind::FeedForward:
            return DepthAfter::FeedForward;
    }
    return DepthAfter::FeedForward;
}

/// What two decoders write, as far as it is the same.
std::vector<int> commonStart(const std::vector<int>& a, const std::vector<int>& b) {
    return {a.begin(), std::ranges::mismatch(a, b).in1};
}

/// Of the second column less the first.
double differenceOf(std::span<const float> row, std::pair<int, int> columns) {
    return static_cast<double>(row[static_cast<size_t>(columns.second)]) -
           static_cast<double>(row[static_cast<size_t>(columns.first)]);
}

/// Of one word of a depth, in A and under changes.
std::optional<double> movedBy(const PatchDepth& depth, int position, const Trace& before, const Trace& now) {
    double apart = 0, length = 0;
    bool isAnother = false;
    for (const std::string& value : depth.values) {
        const TraceRecord& record = before.at(value);
        const int rows = record.shape[record.shape.size() - 2], row = std::max(0, depth.head) * rows + position;
        const auto x = rowOf(record, row), y = rowOf(now.at(value), row);
        for (size_t i = 0; i < x.size(); ++i) {
            const auto from = static_cast<double>(x[i]), by = static_cast<double>(y[i]) - from;
            apart += by * by;
            length += from * from;
            isAnother = isAnother || x[i] != y[i];
        }
    }
    constexpr double kLeast = 1e-24;
    return isAnother ? std::optional(std::sqrt(apart / std::max(length, kLeast))) : std::nullopt;
}

void checkThatPiecesFit(const TrainedModel& a, const TrainedModel& b) {
    if (!(a.network->config() == b.network->config()))
        throw Error("B's model is of another shape: pieces fit where both are the same network with other weights");
    if (a.source->vocabulary().tokens() != b.source->vocabulary().tokens() ||
        a.target->vocabulary().tokens() != b.target->vocabulary().tokens())
        throw Error("B's model has other words: choose one of the same vocabulary");
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
                   const std::optional<std::string>& target, const OtherReading& other)
    : m_model(&model) {
    if (model.network->config().headless()) refuseWithoutHead();
    if (other.model) checkThatPiecesFit(model, *other.model);
    if (model.network->config().encoderDecoder()) {
        feedBothTheSame(a, b, target, other);
    } else {
        m_a = traceSentence(model, a, target);
        m_b = traceSentence(other.model ? *other.model : model, b, {}, other.muted);
    }
    m_prompt = Prompt::of(m_a);
    const Prompt ofB = Prompt::of(m_b);
    m_sources = alignPlaces(m_prompt.source, ofB.source);
    m_targets = alignPlaces(m_prompt.target, ofB.target);
    findAnswer(other.model || !other.muted.empty());
    findDepths();
}

void Patching::feedBothTheSame(const std::string& a, const std::string& b, const std::optional<std::string>& target,
                               const OtherReading& other) {
    const TrainedModel& reader = other.model ? *other.model : *m_model;
    m_a = traceSentence(*m_model, a, target);
    m_b = traceSentence(reader, b, target, other.muted);
    if (target) return;
    const Prompt ofA = Prompt::of(m_a), ofB = Prompt::of(m_b);
    const std::vector<int> fed = commonStart(ofA.target, ofB.target);
    m_a = traceIds(*m_model, ofA.source, fed);
    m_b = traceIds(reader, ofB.source, fed, other.muted);
}

void Patching::findAnswer(bool mayBeAlike) {
    m_row = headlight::answerRow(*m_model, m_prompt);
    const int rowOfB = headlight::answerRow(*m_model, Prompt::of(m_b));
    const auto a = rowOf(m_a.at("logits"), m_row), b = rowOf(m_b.at("logits"), rowOfB);
    m_columns = {likeliest(a), likeliest(b)};
    m_differences = {differenceOf(a, m_columns), differenceOf(b, m_columns)};
    m_alike = m_columns.first == m_columns.second;
    if (m_alike && !mayBeAlike)
        throw AnsweredAlike(m_model->target->displayOne(wordOfColumn(*m_model, m_columns.first)));
    if (m_alike) findFurthest(rowOfB);
    m_words = {wordOfColumn(*m_model, m_columns.first), wordOfColumn(*m_model, m_columns.second)};
}

void Patching::findFurthest(int answerOfB) {
    const TraceRecord &ofA = m_a.at("logits"), &ofB = m_b.at("logits");
    // Of a translation each row writes a word, of anything else one row answers.
    const bool writes = m_model->network->config().encoderDecoder() && ofA.dim(0) == ofB.dim(0);
    const int answer = m_row;
    double furthest = -1;
    for (int row = writes ? 0 : answer; row <= answer; ++row) {
        const auto a = rowOf(ofA, row), b = rowOf(ofB, writes ? row : answerOfB);
        std::vector<float> others(b.begin(), b.end());
        const int said = likeliest(a);
        others[static_cast<size_t>(said)] = -std::numeric_limits<float>::infinity();
        const std::pair columns{said, likeliest(others)};
        const std::pair differences{differenceOf(a, columns), differenceOf(b, columns)};
        const double apart = std::abs(differences.second - differences.first);
        if (apart <= furthest) continue;
        furthest = apart;
        m_row = row;
        m_columns = columns;
        m_differences = differences;
    }
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
    add({.kind = DepthKind::State, .after = DepthAfter::Embedding, .stack = stack, .values = {sublayers.front().x}});
    for (const StreamSublayer& each : sublayers) {
        const DepthAfter after = afterOf(each.kind);
        add({.kind = DepthKind::State,
             .after = after,
             .stack = stack,
             .layer = each.layer,
             .values = {each.handedOn(order)}});
        add({.kind = DepthKind::Sublayer, .after = after, .stack = stack, .layer = each.layer, .values = {each.f}});
        const TraceRecord* const heads = m_a.find(m_a.at(each.f).owner(), Part::Heads);
        for (int head = 0; heads && head < heads->dim(0); ++head)
            add({.kind = DepthKind::Head,
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
            depth.after = DepthAfter::Recurrent;
            if (const TraceRecord* const cell = m_a.find(module, Part::Cell)) depth.values.push_back(cell->name);
            add(std::move(depth));
        } else if (module.place.section == Section::End && module.place.stack == Stack::Encoder &&
                   record.part == Part::Output) {
            depth.after = DepthAfter::Output;
            add(std::move(depth));
        } else if (record.is(ModuleKind::Combine, Part::Output) || record.is(ModuleKind::Attention, Part::Context)) {
            depth.after = record.part == Part::Context ? DepthAfter::CrossAttention : DepthAfter::Combine;
            depth.kind = record.part == Part::Context ? DepthKind::Sublayer : DepthKind::State;
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
    const auto width = static_cast<size_t>(m_a.at("logits").dim(1));
    return differenceOf(std::span(logits).subspan(static_cast<size_t>(m_row) * width, width), m_columns);
}

std::optional<double> Patching::share(double difference) const {
    const double whole = m_differences.second - m_differences.first;
    if (std::abs(whole) < leastDifference) return {};
    return (difference - m_differences.first) / whole;
}

Trace Patching::under(std::span<const Intervention> changes) const {
    return tracePrompt(*m_model, m_prompt, {}, changes);
}

std::vector<std::vector<std::optional<double>>> Patching::moved(const Trace& now) const {
    std::vector<std::vector<std::optional<double>>> all;
    for (const PatchDepth& depth : m_depths) {
        auto& row = all.emplace_back();
        for (int position = 0; position < depth.positions; ++position)
            row.push_back(movedBy(depth, position, m_a, now));
    }
    return all;
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
