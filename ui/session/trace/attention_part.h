// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <span>
#include <vector>

#include "core/lessons/stage_state.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

struct TrainedModel;

/// What is known of the words of a reading besides how they are written.
struct WordMarks {
    struct Side {
        std::vector<char> special;  ///< a flag a token: it stands for no text
        int second = 0;             ///< the token at which the second of two sentences begins; 0: there is one
    };
    Side source, target;
};

/// Asks the model's tokenizers for the ids that the trace read. Where there is no model, or the trace has no ids, the
/// tokens that are written as special ones are (`<bos>`, `[SEP]`). Two sentences: in encoder-only models, where words
/// stand behind the first separator. A masked word is a word.
WordMarks wordMarks(const Trace& trace, const TrainedModel* model);

/// What a reader takes out of the picture of an attention.
struct AttentionFilter {
    bool withoutSpecials = false;
    /// Its column; and its row, where rows are words that look and not words that are written.
    bool withoutFirst = false;
    AttentionOptions::Pairs pairs = AttentionOptions::Pairs::All;
};

/// The rows and columns of a block that are left of it, and the cells of these that the pairs leave out. Where nothing
/// would be left, all is.
class AttentionPart {
public:
    AttentionPart() = default;
    AttentionPart(const AttentionBlock& block, const WordMarks& marks, const AttentionFilter& filter);

    /// Of the block, in their order.
    const std::vector<int>& rows() const { return m_rows; }
    const std::vector<int>& columns() const { return m_columns; }
    /// Where a row of the block stands in rows(); -1: it is taken out.
    int shownRow(int row) const;
    int shownColumn(int column) const;
    /// Columns that are taken out.
    int hiddenColumns() const { return m_allColumns - static_cast<int>(m_columns.size()); }
    /// Would nothing have been left?
    bool isTooMuch() const { return m_tooMuch; }
    /// A flag a cell, [rows, columns]; empty: the pairs leave nothing out.
    const std::vector<char>& leftOut() const { return m_leftOut; }

    /// Of values [rows, columns] of the whole block. None of none.
    template <class Value>
    std::vector<Value> of(std::span<const Value> values) const {
        std::vector<Value> part;
        if (values.empty()) return part;
        part.reserve(m_rows.size() * m_columns.size());
        for (const int row : m_rows)
            for (const int column : m_columns)
                part.push_back(
                    values[static_cast<size_t>(row) * static_cast<size_t>(m_allColumns) + static_cast<size_t>(column)]);
        return part;
    }
    QStringList rowsOf(const QStringList& labels) const;
    QStringList columnsOf(const QStringList& labels) const;
    /// Of the weight that the rows give, the share that goes to columns that are taken out; `weights`: [rows, columns]
    /// of the whole block.
    double hiddenShare(std::span<const float> weights) const;

private:
    int m_allColumns = 0;
    std::vector<int> m_rows, m_columns;
    std::vector<char> m_leftOut;
    bool m_tooMuch = false;
};

/// Can its rows and columns be those of two sentences?
bool readsPairs(const AttentionBlock& block, const WordMarks& marks);

/// Cell by cell the mean of some heads' values; `values` is the block's weights or scores.
std::vector<float> meanOfHeads(const TraceRecord& values, std::span<const int> heads);

}  // namespace headlight
