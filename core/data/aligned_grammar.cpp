// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/aligned_grammar.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

}  // namespace

SentencePair AlignedGrammar::Derivation::toPair() const {
    SentencePair pair{joined(source), joined(target), alignment};
    std::sort(pair.alignment.begin(), pair.alignment.end());
    pair.alignment.erase(std::unique(pair.alignment.begin(), pair.alignment.end()), pair.alignment.end());
    return pair;
}

int AlignedGrammar::internHead(std::string_view name) {
    const auto [entry, isNew] = m_headIds.emplace(name, static_cast<int>(m_headNames.size()));
    if (isNew) {
        m_headNames.emplace_back(name);
        m_rules.emplace_back();
    }
    return entry->second;
}

int AlignedGrammar::findHead(std::string_view name) const {
    const auto found = m_headIds.find(name);
    if (found == m_headIds.end())
        throw Error("the grammar has no rule for '" + std::string(name) + "'; write one, or use another start");
    return found->second;
}

bool AlignedGrammar::agrees(const Rule& rule, const Features& wanted) const {
    for (const auto& [feature, values] : wanted)
        for (const Constraint& constraint : rule.constraints)
            if (constraint.feature == feature && constraint.variable < 0 && (constraint.values & values).none())
                return false;
    return true;
}

const AlignedGrammar::Rule* AlignedGrammar::choose(int head, const Features& wanted, SeededRandom& random) const {
    const std::vector<Rule>& rules = m_rules[static_cast<std::size_t>(head)];
    if (rules.empty())
        throw Error("the grammar has no rule for '" + m_headNames[static_cast<std::size_t>(head)] + "'; write one");
    std::size_t total = 0;
    std::vector<const Rule*> fitting;
    for (const Rule& rule : rules) {
        if (!agrees(rule, wanted)) continue;
        fitting.push_back(&rule);
        total += rule.weight;
    }
    if (fitting.empty()) return nullptr;
    std::size_t ticket = random.below(total);
    for (const Rule* rule : fitting) {
        if (ticket < rule->weight) return rule;
        ticket -= rule->weight;
    }
    return fitting.back();
}

bool AlignedGrammar::expand(int head, const Features& wanted, SeededRandom& random, Derivation& result,
                            Features& settled) const {
    const Rule* rule = choose(head, wanted, random);
    if (!rule) return false;
    const auto find = [](Features& features, int feature) -> ValueSet* {
        for (auto& [known, values] : features)
            if (known == feature) return &values;
        return nullptr;
    };
    std::vector<ValueSet> variables(static_cast<std::size_t>(rule->variables), ValueSet().set());
    settled = wanted;
    for (const Constraint& constraint : rule->constraints) {
        if (constraint.variable < 0) continue;
        ValueSet& variable = variables[static_cast<std::size_t>(constraint.variable)];
        if (const ValueSet* asked = find(settled, constraint.feature)) variable &= *asked;
        for (const Constraint& other : rule->constraints)
            if (other.feature == constraint.feature && other.variable < 0) variable &= other.values;
    }
    std::vector<Derivation> children(static_cast<std::size_t>(rule->children));
    for (const Symbol& symbol : rule->source) {
        if (symbol.isWord) continue;
        Features asked;
        for (const Constraint& c : symbol.constraints)
            asked.emplace_back(c.feature, c.variable < 0 ? c.values : variables[static_cast<std::size_t>(c.variable)]);
        Features answer;
        if (!expand(symbol.head, asked, random, children[static_cast<std::size_t>(symbol.child)], answer)) return false;
        for (const Constraint& c : symbol.constraints)
            if (c.variable >= 0) variables[static_cast<std::size_t>(c.variable)] &= *find(answer, c.feature);
    }
    for (const Constraint& c : rule->constraints) {
        const ValueSet& own = c.variable < 0 ? c.values : variables[static_cast<std::size_t>(c.variable)];
        if (ValueSet* values = find(settled, c.feature))
            *values &= own;
        else
            settled.emplace_back(c.feature, own);
    }
    result = assemble(*rule, children);
    return std::none_of(settled.begin(), settled.end(), [](const auto& entry) { return entry.second.none(); });
}

AlignedGrammar::Derivation AlignedGrammar::assemble(const Rule& rule, const std::vector<Derivation>& children) {
    Derivation result;
    std::vector<int> sourceStart(children.size());
    std::vector<int> targetStart(children.size());
    std::vector<std::pair<int, int>> sourceLabels;  // (label, position)
    std::vector<std::pair<int, int>> targetLabels;
    const auto write = [&](const std::vector<Symbol>& symbols, bool isSource) {
        std::vector<std::string>& words = isSource ? result.source : result.target;
        auto& labels = isSource ? sourceLabels : targetLabels;
        for (const Symbol& symbol : symbols) {
            const int position = static_cast<int>(words.size());
            for (const int label : symbol.labels)
                labels.emplace_back(label, position);
            if (symbol.isWord) {
                words.push_back(symbol.text);
                continue;
            }
            const auto child = static_cast<std::size_t>(symbol.child);
            (isSource ? sourceStart : targetStart)[child] = position;
            const auto& inner = isSource ? children[child].source : children[child].target;
            words.insert(words.end(), inner.begin(), inner.end());
        }
    };
    write(rule.source, true);
    write(rule.target, false);
    for (std::size_t child = 0; child < children.size(); ++child)
        for (const auto& [source, target] : children[child].alignment)
            result.alignment.emplace_back(source + sourceStart[child], target + targetStart[child]);
    for (const auto& [sourceLabel, source] : sourceLabels)
        for (const auto& [targetLabel, target] : targetLabels)
            if (sourceLabel == targetLabel) result.alignment.emplace_back(source, target);
    return result;
}

AlignedGrammar::Derivation AlignedGrammar::sample(std::string_view start, SeededRandom& random) const {
    constexpr int trials = 1000;
    const int head = findHead(start);
    for (int trial = 0; trial < trials; ++trial) {
        Derivation result;
        Features settled;
        if (expand(head, {}, random, result, settled)) return result;
    }
    throw Error("the grammar leads nowhere from '" + std::string(start) + "' in " + std::to_string(trials) +
                " trials; look for features that never agree");
}

Corpus AlignedGrammar::fixedPhrases(std::string_view head) const {
    Corpus phrases;
    for (const Rule& rule : m_rules[static_cast<std::size_t>(findHead(head))]) {
        if (rule.children > 0)
            throw Error("a rule of '" + std::string(head) + "' holds a nonterminal; its phrases must be words alone");
        phrases.push_back(assemble(rule, {}).toPair());
    }
    return phrases;
}

}  // namespace headlight
