// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/data/corpus.h"
#include "core/data/seeded_random.h"

namespace headlight {

/// A synchronous context-free grammar: each rule writes a piece of the source and of the target at once, so that every
/// sentence comes with its translation and with its word alignment (Lewis and Stearns 1968; Chiang 2007, section 2).
///
/// Rules are text, one a line, `#` begins a comment:
///
///     Head[feature=value …] *weight -> source side | target side
///     Head[feature=value …] *weight -> text
///
/// - Without a bar both sides are the text: a grammar of one language. Words are aligned where they bear a label alone,
///   so labels mark them.
/// - A side is words and nonterminals `<Name feature=value …>` separated by spaces. A nonterminal stands once on each
///   side; where a rule needs two of one kind they are told apart by a suffix, `<Np.1>` and `<Np.2>`. Features are
///   written on the source side.
/// - A value is a word, a set of words `a/b`, or a variable `?x` that ties it to the rule's other uses of `?x`. Two
///   sets agree where they share a member; what is not mentioned agrees with anything. Values are one space: `a=?x` and
///   `form=?x` may be tied together. A head may name a feature twice, `c=a/b c=?c`: what the rule is for, and a name
///   for what it is then.
/// - `word~1` is aligned to every `~1` of the other side; `<Name ~1>` stands for the first word of what it becomes on
///   its own side. A rule of words alone, none of them marked, aligns each with each.
/// - Nonterminals are expanded in the order of the source side, and what one of them settles holds for those after it.
class AlignedGrammar {
public:
    struct Derivation {
        std::vector<std::string> source;
        std::vector<std::string> target;
        std::vector<std::pair<int, int>> alignment;
        /// Words joined by spaces, alignment sorted.
        SentencePair toPair() const;
    };

    AlignedGrammar() = default;
    explicit AlignedGrammar(std::string_view rules) { add(rules); }

    /// Throws Error with the line for a rule that is not written as above.
    void add(std::string_view rules);
    /// Adds `rules` once for each line of `table` with `$1`, `$2` … (`$A` after `$9`) replaced by its columns, which
    /// are separated by `;`.
    void addTable(std::string_view rules, std::string_view table);

    /// A random derivation. Choices that lead nowhere are given up and begun again; throws Error where a nonterminal
    /// has no rule at all or nothing is found in many trials.
    Derivation sample(std::string_view start, SeededRandom& random) const;
    /// What each rule of `head` writes, in order; they must be of words alone.
    Corpus fixedPhrases(std::string_view head) const;

private:
    using ValueSet = std::bitset<128>;

    struct Constraint {
        int feature = 0;
        int variable = -1;  ///< index into the rule's variables, or -1: `values` counts
        ValueSet values;
    };
    struct Symbol {
        bool isWord = true;
        std::string text;  ///< the word, or the nonterminal's name without suffix
        int head = -1;     ///< the nonterminal's number
        int child = -1;    ///< which of the rule's nonterminals, in the order of the source side
        std::vector<int> labels;
        std::vector<Constraint> constraints;
    };
    struct Rule {
        std::size_t weight = 1;
        int variables = 0;
        int children = 0;
        std::vector<Constraint> constraints;
        std::vector<Symbol> source;
        std::vector<Symbol> target;
    };
    /// By feature; a feature that is not listed agrees with anything.
    using Features = std::vector<std::pair<int, ValueSet>>;

    class RuleParser;

    int internHead(std::string_view name);
    bool agrees(const Rule& rule, const Features& wanted) const;
    const Rule* choose(int head, const Features& wanted, SeededRandom& random) const;
    bool expand(int head, const Features& wanted, SeededRandom& random, Derivation& result, Features& settled) const;
    static Derivation assemble(const Rule& rule, const std::vector<Derivation>& children);
    int findHead(std::string_view name) const;

    std::map<std::string, int, std::less<>> m_headIds;
    std::vector<std::string> m_headNames;
    std::map<std::string, int, std::less<>> m_featureIds;
    std::map<std::string, int, std::less<>> m_valueIds;
    std::vector<std::vector<Rule>> m_rules;  ///< by head
};

}  // namespace headlight
