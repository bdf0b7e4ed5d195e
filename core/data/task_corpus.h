// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data/aligned_grammar.h"
#include "core/data/corpus.h"
#include "core/data/seeded_random.h"

namespace headlight {

/// Pairs of expressions kept apart from each other: no sentence for training holds both of a pair, so that those that
/// do show whether a model has learnt the words or only the sentences.
class HeldOutPairs {
public:
    /// A pair a line, `first + second`; each an expression of one or more words, or several forms of it:
    /// `eat/eats/ate`.
    explicit HeldOutPairs(std::string_view table);
    /// Does the text hold both expressions of some pair, as whole words, anywhere?
    bool standIn(std::string_view text) const;

private:
    std::vector<std::pair<std::string, std::string>> m_pairs;  ///< each with a space before and behind
};

/// What the built-in tasks' corpora are made of.
struct TaskCorpusPlan {
    std::function<SentencePair(SeededRandom&)> next;     ///< a random pair; repetitions are dropped here
    std::function<bool(const SentencePair&)> isHeldOut;  ///< belongs to `unseen`
    Corpus always = {};                                  ///< stands in `train` whatever chance says
    bool targetsAreLabels = false;                       ///< they stand in all parts
    std::size_t train = 0;
    std::size_t validation = 0;
    std::size_t test = 0;
    std::size_t unseen = 0;
    unsigned seed = 1;
};

/// Draws pairs until every part is full. A source stands once; all pairs with one target, unless it is a label, fall
/// into one part, so that no part holds the answer to another's question; every word of the other parts stands in
/// `train`. Throws Error where the task has too few sentences for its sizes.
CorpusSplits writeTaskCorpus(const TaskCorpusPlan& plan);

/// Do two neighbours stand together twice? So betrays itself a cat that is compared with the cat. `exceptions` are
/// words that may follow anything twice.
bool repeatsItself(const std::vector<std::string>& words, const std::set<std::string>& exceptions = {});

/// `a` becomes `an` before a vowel.
void chooseIndefiniteArticles(std::vector<std::string>& english);

}  // namespace headlight
