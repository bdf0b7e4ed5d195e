// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/attention_part.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "core/io/trained_model.h"

namespace headlight {
namespace {

using StagePairs = AttentionOptions::Pairs;

constexpr std::array<std::string_view, 8> kSpecials = {"<bos>", "<eos>", "<pad>", "[CLS]",
                                                       "[SEP]", "[PAD]", "<s>",   "</s>"};
constexpr std::string_view kSeparator = "[SEP]";

std::vector<int> idsOf(const Trace& trace, bool decoder) {
    for (const TraceRecord& record : trace.records())
        if (record.part == Part::Ids && record.operation == Operation::Input && record.name != "token_type_ids" &&
            (record.owner().place.stack == Stack::Decoder) == decoder)
            return record.ids();
    return {};
}

/// A tokenizer of ids alone calls none of them special, but knows which are.
bool isSpecial(const Tokenizer& tokenizer, int id) {
    const SpecialTokens& known = tokenizer.specials();
    if (known.mask == id) return false;
    return tokenizer.isSpecial(id) || known.pad == id || known.bos == id || known.eos == id || known.cls == id ||
           known.sep == id;
}

std::vector<char> specialsOf(const std::vector<std::string>& tokens, const std::vector<int>& ids,
                             const Tokenizer* tokenizer) {
    std::vector<char> special;
    const bool asks = tokenizer && ids.size() == tokens.size();
    for (size_t i = 0; i < tokens.size(); ++i)
        special.push_back(asks ? isSpecial(*tokenizer, ids[i]) : std::ranges::count(kSpecials, tokens[i]) > 0);
    return special;
}

/// Where words stand behind the first separator: the token that follows it.
int secondSentence(const std::vector<std::string>& tokens, const std::vector<int>& ids,
                   const std::vector<char>& special, const TrainedModel* model) {
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    if (config && config->saysWords() && !config->masked()) return 0;
    std::optional<int> separator;
    if (config)
        separator = config->separatorId >= 0 ? std::optional(config->separatorId) : model->source->specials().sep;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        const bool parts = separator && ids.size() == tokens.size() ? ids[i] == *separator : tokens[i] == kSeparator;
        if (!parts) continue;
        const bool words = std::any_of(special.begin() + static_cast<std::ptrdiff_t>(i) + 1, special.end(),
                                       [](char flag) { return flag == 0; });
        return words ? static_cast<int>(i) + 1 : 0;
    }
    return 0;
}

const WordMarks::Side& columnSide(const AttentionBlock& block, const WordMarks& marks) {
    return block.kind == AttentionBlock::Kind::DecoderSelf || marks.source.special.empty() ? marks.target
                                                                                           : marks.source;
}

bool flagAt(const std::vector<char>& flags, int at) {
    return static_cast<size_t>(at) < flags.size() && flags[static_cast<size_t>(at)] != 0;
}

/// A row that writes is called by the next word; the last one writes the end.
bool isSpecialRow(const AttentionBlock& block, const WordMarks& marks, int row) {
    if (!block.rowsWrite()) return flagAt(columnSide(block, marks).special, row);
    return row + 1 == block.rows || flagAt(marks.target.special, row + 1);
}

bool isWanted(StagePairs pairs, bool rowInSecond, bool columnInSecond) {
    switch (pairs) {
        case StagePairs::All:
            return true;
        case StagePairs::FirstToSecond:
            return !rowInSecond && columnInSecond;
        case StagePairs::SecondToFirst:
            return rowInSecond && !columnInSecond;
        case StagePairs::WithinFirst:
            return !rowInSecond && !columnInSecond;
        case StagePairs::WithinSecond:
            return rowInSecond && columnInSecond;
    }
    return true;
}

int placeIn(const std::vector<int>& sorted, int value) {
    const auto at = std::ranges::lower_bound(sorted, value);
    return at != sorted.end() && *at == value ? static_cast<int>(at - sorted.begin()) : -1;
}

QStringList picked(const QStringList& labels, const std::vector<int>& places) {
    QStringList part;
    if (labels.isEmpty()) return part;
    for (const int place : places)
        part << labels.value(place);
    return part;
}

}  // namespace

WordMarks wordMarks(const Trace& trace, const TrainedModel* model) {
    WordMarks marks;
    const std::vector<int> source = idsOf(trace, false), target = idsOf(trace, true);
    marks.source.special = specialsOf(trace.sourceTokens, source, model ? model->source.get() : nullptr);
    marks.target.special = specialsOf(trace.targetTokens, target, model ? model->target.get() : nullptr);
    if (trace.targetTokens.empty())
        marks.source.second = secondSentence(trace.sourceTokens, source, marks.source.special, model);
    return marks;
}

AttentionPart::AttentionPart(const AttentionBlock& block, const WordMarks& marks, const AttentionFilter& filter)
    : m_allColumns(block.columns) {
    const WordMarks::Side& looked = columnSide(block, marks);
    for (int row = 0; row < block.rows; ++row)
        if (!(filter.withoutSpecials && isSpecialRow(block, marks, row)) &&
            !(filter.withoutFirst && row == 0 && !block.rowsWrite()))
            m_rows.push_back(row);
    for (int column = 0; column < block.columns; ++column)
        if (!(filter.withoutSpecials && flagAt(looked.special, column)) && !(filter.withoutFirst && column == 0))
            m_columns.push_back(column);
    m_tooMuch = m_rows.empty() || m_columns.empty();
    if (m_tooMuch) {
        m_rows.resize(static_cast<size_t>(block.rows));
        m_columns.resize(static_cast<size_t>(block.columns));
        std::iota(m_rows.begin(), m_rows.end(), 0);
        std::iota(m_columns.begin(), m_columns.end(), 0);
    }
    if (filter.pairs == StagePairs::All || !readsPairs(block, marks)) return;
    for (const int row : m_rows)
        for (const int column : m_columns)
            m_leftOut.push_back(isWanted(filter.pairs, row >= looked.second, column >= looked.second) ? 0 : 1);
}

int AttentionPart::shownRow(int row) const {
    return placeIn(m_rows, row);
}

int AttentionPart::shownColumn(int column) const {
    return placeIn(m_columns, column);
}

QStringList AttentionPart::rowsOf(const QStringList& labels) const {
    return picked(labels, m_rows);
}

QStringList AttentionPart::columnsOf(const QStringList& labels) const {
    return picked(labels, m_columns);
}

double AttentionPart::hiddenShare(std::span<const float> weights) const {
    double all = 0, shown = 0;
    for (const int row : m_rows) {
        const auto given = weights.subspan(static_cast<size_t>(row) * static_cast<size_t>(m_allColumns),
                                           static_cast<size_t>(m_allColumns));
        for (const float weight : given)
            all += static_cast<double>(weight);
        for (const int column : m_columns)
            shown += static_cast<double>(given[static_cast<size_t>(column)]);
    }
    return all > 0 ? (all - shown) / all : 0;
}

bool readsPairs(const AttentionBlock& block, const WordMarks& marks) {
    return !block.rowsWrite() && columnSide(block, marks).second > 0;
}

std::vector<float> meanOfHeads(const TraceRecord& values, std::span<const int> heads) {
    const size_t size = values.values.size() / static_cast<size_t>(values.shape.size() == 3 ? values.shape[0] : 1);
    std::vector<float> mean(size);
    const float part = 1.0F / static_cast<float>(heads.size());
    for (const int head : heads) {
        const float* const of = values.values.data() + static_cast<size_t>(head) * size;
        for (size_t i = 0; i < size; ++i)
            mean[i] += of[i] * part;
    }
    return mean;
}

}  // namespace headlight
