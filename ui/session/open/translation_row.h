// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

namespace headlight {

/// A translation word by word, <eos> counted in where it was reached.
struct TranslationRow {
    QStringList words;
    std::vector<float> probabilities = {};  ///< one a word
    double logProb = 0;                     ///< natural logarithm, of the whole
    QStringList written = {};               ///< the words as the vocabulary writes them
};

}  // namespace headlight
