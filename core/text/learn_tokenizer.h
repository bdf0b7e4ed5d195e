// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/bpe.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// How to build a tokenizer from text (the `train` options --tokenizer, --lowercase, --min-count, …).
struct TokenizerOptions {
    enum class Kind { Word, Whitespace, Char, Bpe };
    Kind kind = Kind::Word;
    int merges = 0;  ///< learned at most; of byte-pair encoding only
    bool lowercase = false;
    int maxVocabulary = 0;    ///< specials counted in; 0: every token
    int minCount = 1;         ///< tokens seen less often are not in the vocabulary; a piece of a word is cut further
    bool lineBreaks = false;  ///< a line break is a token of its own: LineTokenizer
    bool jointBpe = false;    ///< merges are learned from source and target together, each has a vocabulary of its own
    /// Files of merges as subword-nmt writes them, one a side: words (`word`) or what white space parts (`whitespace`)
    /// are cut by these, and none are learned.
    std::string sourceCodes = {}, targetCodes = {};

    bool operator==(const TokenizerOptions&) const = default;
};

/// Parses `word`, `whitespace`, `char`, or `bpe:N` with the number of merges; throws Error for anything else.
TokenizerOptions parseTokenizer(std::string_view text);

/// How often each token of a text stands in it, before any merges: all that a tokenizer is learned from, and much less
/// than the text. Each different run between two spaces is cut once, however often it stands.
class TokenCounter {
public:
    /// By kind, lowercase and lineBreaks of the options.
    explicit TokenCounter(const TokenizerOptions& options);
    /// A line of text, or what stands on both sides of a break. Throws Error for invalid UTF-8.
    void add(std::string_view line);
    /// What was counted, which is then given away.
    WordCounts take();

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    /// False: a character of the run belongs to the space beside it.
    bool count(std::string_view run);
    void addWhole(std::string_view line);

    std::shared_ptr<const Tokenizer> m_splitter;
    bool m_cutsAtSpaces;
    std::unordered_map<std::string, long, Hash, std::equal_to<>> m_runs;
    WordCounts m_others;  ///< of lines that cannot be cut at spaces
};

/// Learns vocabulary and merges from what a TokenCounter with these options counted. `merges`: these and no others
/// (codes from a file, or learned from more text than this); then only pieces that stand in the counts are in the
/// vocabulary.
std::shared_ptr<const Tokenizer> learnTokenizer(WordCounts counts, const TokenizerOptions& options,
                                                const std::vector<Merge>* merges = nullptr,
                                                const WorkProgress& progress = {});
/// The same from lines of text.
std::shared_ptr<const Tokenizer> trainTokenizer(const std::vector<std::string>& lines, const TokenizerOptions& options);

}  // namespace headlight
