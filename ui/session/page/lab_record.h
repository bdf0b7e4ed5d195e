// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/experiment/masking.h"
#include "core/nn/kinds.h"
#include "core/train/sentence_bleu.h"
#include "ui/session/open/test_set.h"
#include "ui/session/trace/loss_picture.h"
#include "ui/session/trace/positions.h"

namespace headlight {

/// Scores under a mask, as a stage shows them.
struct ShownMask {
    QString scope;      ///< whose scores they are, "Decoder, layer 1, self-attention"; empty: given by hand
    int head = 0;       ///< from 0
    QStringList words;  ///< of rows and columns
    std::vector<float> scores;
    std::vector<char> original, blocked;  ///< a flag a cell: closed as it should be, and as it is
    MaskingWay way = MaskingWay::AddMinusInfinity;
};

/// What a web page keeps of a mask: scores and cells, and what the engine makes of them in each way of masking.
nlohmann::json maskRecord(const ShownMask& shown);

/// A table of positions that a stage shows, and the chosen cell, from 0.
struct ShownPositions {
    PositionTable table;
    bool isLearned = false;
    double base = 10000;  ///< of sinusoids
    SinusoidLayout layout = SinusoidLayout::Interleaved;
    int position = 0, dimension = 0;
    bool hands = false;  ///< pairs as hands, turned on by `offset`
    int offset = 0;
};

/// What a web page keeps of it: the table, how alike its rows are by their distance, and of sinusoids each column's
/// wave and how fast it turns.
nlohmann::json positionRecord(const ShownPositions& shown);

/// What a web page keeps of a loss: each target word's logits, from which all else follows, and what the engine makes
/// of them at that ε. Throws Error where they are more than mostPageBytes.
nlohmann::json lossRecord(const LossShown& shown);

/// What a web page keeps of a translation beside its references: which of its n-grams stand there, and the score with
/// n-grams of 1 to 1, 2, 3 and 4 words; it begins with those up to `order`. The last references are those `given`
/// by the reader. `set`: the scores of a whole test set, their mean and the score of all counts; null: not known.
nlohmann::json bleuRecord(const SentenceBleu& sentence, int order, const std::vector<std::string>& given,
                          const TestScores* set);

}  // namespace headlight
