// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/claim.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <muParser.h>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

bool beginsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the bracket that opens at `open` closes, quotes passed over; npos: nowhere.
size_t closing(const std::string& text, size_t open, char closes) {
    bool isQuoted = false;
    for (size_t at = open + 1; at < text.size(); ++at) {
        if (text[at] == '"') isQuoted = !isQuoted;
        if (text[at] == closes && !isQuoted) return at;
    }
    return std::string::npos;
}

/// Where `word` stands outside of quotes and of braces; npos: nowhere.
size_t findOutside(const std::string& text, std::string_view word, size_t from = 0) {
    bool isQuoted = false;
    int depth = 0;
    for (size_t at = 0; at + word.size() <= text.size(); ++at) {
        if (at >= from && !isQuoted && depth == 0 && text.compare(at, word.size(), word) == 0) return at;
        if (text[at] == '"') isQuoted = !isQuoted;
        if (!isQuoted) depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    }
    return std::string::npos;
}

/// `{model=vi-en-gru; mute=…}` at `at`, which goes on behind it; what does not begin so is none.
StageSetting readWith(const std::string& text, size_t& at) {
    StageSetting with;
    if (at >= text.size() || text[at] != '{') return with;
    const size_t end = closing(text, at, '}');
    if (end == std::string::npos) throw Error("a brace is not closed: " + text.substr(at));
    for (size_t from = at + 1; from <= end;) {
        const size_t stop = std::min(text.find(';', from), end);
        const std::string each(trimmed(std::string_view(text).substr(from, stop - from)));
        const size_t equals = each.find('=');
        if (equals == std::string::npos) throw Error("in braces stand KEY=VALUE, parted by semicolons: " + each);
        const std::string key = presentKey(std::string(trimmed(std::string_view(each).substr(0, equals))));
        const std::string value(trimmed(std::string_view(each).substr(equals + 1)));
        if (const std::string wrong = whyWrong(key, value); !wrong.empty()) throw Error(key + ": " + wrong);
        with[key] = value;
        from = stop + 1;
    }
    at = end + 1;
    return with;
}

NumberName readNumberName(const std::string& text, size_t from, size_t& at) {
    const size_t end = closing(text, at, ']');
    const auto number = end == std::string::npos ? std::nullopt : parseNumberName(text.substr(from, end + 1 - from));
    if (!number) throw Error("\"" + text.substr(from) + "\" does not begin with a number's name: NAME[row,column]");
    at = end + 1;
    return *number;
}

size_t nameEnd(const std::string& text, size_t from) {
    while (from < text.size() && (beginsName(text[from]) || isDigit(text[from]) || text[from] == '.'))
        ++from;
    return from;
}

/// `largest(NAME[row])`, from its bracket on.
void readRows(const std::string& text, size_t& at, const ClaimFunction& function, ClaimTerm& term) {
    const size_t end = closing(text, at, ')');
    if (end == std::string::npos) throw Error("a bracket is not closed: " + text.substr(at));
    term.function = function.name;
    for (size_t from = at + 1; from < end;) {
        while (from < end && (text[from] == ' ' || text[from] == ','))
            ++from;
        size_t open = nameEnd(text, from);
        term.numbers.push_back(readNumberName(text, from, open));
        from = open;
        while (from < end && text[from] == ' ')
            ++from;
    }
    if (static_cast<int>(term.numbers.size()) != function.rows)
        throw Error(term.function + " is of " + (function.rows == 1 ? "one row" : "two rows") + ": " + term.function +
                    (function.rows == 1 ? "(NAME[row])" : "(NAME[row], NAME[row])"));
    at = end + 1;
}

/// The term that begins at `at`; nothing where it is a function of muParser's, which takes it as it is.
std::optional<ClaimTerm> readTerm(const std::string& text, size_t& at) {
    static constexpr const char* theirs[] = {"abs", "min", "max", "sqrt", "exp", "ln", "log10", "log2"};
    const size_t from = at;
    at = nameEnd(text, from);
    const std::string name = text.substr(from, at - from);
    ClaimTerm term;
    const auto function = std::ranges::find_if(claimFunctions(), [&](const auto& each) { return name == each.name; });
    if (at < text.size() && text[at] == '(' && function != claimFunctions().end())
        readRows(text, at, *function, term);
    else if (at < text.size() && text[at] == '(' && std::ranges::count(theirs, name))
        return {};
    else if (at < text.size() && text[at] == '[')
        term.numbers.push_back(readNumberName(text, from, at));
    else if (numberField(StageState(), presentKey(name)))
        term.key = presentKey(name);
    else
        throw Error("\"" + name + "\" is no number's name, and no key of the stage whose value is a number");
    term.with = readWith(text, at);
    term.written = text.substr(from, at - from);
    return term;
}

