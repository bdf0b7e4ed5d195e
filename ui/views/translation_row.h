// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

namespace headlight {

/// What the model wrote, word by word: `probabilities` has one entry a word, `logProb` is the natural logarithm of the
/// whole sentence's probability.
struct TranslationRow {
    QStringList words;
    std::vector<float> probabilities;
    double logProb = 0;
};

}  // namespace headlight
