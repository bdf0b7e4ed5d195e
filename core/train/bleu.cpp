// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/train/sentence_bleu.h"

namespace headlight {

namespace {

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

using Tokens = std::vector<std::string>;
/// Where each n-gram begins, from the first to the last.
using Places = std::map<Tokens, std::vector<int>>;

Places ngrams(const Tokens& tokens, size_t order) {
    Places places;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        places[Tokens(tokens.begin() + static_cast<long>(i), tokens.begin() + static_cast<long>(i + order))].push_back(
            static_cast<int>(i));
    return places;
}

/// The reference that holds most of an n-gram, and where; null: none has it.
struct Holder {
    int reference = -1;
    const std::vector<int>* places = nullptr;
    long count() const { return places ? static_cast<long>(places->size()) : 0; }
};

Holder holderOf(const Tokens& ngram, const std::vector<Places>& known) {
    Holder best;
    for (size_t i = 0; i < known.size(); ++i) {
        const auto found = known[i].find(ngram);
        if (found == known[i].end() || static_cast<long>(found->second.size()) <= best.count()) continue;
        best = {static_cast<int>(i), &found->second};
    }
    return best;
}

/// The n-grams of one length, paired from left to right; adds up what counts.
std::vector<NgramMatch> match(const Tokens& hypothesis, const std::vector<Tokens>& references, size_t order,
                              Bleu& bleu) {
    std::vector<Places> known;
    known.reserve(references.size());
    for (const Tokens& reference : references)
        known.push_back(ngrams(reference, order));
    std::vector<NgramMatch> all(hypothesis.size() < order ? 0 : hypothesis.size() - order + 1);
    for (const auto& [ngram, places] : ngrams(hypothesis, order)) {
        const Holder holder = holderOf(ngram, known);
        const long written = static_cast<long>(places.size()), held = holder.count();
        bleu.matches[order - 1] += std::min(written, held);
        bleu.totals[order - 1] += written;
        for (size_t k = 0; k < places.size(); ++k) {
            NgramMatch& each = all[static_cast<size_t>(places[k])];
            each = {NgramMatch::Kind::Absent, holder.reference, -1, written, held};
            if (held == 0) continue;
            const bool counts = static_cast<long>(k) < held;
            each.kind = counts ? NgramMatch::Kind::Found : NgramMatch::Kind::Clipped;
            each.place = (*holder.places)[counts ? k : 0];
        }
    }
    return all;
}

int closestInLength(const Tokens& hypothesis, const std::vector<Tokens>& references) {
    const auto farness = [&](const Tokens& each) {
        const long difference = static_cast<long>(each.size()) - static_cast<long>(hypothesis.size());
        return std::pair(std::abs(difference), each.size());
    };
    const auto best = std::ranges::min_element(references, {}, farness);
    return best == references.end() ? -1 : static_cast<int>(best - references.begin());
}

void finish(Bleu& bleu, size_t order) {
    assert(order >= 1 && order <= longestNgram);
    bleu.brevityPenalty = brevityPenalty(bleu.hypothesisLength, bleu.referenceLength);
    // An order without a match counts as half a match, a quarter, …: exponential smoothing.
    double halves = 1, logSum = 0;
    const bool nothing = std::ranges::all_of(bleu.matches, [](long count) { return count == 0; });
    for (size_t n = 0; n < order; ++n) {
        if (bleu.totals[n] == 0) return;
        const double total = static_cast<double>(bleu.totals[n]);
        if (bleu.matches[n] == 0) halves *= 2;
        bleu.precisions[n] =
            bleu.matches[n] ? 100.0 * static_cast<double>(bleu.matches[n]) / total : 100.0 / (halves * total);
        logSum += std::log(bleu.precisions[n]);
    }
    bleu.score = nothing ? 0 : bleu.brevityPenalty * std::exp(logSum / static_cast<double>(order));
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

double brevityPenalty(long hypothesisLength, long referenceLength) {
    if (hypothesisLength == 0) return 0;
    if (hypothesisLength >= referenceLength) return 1;
    return std::exp(1 - static_cast<double>(referenceLength) / static_cast<double>(hypothesisLength));
}

SentenceBleu sentenceBleu(const std::string& hypothesis, const std::vector<std::string>& references, size_t order) {
    SentenceBleu result;
    result.hypothesis = tokenize13a(hypothesis);
    for (const std::string& reference : references)
        result.references.push_back(tokenize13a(reference));
    for (size_t n = 1; n <= longestNgram; ++n)
        result.ngrams[n - 1] = match(result.hypothesis, result.references, n, result.bleu);
    result.closest = closestInLength(result.hypothesis, result.references);
    result.bleu.hypothesisLength = static_cast<long>(result.hypothesis.size());
    if (result.closest >= 0)
        result.bleu.referenceLength = static_cast<long>(result.references[static_cast<size_t>(result.closest)].size());
    finish(result.bleu, order);
    return result;
}

Bleu summedBleu(std::span<const Bleu> sentences, size_t order) {
    Bleu sum;
    for (const Bleu& each : sentences) {
        for (size_t n = 0; n < longestNgram; ++n) {
            sum.matches[n] += each.matches[n];
            sum.totals[n] += each.totals[n];
        }
        sum.hypothesisLength += each.hypothesisLength;
        sum.referenceLength += each.referenceLength;
    }
    finish(sum, order);
    return sum;
}

Bleu corpusBleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references) {
    assert(hypotheses.size() == references.size());
    std::vector<Bleu> sentences;
    for (size_t i = 0; i < hypotheses.size(); ++i)
        sentences.push_back(sentenceBleu(hypotheses[i], {references[i]}).bleu);
    return summedBleu(sentences);
}

}  // namespace headlight
