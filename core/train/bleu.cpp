// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/bleu.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

namespace headlight {

namespace {

constexpr size_t maxOrder = 4;

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// The symbols that 13a always sets apart: ASCII punctuation but for ' , - .
bool isSymbol(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
           (c >= ':' && c <= '@') || c == '/';
}

/// Each of 13a's rules is a pass over the text, because a match takes its neighbour along: "a..b" differs from one
/// pass.
std::string separatePeriodsAfterNonDigits(const std::string& text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool pair = i + 1 < text.size() && !isDigit(text[i]) && (text[i + 1] == '.' || text[i + 1] == ',');
        if (!pair) {
            out += text[i];
            continue;
        }
        out += {text[i], ' ', text[i + 1], ' '};
        ++i;
    }
    return out;
}

std::string separatePeriodsBeforeNonDigits(const std::string& text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool pair = i + 1 < text.size() && (text[i] == '.' || text[i] == ',') && !isDigit(text[i + 1]);
        if (!pair) {
            out += text[i];
            continue;
        }
        out += {' ', text[i], ' ', text[i + 1]};
        ++i;
    }
    return out;
}

using Counts = std::map<std::vector<std::string>, long>;

Counts ngrams(const std::vector<std::string>& tokens, size_t order) {
    Counts counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[std::vector<std::string>(tokens.begin() + static_cast<long>(i),
                                          tokens.begin() + static_cast<long>(i + order))];
    return counts;
}

void finish(Bleu& bleu) {
    if (bleu.hypothesisLength == 0) return;
    bleu.brevityPenalty =
        bleu.hypothesisLength >= bleu.referenceLength
            ? 1
            : std::exp(1 - static_cast<double>(bleu.referenceLength) / static_cast<double>(bleu.hypothesisLength));
    // An order without a match counts as half a match, a quarter, …: exponential smoothing.
    double halves = 1, logSum = 0;
    const bool nothing = std::ranges::all_of(bleu.matches, [](long count) { return count == 0; });
    for (size_t n = 0; n < maxOrder; ++n) {
        if (bleu.totals[n] == 0) return;
        const double total = static_cast<double>(bleu.totals[n]);
        if (bleu.matches[n] == 0) halves *= 2;
        bleu.precisions[n] =
            bleu.matches[n] ? 100.0 * static_cast<double>(bleu.matches[n]) / total : 100.0 / (halves * total);
        logSum += std::log(bleu.precisions[n]);
    }
    bleu.score = nothing ? 0 : bleu.brevityPenalty * std::exp(logSum / maxOrder);
}

}  // namespace

std::vector<std::string> tokenize13a(std::string_view line) {
    std::string text(line);
    replaceAll(text, "<skipped>", "");
    replaceAll(text, "-\n", "");
    replaceAll(text, "\n", " ");
    replaceAll(text, "&quot;", "\"");
    replaceAll(text, "&amp;", "&");
    replaceAll(text, "&lt;", "<");
    replaceAll(text, "&gt;", ">");
    std::string spaced = " ";
    for (char c : text) {
        if (isSymbol(c))
            spaced += {' ', c, ' '};
        else
            spaced += c;
    }
    spaced = separatePeriodsBeforeNonDigits(separatePeriodsAfterNonDigits(spaced + " "));

    std::vector<std::string> tokens;
    std::string token;
    for (size_t i = 0; i < spaced.size(); ++i) {
        const char c = spaced[i];
        const bool dashAfterDigit = c == '-' && i > 0 && isDigit(spaced[i - 1]);
        if ((c == ' ' || dashAfterDigit) && !token.empty()) tokens.push_back(std::exchange(token, {}));
        if (dashAfterDigit)
            tokens.emplace_back("-");
        else if (c != ' ')
            token += c;
    }
    if (!token.empty()) tokens.push_back(token);
    return tokens;
}

Bleu corpusBleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references) {
    assert(hypotheses.size() == references.size());
    Bleu bleu;
    for (size_t i = 0; i < hypotheses.size(); ++i) {
        const std::vector<std::string> hypothesis = tokenize13a(hypotheses[i]), reference = tokenize13a(references[i]);
        bleu.hypothesisLength += static_cast<long>(hypothesis.size());
        bleu.referenceLength += static_cast<long>(reference.size());
        for (size_t order = 1; order <= maxOrder; ++order) {
            const Counts known = ngrams(reference, order);
            for (const auto& [ngram, count] : ngrams(hypothesis, order)) {
                const auto found = known.find(ngram);
                bleu.matches[order - 1] += found == known.end() ? 0 : std::min(count, found->second);
                bleu.totals[order - 1] += count;
            }
        }
    }
    finish(bleu);
    return bleu;
}

}  // namespace headlight
