// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/train/bleu.h"

namespace headlight {

inline constexpr size_t longestNgram = std::tuple_size_v<decltype(Bleu::matches)>;  ///< that BLEU counts

/// The counts of all sentences added up first, and scored once: n-grams of 1 to `order` (at most 4) words count.
Bleu summedBleu(std::span<const Bleu> sentences, size_t order = longestNgram);

/// An n-gram of a translation, and what stands for it in the references.
struct NgramMatch {
    enum class Kind {
        Found,    ///< paired with one of a reference that no other has taken
        Absent,   ///< in none of the references
        Clipped,  ///< there are more of it in the translation than in any reference: this one counts no more
    };
    Kind kind = Kind::Absent;
    int reference = -1;  ///< the one that holds most of it, the first of several; −1: none does
    int place = -1;      ///< of its first word there, from 0; of a clipped one the first that there is
    long written = 0;    ///< how often it stands in the translation
    long held = 0;       ///< the most that one reference has of it
};

/// A translation beside its references.
struct SentenceBleu {
    std::vector<std::string> hypothesis;               ///< 13a tokens
    std::vector<std::vector<std::string>> references;  ///< likewise
    /// By length − 1, in the order of the translation; as many as Bleu::totals says.
    std::array<std::vector<NgramMatch>, longestNgram> ngrams;
    int closest = -1;  ///< the reference whose length counts: the closest one, of two the shorter
    Bleu bleu;         ///< its referenceLength is that reference's
};
/// Each n-gram counts at most as often as one reference has it (Papineni et al. 2002, section 2.1.1). Without a
/// reference nothing is found and the score is 0. A translation of fewer words than `order` has no n-gram of that
/// length, and scores 0 whatever it says.
SentenceBleu sentenceBleu(const std::string& hypothesis, const std::vector<std::string>& references,
                          size_t order = longestNgram);

/// exp(1 − r/c) where the translation is shorter than the reference, else 1; of an empty translation 0.
double brevityPenalty(long hypothesisLength, long referenceLength);

}  // namespace headlight
