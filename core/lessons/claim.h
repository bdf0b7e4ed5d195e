// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lessons/stage_state.h"

namespace headlight {

/// A number of the engine by its name: `scores[3,4]`, `decoder.layers.0.cross_attn.weights[1,4,3]`. Indices from 1. The
/// column of what has one for each word of a vocabulary may be that word: `log_probs[3,"learning"]`.
struct NumberName {
    std::string name;
    std::vector<int> indices;
    std::string word = {};  ///< in the place of the last index; empty: all are indices
    bool operator==(const NumberName&) const = default;
};
/// Does `part` name that number, or its row or head: `weights[1]`, of `weights[1,4]`?
bool isPartOf(const NumberName& number, const NumberName& part);
/// Empty where the text is none.
std::optional<NumberName> parseNumberName(const std::string& text);

/// A value that a claim names: `weights[1,3]`, a key of the stage whose value is a number (`beam`), or what is made of
/// rows (`largest(weights[1])`). `with` is what the stage says besides (`bleu[1,1]{beam=8}`), other than the step.
struct ClaimTerm {
    std::string written;              ///< as the claim has it
    std::string function;             ///< of rows, one of claimFunctions(); empty: none
    std::vector<NumberName> numbers;  ///< none: a key, which `key` is
    std::string key;
    StageSetting with;
    /// Does it ask for a number or a key of the stage as it stands, and nothing more?
    bool isPlain() const { return function.empty() && with.empty() && numbers.size() <= 1; }
};
/// Words that a claim names: in quotes, `translation`, or `word(NAME[row])`, the column with the row's largest number.
struct ClaimWords {
    std::string written;
    std::string text;  ///< what stands in quotes
    std::optional<NumberName> likeliest = {};
    bool isTranslation = false;
    StageSetting with = {};
};

/// Numbers related by a formula: `weights[1,3] > 2 * weights[1,4]`.
struct NumberRelation {
    std::string written, formula;  ///< the formula has `v0`, `v1`, … in the place of the terms
    std::vector<ClaimTerm> terms;
};
/// Words held against words: `=`, `!=`, or `has`, which words are found in others.
struct WordRelation {
    enum class Kind { Equal, Unequal, Has };
    std::string written;
    Kind kind = Kind::Equal;
    ClaimWords left, right;
};

/// What must be true of the engine's values for words to be true, as `holds:` says it. Relations joined by `and`.
struct Claim {
    std::string written;
    std::vector<std::variant<NumberRelation, WordRelation>> relations;
};

/// The functions of rows that a claim may name, and of how many rows each is.
struct ClaimFunction {
    const char* name;
    int rows;
    double (*of)(const std::vector<double>& first, const std::vector<double>& second);
};
const std::vector<ClaimFunction>& claimFunctions();

/// The value of the stage's field of that key, where it is a number; else nothing.
std::optional<double> numberField(const StageState& state, const std::string& key);

/// Throws Error that says what is wrong.
Claim parseClaim(const std::string& text);
/// Does the formula hold, where `value` gives what the terms are? Nothing where one is not known. Throws Error for a
/// formula that cannot be computed.
std::optional<bool> holds(const NumberRelation& relation,
                          const std::function<std::optional<double>(const ClaimTerm&)>& value);

}  // namespace headlight
