// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/learn_tokenizer.h"

#include <utility>

#include "core/error.h"
#include "core/number_text.h"
#include "core/text/bpe_tokenizer.h"
#include "core/text/char_tokenizer.h"
#include "core/text/unicode.h"
#include "core/text/whitespace_tokenizer.h"
#include "core/text/word_tokenizer.h"

namespace headlight {
namespace {

using Kind = TokenizerOptions::Kind;
using TokenizerPointer = std::shared_ptr<const Tokenizer>;

template <typename T>
TokenizerPointer makeCounted(Vocabulary vocabulary, bool lowercase) {
    return std::make_shared<const T>(std::move(vocabulary), lowercase);
}

/// What can be learned from text. A new kind is registered here.
struct LearnableKind {
    Kind kind;
    std::string_view name;
    /// What cuts a text into what is counted.
    TokenizerPointer (*make)(Vocabulary vocabulary, bool lowercase);
};
constexpr LearnableKind learnableKinds[] = {
    {Kind::Word, WordTokenizer::kindName, makeCounted<WordTokenizer>},
    {Kind::Whitespace, WhitespaceTokenizer::kindName, makeCounted<WhitespaceTokenizer>},
    {Kind::Char, CharTokenizer::kindName, makeCounted<CharTokenizer>},
    {Kind::Bpe, BpeTokenizer::kindName, makeCounted<WordTokenizer>},
};

const LearnableKind& learnableKind(std::string_view name) {
    std::string known;
    for (const LearnableKind& kind : learnableKinds) {
        if (kind.name == name) return kind;
        known += (known.empty() ? "'" : ", '") + std::string(kind.name) + "'";
    }
    throw Error("there is no tokenizer '" + std::string(name) + "'; use one of " + known);
}

const LearnableKind& learnableKind(Kind wanted) {
    for (const LearnableKind& kind : learnableKinds)
        if (kind.kind == wanted) return kind;
    throw Error("this kind of tokenizer is not registered; add it to core/text/learn_tokenizer.cpp");
}

}  // namespace

TokenizerOptions parseTokenizer(std::string_view text) {
    const std::string_view name = text.substr(0, text.find(':'));
    TokenizerOptions options{.kind = learnableKind(name).kind};
    const bool hasMerges = name.size() < text.size();
    if (hasMerges != (options.kind == Kind::Bpe))
        throw Error("the tokenizer '" + std::string(text) +
                    "' is not one; give 'bpe' its number of merges, as in 'bpe:8000', and the others none");
    if (!hasMerges) return options;
    const std::string_view number = text.substr(name.size() + 1);
    if (!readNumber(number, options.merges) || options.merges < 1)
        throw Error("'" + std::string(number) +
                    "' is no number of merges; give a whole number from 1, as in 'bpe:8000'");
    return options;
}

namespace {

/// The special tokens, and a line break where it is one of the tokens.
Vocabulary nothingLearned(bool lineBreaks) {
    std::vector<std::string> tokens = Vocabulary().tokens();
    if (lineBreaks) tokens.emplace_back(LineTokenizer::lineBreak);
    return Vocabulary::fromTokens(std::move(tokens));
}

}  // namespace

TokenCounter::TokenCounter(const TokenizerOptions& options)
    : m_splitter(learnableKind(options.kind).make(nothingLearned(options.lineBreaks), options.lowercase)),
      m_cutsAtSpaces(options.kind != Kind::Char) {}

void TokenCounter::add(std::string_view line) {
    if (!m_cutsAtSpaces) return addWhole(line);
    std::vector<std::string_view> runs;
    for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        if (end > begin) runs.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (count(runs[i])) continue;
        for (std::size_t back = 0; back < i; ++back)
            --m_runs.find(runs[back])->second;
        return addWhole(line);
    }
}

bool TokenCounter::count(std::string_view run) {
    auto found = m_runs.find(run);
    if (found == m_runs.end()) {
        // A mark behind a space is part of that space: such a run means something else alone than in its line.
        const std::string spaced = toNfc(" " + std::string(run) + " ");
        const std::vector<std::string_view> characters = graphemes(spaced);
        if (characters.front() != " " || characters.back() != " ") return false;
        found = m_runs.emplace(run, 0).first;
    }
    ++found->second;
    return true;
}

void TokenCounter::addWhole(std::string_view line) {
    for (std::string& token : m_splitter->split(line))
        ++m_others[std::move(token)];
}

WordCounts TokenCounter::take() {
    WordCounts counts = std::move(m_others);
    for (auto run = m_runs.begin(); run != m_runs.end(); run = m_runs.erase(run))
        if (run->second > 0)
            for (std::string& token : m_splitter->split(run->first))
                counts[std::move(token)] += run->second;
    return counts;
}

TokenizerPointer learnTokenizer(WordCounts counts, const TokenizerOptions& options, const std::vector<Merge>* merges,
                                const WorkProgress& progress) {
    if (options.minCount < 1) throw Error("min-count must be at least 1 (every token)");
    if (merges || options.kind == Kind::Bpe) return BpeTokenizer::learn(std::move(counts), options, merges, progress);
    return learnableKind(options.kind)
        .make(Vocabulary::fromCounts(counts, options.maxVocabulary, options.minCount), options.lowercase);
}

TokenizerPointer trainTokenizer(const std::vector<std::string>& lines, const TokenizerOptions& options) {
    TokenCounter counter(options);
    for (const std::string& line : lines)
        counter.add(line);
    return learnTokenizer(counter.take(), options);
}

}  // namespace headlight
