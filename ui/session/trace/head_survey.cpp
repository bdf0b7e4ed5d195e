// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/head_survey.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Kind = AttentionBlock::Kind;

/// Words of the first of two texts, the separator behind it among them.
int firstTextOf(const std::vector<std::string>& words) {
    const auto separator = std::ranges::find_if(words, [](const std::string& word) { return isSeparator(word); });
    if (separator == words.begin() || separator == words.end()) return 0;
    const bool goesOn = std::any_of(separator, words.end(), [](const std::string& word) { return !isSeparator(word); });
    return goesOn ? static_cast<int>(separator - words.begin()) + 1 : 0;
}

}  // namespace

std::vector<Kind> HeadSurvey::kindsOf(const std::vector<AttentionBlock>& blocks) {
    std::vector<Kind> kinds;
    for (const Kind kind : {Kind::Self, Kind::EncoderSelf, Kind::DecoderSelf, Kind::Cross})
        if (std::ranges::find(blocks, kind, &AttentionBlock::kind) != blocks.end()) kinds.push_back(kind);
    return kinds;
}

HeadSurvey::HeadSurvey(std::shared_ptr<const Trace> trace, Kind kind, const Look& look, const GoldLinks& gold)
    : m_trace(std::move(trace)), m_kind(kind), m_look(look) {
    std::vector<AttentionBlock> blocks = attentionBlocks(*m_trace);
    std::erase_if(blocks, [&](const AttentionBlock& block) { return block.kind != kind; });
    std::ranges::stable_sort(blocks, {}, &AttentionBlock::layer);
    if (blocks.empty()) return;
    const AttentionBlock& first = blocks.front();
    m_rows = first.rows;
    m_columns = first.columns;
    m_rowLabels = headlight::rowLabels(*m_trace, first);
    m_columnLabels = headlight::columnLabels(*m_trace, first);
    m_mask = first.maskValues();
    m_causal = m_columns > 1 && !isOpen(0, m_columns - 1);
    if (!m_causal && !first.rowsWrite()) m_firstText = firstTextOf(m_trace->sourceTokens);
    if (m_firstText == 0) m_look.firstToSecond = false;
    const HabitPlaces places(*m_trace, *first.weights, gold);
    for (const AttentionBlock& block : blocks) {
        m_layers = std::max(m_layers, block.layer + 1);
        m_headsALayer = std::max(m_headsALayer, block.heads);
        for (int head = 0; head < block.heads; ++head) {
            const std::span<const float> weights = block.headWeights(head);
            m_heads.push_back({block.scope,
                               block.layer,
                               head,
                               places.read(weights, m_look.first).facts(),
                               {},
                               {},
                               weights,
                               seenOtherwise(weights)});
        }
    }
}

std::vector<float> HeadSurvey::seenOtherwise(std::span<const float> head) const {
    if (m_look == Look()) return {};
    std::vector<float> seen = m_look.first == FirstWord::LeftOut ? withoutFirstWord(head, m_columns)
                                                                 : std::vector<float>(head.begin(), head.end());
    if (m_look.firstToSecond)
        for (int row = 0; row < m_rows; ++row)
            for (int column = 0; column < m_columns; ++column)
                if (row >= m_firstText || column < m_firstText) seen[at(row, column)] = 0;
    return seen;
}

bool HeadSurvey::isOpen(int row, int column) const {
    const size_t cell = at(row, column);
    return cell >= m_mask.size() || !std::isinf(m_mask[cell]);
}

void HeadSurvey::setJudgement(const HeadJudgement& judgement) {
    std::map<QString, const JudgedHead*> byName;
    for (const JudgedHead& judged : judgement.heads)
        byName[headName(QString::fromStdString(judged.head.block), judged.head.head)] = &judged;
    for (Head& head : m_heads) {
        const auto judged = byName.find(head.name());
        if (judged == byName.end()) continue;
        head.facts.habit = judged->second->facts.habit;
        head.facts.share = judged->second->facts.share;
        head.examples = judged->second->examples;
    }
}