NumberRelation readNumbers(const std::string& text) {
    NumberRelation relation{text, {}, {}};
    if (text.find_first_of("<>=") == std::string::npos)
        throw Error("\"" + text + "\" compares nothing: write NAME[row,column] > NUMBER");
    for (size_t at = 0; at < text.size();) {
        if (beginsName(text[at])) {
            const size_t from = at;
            if (std::optional<ClaimTerm> term = readTerm(text, at)) {
                relation.formula += "v" + std::to_string(relation.terms.size());
                relation.terms.push_back(std::move(*term));
            } else {
                relation.formula += text.substr(from, at - from);
            }
        } else if (isDigit(text[at])) {  // 1e-3 is no name
            const size_t from = at;
            while (at < text.size() && (isDigit(text[at]) || text[at] == '.' || text[at] == 'e' ||
                                        (text[at] == '-' && text[at - 1] == 'e')))
                ++at;
            relation.formula += text.substr(from, at - from);
        } else {
            const bool isAlone = text[at] == '=' &&
                                 (at == 0 || std::string_view("<>!=").find(text[at - 1]) == std::string_view::npos) &&
                                 (at + 1 == text.size() || text[at + 1] != '=');
            relation.formula += isAlone ? std::string("==") : std::string(1, text[at]);
            ++at;
        }
    }
    if (relation.terms.empty()) throw Error("\"" + text + "\" names no value of the engine");
    holds(relation, [](const ClaimTerm&) { return std::optional(1.0); });  // says what is wrong with the formula
    return relation;
}

bool isOfWords(const std::string& text) {
    return text.starts_with('"') || text.starts_with("word(") || text.starts_with("translation");
}

ClaimWords readWords(const std::string& text) {
    ClaimWords words{text, {}};
    size_t at = 0;
    if (text.starts_with('"')) {
        if (text.size() < 2 || text.find('"', 1) != text.size() - 1) throw Error("a quote is not closed: " + text);
        words.text = text.substr(1, text.size() - 2);
        return words;
    }
    if (text.starts_with("word(")) {
        const size_t end = closing(text, 4, ')');
        size_t open = nameEnd(text, 5);
        if (end == std::string::npos || open >= text.size() || text[open] != '[')
            throw Error("write word(NAME[row]): " + text);
        words.likeliest = readNumberName(text, 5, open);
        if (open != end)
            throw Error("write word(NAME[row]), and what else the stage says behind it in braces: " + text);
        at = end + 1;
    } else if (text.starts_with("translation")) {
        words.isTranslation = true;
        at = std::string_view("translation").size();
    }
    words.with = readWith(text, at);
    if (at == 0 || at != text.size())
        throw Error("\"" + text + "\" are no words: write \"…\", translation or word(NAME[row])");
    return words;
}

std::optional<WordRelation> readWordRelation(const std::string& text) {
    static constexpr std::pair<const char*, WordRelation::Kind> kinds[] = {
        {" != ", WordRelation::Kind::Unequal}, {" = ", WordRelation::Kind::Equal}, {" has ", WordRelation::Kind::Has}};
    for (const auto& [sign, kind] : kinds) {
        const size_t at = findOutside(text, sign);
        if (at == std::string::npos) continue;
        const std::string left(trimmed(std::string_view(text).substr(0, at))),
            right(trimmed(std::string_view(text).substr(at + std::string_view(sign).size())));
        if (!isOfWords(left) && !isOfWords(right)) return {};
        return WordRelation{text, kind, readWords(left), readWords(right)};
    }
    return {};
}

double norm(const std::vector<double>& row) {
    return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

using Row = const std::vector<double>&;

}  // namespace

