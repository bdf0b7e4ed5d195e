// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/aligned_grammar_parser.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

int intern(std::map<std::string, int, std::less<>>& ids, std::string_view name) {
    return ids.emplace(name, static_cast<int>(ids.size())).first->second;
}

}  // namespace

void AlignedGrammar::RuleParser::fail(const std::string& problem) const {
    throw Error("grammar rule '" + m_line + "': " + problem);
}

void AlignedGrammar::RuleParser::parse() {
    const std::size_t arrow = m_line.find("->");
    const std::size_t bar = m_line.find('|');
    const bool oneSided = bar == std::string::npos;
    if (arrow == std::string::npos || bar < arrow) fail("write it as Head -> source | target, or Head -> text");
    const std::string_view line = m_line;
    std::string_view left = trimmed(line.substr(0, arrow));
    if (const std::size_t star = left.rfind('*'); star != std::string_view::npos) {
        const std::string_view digits = left.substr(star + 1);
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), m_rule.weight);
        if (read.ptr != digits.data() + digits.size() || m_rule.weight == 0) fail("the weight must be a whole number");
        left = trimmed(left.substr(0, star));
    }
    const std::size_t bracket = left.find('[');
    if (bracket != std::string_view::npos) {
        if (!left.ends_with(']')) fail("close the features with ]");
        for (const std::string& part : parts(left.substr(bracket + 1, left.size() - bracket - 2)))
            m_rule.constraints.push_back(constraint(part));
    }
    const int head = m_grammar.internHead(trimmed(left.substr(0, bracket)));
    m_rule.source = side(line.substr(arrow + 2, oneSided ? bar : bar - arrow - 2), true);
    m_rule.target = oneSided ? m_rule.source : side(line.substr(bar + 1), false);
    const auto written = std::count_if(m_rule.target.begin(), m_rule.target.end(), [](auto& s) { return !s.isWord; });
    if (written != m_rule.children) fail("each nonterminal must stand once on each side");
    m_rule.variables = static_cast<int>(m_variables.size());
    if (!oneSided) alignPlainRule();
    m_grammar.m_rules[static_cast<std::size_t>(head)].push_back(std::move(m_rule));
}

std::vector<std::string> AlignedGrammar::RuleParser::parts(std::string_view text) const {
    Words words;
    for (std::string& word : cut(text, ' '))
        if (!word.empty()) words.push_back(std::move(word));
    return words;
}

std::vector<AlignedGrammar::Symbol> AlignedGrammar::RuleParser::side(std::string_view text, bool isSource) {
    std::vector<Symbol> symbols;
    text = trimmed(text);
    while (!text.empty()) {
        const bool isWord = text.front() != '<';
        const std::size_t stop = text.find(isWord ? ' ' : '>');
        if (!isWord && stop == std::string_view::npos) fail("close the nonterminal with >");
        const std::string part(isWord ? text.substr(0, stop) : text.substr(1, stop - 1));
        symbols.push_back(isWord ? word(part) : nonterminal(part, isSource));
        text = stop == std::string_view::npos ? std::string_view() : trimmed(text.substr(stop + 1));
    }
    return symbols;
}

int AlignedGrammar::RuleParser::label(std::string_view digits) const {
    int number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || read.ptr != digits.data() + digits.size()) fail("a label is ~ and a number");
    return number;
}

AlignedGrammar::Symbol AlignedGrammar::RuleParser::word(const std::string& text) const {
    Symbol symbol;
    const std::vector<std::string> pieces = cut(text, '~');
    symbol.text = pieces.front();
    for (std::size_t i = 1; i < pieces.size(); ++i)
        symbol.labels.push_back(label(pieces[i]));
    return symbol;
}

AlignedGrammar::Symbol AlignedGrammar::RuleParser::nonterminal(const std::string& text, bool isSource) {
    const Words words = parts(text);
    if (words.empty()) fail("a nonterminal needs a name");
    Symbol symbol;
    symbol.isWord = false;
    const std::string& key = words.front();
    symbol.text = key.substr(0, key.find('.'));
    symbol.head = m_grammar.internHead(symbol.text);
    const auto known = m_children.find(key);
    if (isSource != (known == m_children.end())) fail("each nonterminal must stand once on each side: " + key);
    symbol.child = isSource ? m_children.emplace(key, m_rule.children++).first->second : known->second;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].front() == '~') {
            symbol.labels.push_back(label(std::string_view(words[i]).substr(1)));
        } else {
            if (!isSource) fail("features belong to the source side");
            symbol.constraints.push_back(constraint(words[i]));
        }
    }
    return symbol;
}

AlignedGrammar::Constraint AlignedGrammar::RuleParser::constraint(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) fail("write a feature as name=value: " + text);
    Constraint result;
    result.feature = intern(m_grammar.m_featureIds, text.substr(0, equals));
    const std::string value = text.substr(equals + 1);
    if (value.front() == '?')
        result.variable = m_variables.emplace(value, static_cast<int>(m_variables.size())).first->second;
    else
        result.values = values(value);
    return result;
}

AlignedGrammar::ValueSet AlignedGrammar::RuleParser::values(std::string_view text) {
    ValueSet set;
    for (const std::string& value : cut(text, '/')) {
        const auto id = static_cast<std::size_t>(intern(m_grammar.m_valueIds, value));
        if (id >= set.size()) fail("a grammar holds at most " + std::to_string(set.size()) + " feature values");
        set.set(id);
    }
    return set;
}

void AlignedGrammar::RuleParser::alignPlainRule() {
    const auto isPlain = [](const Symbol& symbol) { return symbol.isWord && symbol.labels.empty(); };
    for (const auto* symbols : {&m_rule.source, &m_rule.target})
        if (!std::all_of(symbols->begin(), symbols->end(), isPlain)) return;
    for (auto* symbols : {&m_rule.source, &m_rule.target})
        for (Symbol& symbol : *symbols)
            symbol.labels = {0};
}

void AlignedGrammar::add(std::string_view rules) {
    for (const std::string& line : cut(rules, '\n'))
        if (!line.empty() && line.front() != '#') RuleParser(*this, line).parse();
}

void AlignedGrammar::addTable(std::string_view rules, std::string_view table) {
    for (const std::string& row : cut(table, '\n')) {
        if (row.empty() || row.front() == '#') continue;
        const std::vector<std::string> columns = cut(row, ';');
        std::string filled;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            if (rules[i] != '$') {
                filled += rules[i];
                continue;
            }
            // $A follows $9.
            const char name = ++i < rules.size() ? rules[i] : '?';
            const auto column = static_cast<std::size_t>(name >= 'A' ? name - 'A' + 9 : name - '1');
            if (column >= columns.size()) throw Error("grammar table row '" + row + "' has too few columns");
            filled += columns[column];
        }
        add(filled);
    }
}

}  // namespace headlight
