// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

#include "core/data/aligned_grammar.h"
#include "core/data/corpus.h"

namespace headlight::builtin {

/// What a task from a Romance language into English writes its grammar with.
struct RomanceGrammar {
    std::string_view phrases;      ///< said as they are, in every corpus
    std::string_view smallWords;   ///< determiners, places, times, names
    std::string_view nounPhrases;  ///< and what needs no table
    /// Pronoun; English; verb form; number; gender; whom it can do something to. A line each.
    std::string_view pronouns;
    std::string_view third;  ///< verb forms of the third person: `il; ils`
    std::string_view clausesByPerson, persons;
    std::string_view clausesOfThings, thirdPersons;
};
/// Adds all of it, and who can do something: pronouns, names and people.
void addRomanceRules(const RomanceGrammar& rules, AlignedGrammar& grammar);

/// 8,000 sentences of the grammar to train on and 500 of each other part; those that hold both of a pair of `heldOut`
/// are the unseen ones. `finish` changes a sentence as the language writes it (French elides).
CorpusSplits romanceCorpus(const AlignedGrammar& grammar, std::string_view heldOut,
                           const std::function<void(AlignedGrammar::Derivation&)>& finish = {});

}  // namespace headlight::builtin