const std::vector<ClaimFunction>& claimFunctions() {
    static const std::vector<ClaimFunction> all{
        {"largest", 1, [](Row row, Row) { return *std::ranges::max_element(row); }},
        {"smallest", 1, [](Row row, Row) { return *std::ranges::min_element(row); }},
        {"place", 1,
         [](Row row, Row) { return 1.0 + static_cast<double>(std::ranges::max_element(row) - row.begin()); }},
        {"sum", 1, [](Row row, Row) { return std::accumulate(row.begin(), row.end(), 0.0); }},
        {"mean", 1,
         [](Row row, Row) { return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size()); }},
        {"norm", 1, [](Row row, Row) { return norm(row); }},
        {"entropy", 1,
         [](Row row, Row) {
             return std::accumulate(row.begin(), row.end(), 0.0,
                                    [](double sum, double p) { return p > 0 ? sum - p * std::log(p) : sum; });
         }},
        // Of one number: 1 where none of its row is larger.
        {"rank", 1,
         [](Row row, Row own) {
             return 1.0 + static_cast<double>(std::ranges::count_if(row, [&](double each) { return each > own[0]; }));
         }},
        {"cosine", 2, [](Row a, Row b) { return dot(a, b) / (norm(a) * norm(b)); }},
        {"distance", 2, [](Row a, Row b) {
             std::vector<double> between(a.size());
             std::ranges::transform(a, b, between.begin(), std::minus<>());
             return norm(between);
         }}};
    return all;
}

Claim parseClaim(const std::string& text) {
    constexpr std::string_view between = " and ";
    Claim claim{std::string(trimmed(text)), {}};
    for (size_t from = 0; from <= claim.written.size();) {
        const size_t end = std::min(findOutside(claim.written, between, from), claim.written.size());
        const std::string each(trimmed(std::string_view(claim.written).substr(from, end - from)));
        if (each.empty()) throw Error("something must stand here: NAME[row,column] > NUMBER");
        if (const auto words = readWordRelation(each))
            claim.relations.emplace_back(*words);
        else
            claim.relations.emplace_back(readNumbers(each));
        from = end == claim.written.size() ? end + 1 : end + between.size();
    }
    return claim;
}

std::optional<bool> holds(const NumberRelation& relation,
                          const std::function<std::optional<double>(const ClaimTerm&)>& value) {
    std::vector<double> values;
    for (const ClaimTerm& term : relation.terms) {
        const std::optional<double> is = value(term);
        if (!is) return {};
        values.push_back(*is);
    }
    try {
        mu::Parser parser;
        for (size_t i = 0; i < values.size(); ++i)
            parser.DefineVar("v" + std::to_string(i), &values[i]);
        parser.SetExpr(relation.formula);
        return parser.Eval() != 0;
    } catch (const mu::ParserError& error) {
        throw Error("\"" + relation.written + "\": " + error.GetMsg());
    }
}

std::optional<double> numberField(const StageState& state, const std::string& key) {
    std::optional<double> value;
    visitFields(state, [&](const StageField& field, const auto& member, const auto&...) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, int> || std::is_same_v<Member, double>)
            if (key == field.name) value = static_cast<double>(member);
    });
    return value;
}

std::optional<NumberName> parseNumberName(const std::string& text) {
    const size_t open = text.find('[');
    if (open == std::string::npos || open == 0 || text.back() != ']') return {};
    NumberName result{text.substr(0, open), {}};
    const char* at = text.data() + open + 1;
    const char* const end = text.data() + text.size() - 1;
    while (at < end) {
        while (at < end && (*at == ' ' || *at == ','))
            ++at;
        if (*at == '"') {  // up to the quote before the bracket
            if (result.indices.empty() || end - at < 3 || *(end - 1) != '"') return {};
            result.word.assign(at + 1, end - 1);
            return result;
        }
        int index = 0;
        const auto [stop, error] = std::from_chars(at, end, index);
        if (error != std::errc() || index < 1) return {};
        result.indices.push_back(index);
        at = stop;
        if (at < end && *at != ',' && *at != ' ') return {};
    }
    return result.indices.empty() ? std::nullopt : std::optional(result);
}

bool isPartOf(const NumberName& number, const NumberName& part) {
    return number.name == part.name && part.indices.size() <= number.indices.size() &&
           std::equal(part.indices.begin(), part.indices.end(), number.indices.begin());
}

}  // namespace headlight
