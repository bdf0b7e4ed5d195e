// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// What one head of cross-attention looked at while a sentence was written.
struct HeadGlance {
    QString block;  ///< its scope in the trace
    int head = 0;
    QStringList reads, writes;   ///< columns and rows, as words are drawn (Tokenizer::display())
    std::vector<float> weights;  ///< [writes, reads]
};

/// How much a row tells of the column that it looks at, in bits: the entropy of the mean row less the mean entropy of
/// the rows, which is the mutual information of the two. A head that looks everywhere has none, and neither has one
/// that always looks at the same word, however sharply. `weights`: [rows, columns].
double lookedAtBits(std::span<const float> weights, int rows, int columns);

/// The head of cross-attention with the most of these bits, of equals the first; without the last `unwritten` rows,
/// which write nothing that the model wrote. Nothing where the trace has no cross-attention.
std::optional<HeadGlance> sharpestHead(const Trace& trace, int unwritten = 0);

/// Something that is true of a glance, and the weights that show it.
struct GlanceFact {
    QString sentence;
    std::vector<std::pair<int, int>> cells;  ///< (row, column)
};

/// In this order: two words that stand apart are both written with more than half of the weight on one word; two
/// neighbours are written while looking at words that stand the other way round; one word has three quarters of
/// another's weight. Words of several pieces count as one, marks and special tokens not at all. Nothing where none of
/// this is so.
std::optional<GlanceFact> factOf(const HeadGlance& glance);

}  // namespace headlight
