// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tasks/romance_en.h"

#include "core/data/task_corpus.h"

namespace headlight::builtin {

namespace {

// By the verb forms of the third person. f the person, n number, g gender, o whom one can do something to.
constexpr std::string_view whoPhrases = R"(
    Who[f=?f n=?n g=?g o=?o] *4 -> <Pron f=?f n=?n g=?g o=?o> | <Pron>
    Who[f=$1 n=sg g=?g] *2 -> <Name g=?g> | <Name>
    Who[f=$1 n=sg g=?g] *4 -> <Np n=sg g=?g c=person> | <Np>
    Who[f=$2 n=pl g=?g] *3 -> <Np n=pl g=?g c=person> | <Np>
)";

}  // namespace

void addRomanceRules(const RomanceGrammar& rules, AlignedGrammar& grammar) {
    grammar.addTable("Pron[f=$3 n=$4 g=$5 o=$6] -> $1 | $2", rules.pronouns);
    grammar.addTable(whoPhrases, rules.third);
    for (const std::string_view each : {rules.phrases, rules.smallWords, rules.nounPhrases})
        grammar.add(each);
    grammar.addTable(rules.clausesByPerson, rules.persons);
    grammar.addTable(rules.clausesOfThings, rules.thirdPersons);
}

CorpusSplits romanceCorpus(const AlignedGrammar& grammar, std::string_view heldOut,
                           const std::function<void(AlignedGrammar::Derivation&)>& finish) {
    const HeldOutPairs pairs(heldOut);
    return writeTaskCorpus({.next =
                                [&](SeededRandom& random) {
                                    AlignedGrammar::Derivation derivation;
                                    do
                                        derivation = grammar.sample("S", random);
                                    while (repeatsItself(derivation.source));
                                    if (finish) finish(derivation);
                                    chooseIndefiniteArticles(derivation.target);
                                    return derivation.toPair();
                                },
                            .isHeldOut = [&](const SentencePair& pair) { return pairs.standIn(pair.target); },
                            .always = grammar.fixedPhrases("Phrase"),
                            .train = 8000,
                            .validation = 500,
                            .test = 500,
                            .unseen = 500});
}

}  // namespace headlight::builtin
