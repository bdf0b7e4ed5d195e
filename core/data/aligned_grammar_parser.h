// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/aligned_grammar.h"

namespace headlight {

/// Reads one line of an aligned grammar into a rule; the grammar's own part, apart for its length.
class AlignedGrammar::RuleParser {
public:
    RuleParser(AlignedGrammar& grammar, std::string_view line) : m_grammar(grammar), m_line(line) {}
    /// Adds the rule to the grammar. Throws Error with the line.
    void parse();

private:
    using Words = std::vector<std::string>;

    [[noreturn]] void fail(const std::string& problem) const;
    Words parts(std::string_view text) const;
    std::vector<Symbol> side(std::string_view text, bool isSource);
    Symbol word(const std::string& text) const;
    int label(std::string_view digits) const;
    Symbol nonterminal(const std::string& text, bool isSource);
    Constraint constraint(const std::string& text);
    ValueSet values(std::string_view text);
    void alignPlainRule();

    AlignedGrammar& m_grammar;
    std::string m_line;
    Rule m_rule;
    std::map<std::string, int> m_variables;
    std::map<std::string, int> m_children;
};

}  // namespace headlight