void HeadSurvey::setRises(const TextAblation& ablation) {
    std::map<QString, double> byName;
    for (const HeadRise& rise : ablation.heads)
        byName[headName(QString::fromStdString(rise.head.block), rise.head.head)] = rise.rise;
    for (Head& head : m_heads)
        if (const auto rise = byName.find(head.name()); rise != byName.end()) head.rise = rise->second;
}

int HeadSurvey::indexOf(const QString& scope, int head) const {
    const auto found =
        std::ranges::find_if(m_heads, [&](const Head& each) { return each.scope == scope && each.head == head; });
    return found == m_heads.end() ? -1 : static_cast<int>(found - m_heads.begin());
}

std::vector<int> HeadSurvey::looking(int row, int column, double least) const {
    if (row < 0 || column < 0 || row >= m_rows || column >= m_columns) return {};
    const size_t cell = at(row, column);
    std::vector<int> found;
    for (size_t i = 0; i < m_heads.size(); ++i)
        if (static_cast<double>(m_heads[i].seen()[cell]) >= least) found.push_back(static_cast<int>(i));
    std::ranges::stable_sort(found, std::greater(),
                             [&](int head) { return m_heads[static_cast<size_t>(head)].seen()[cell]; });
    return found;
}

std::vector<HeadHabit> HeadSurvey::habits() const {
    using enum HeadHabit;
    if (m_kind == Kind::Cross) return {Alignment, First, Punctuation, Broad, None};
    std::vector<HeadHabit> all{AfterSame, SameWord, Itself, Previous, Next, First, Punctuation, Broad, None};
    if (m_causal) std::erase(all, Next);
    return all;
}

std::array<int, habitCount> HeadSurvey::count(int fromLayer, int toLayer) const {
    std::array<int, habitCount> counts{};
    for (const Head& head : m_heads)
        if (head.layer >= fromLayer && head.layer <= toLayer) ++counts[static_cast<size_t>(head.facts.habit)];
    return counts;
}

std::optional<double> HeadSurvey::value(Measure measure, const Head& head) const {
    switch (measure) {
        case Measure::Entropy:
            return head.facts.entropy;
        case Measure::Distance:
            return head.facts.distance;
        case Measure::First:
            return head.facts.first;
        case Measure::Importance:
            return head.rise;
    }
    return {};
}

int HeadSurvey::rank(Measure measure, int head) const {
    const std::optional<double> own = value(measure, m_heads[static_cast<size_t>(head)]);
    if (!own) return 0;
    return 1 + static_cast<int>(std::ranges::count_if(m_heads, [&](const Head& other) {
               const std::optional<double> its = value(measure, other);
               return its && (largestFirst(measure) ? *its > *own : *its < *own);
           }));
}

std::vector<int> HeadSurvey::sorted(Measure measure, std::vector<int> heads) const {
    std::ranges::stable_sort(heads, [&](int a, int b) {
        const auto ofA = value(measure, m_heads[static_cast<size_t>(a)]),
                   ofB = value(measure, m_heads[static_cast<size_t>(b)]);
        if (!ofA || !ofB) return ofA.has_value() && !ofB.has_value();
        return largestFirst(measure) ? *ofA > *ofB : *ofA < *ofB;
    });
    return heads;
}

std::vector<int> HeadSurvey::sortedByHabit(std::vector<int> heads) const {
    const std::vector<HeadHabit> order = habits();
    std::ranges::stable_sort(heads, [&](int a, int b) {
        const HeadFacts &ofA = m_heads[static_cast<size_t>(a)].facts, &ofB = m_heads[static_cast<size_t>(b)].facts;
        if (ofA.habit != ofB.habit) return std::ranges::find(order, ofA.habit) < std::ranges::find(order, ofB.habit);
        return ofA.share > ofB.share;
    });
    return heads;
}

}  // namespace headlight
