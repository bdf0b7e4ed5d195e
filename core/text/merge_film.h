// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/bpe.h"

namespace headlight {

/// The learning of byte-pair merges (core/text/bpe.h), kept so that every moment of it can be looked at: how the words
/// of the text stand in pieces after so many merges, and how often every pair of neighbours stands then. What is
/// counted is what stands there: the learner's own counts (Merge::frequency) take subword-nmt's shortcuts, which show
/// in large texts only.
///
/// Memory grows with the different words and with the merges that each of them went through.
class MergeFilm {
public:
    /// Learns at most `wanted` merges. Throws Error and WorkStopped as learnMerges().
    MergeFilm(const WordCounts& counts, int wanted, const WorkProgress& progress = {});
    /// Plays merges that were learned elsewhere through some words.
    MergeFilm(const WordCounts& counts, std::vector<Merge> merges, const WorkProgress& progress = {});

    const std::vector<Merge>& merges() const { return m_merges; }
    int mergeCount() const { return static_cast<int>(m_merges.size()); }
    /// Different words, and all words of the text.
    int words() const { return static_cast<int>(m_words.size()); }
    long tokens() const { return m_tokens; }
    /// How often the word stands in the text; 0: it does not.
    long count(std::string_view word) const;
    /// Pieces of the whole text after so many merges: Σ count · pieces.
    long pieces(int merges) const { return m_pieces[static_cast<size_t>(merges)]; }
    /// Different symbols that the text begins with: its characters, those that end a word apart. Each merge adds one.
    int characters() const { return m_characters; }

    struct Pair {
        std::string left, right;
        long count = 0;
    };
    struct Word {
        std::string text;
        long count = 0;
        std::vector<std::string> symbols;  ///< with `</w>`
    };
    /// A moment: after so many merges, before the next.
    struct Frame {
        /// The most frequent pairs that stand at least twice, the first first; equal ones later in Unicode first, left
        /// symbol before right.
        std::vector<Pair> pairs;
        int differentPairs = 0;   ///< of those that stand at least twice
        std::vector<Word> words;  ///< the most frequent, equal ones in the order of Unicode
    };
    Frame frame(int merges, size_t mostPairs, size_t mostWords) const;

    /// Words that have this symbol after so many merges, the most frequent first; the 20,000 most frequent of the text
    /// are looked at.
    std::vector<std::string> wordsWith(const std::string& symbol, int merges, size_t most) const;

    /// The way of any word through the first so many merges, from its characters on. Throws Error for invalid UTF-8.
    std::vector<BpeStep> ladder(std::string_view word, int merges) const;

private:
    struct Counted {
        std::string text;
        long count = 0;
        std::vector<int> characters;
        std::vector<int> merges;  ///< that changed it, in their order
    };
    struct Rule {
        int left, right, merged;
    };

    void readWords(const WordCounts& counts);
    int intern(const std::string& symbol);
    void replay(const WorkProgress& progress);
    std::vector<int> symbolsOf(const Counted& word, int merges) const;
    std::vector<Pair> pairsAfter(int merges, size_t most, int& different) const;

    std::vector<Merge> m_merges;
    Bpe m_bpe;
    std::vector<std::string> m_symbols;
    std::unordered_map<std::string, int> m_ids;
    std::vector<Rule> m_rules;     ///< one a merge
    std::vector<Counted> m_words;  ///< the most frequent first
    std::unordered_map<std::string, long> m_counts;
    std::vector<long> m_pieces;  ///< after so many merges
    long m_tokens = 0;
    int m_characters = 0;
};

}  // namespace headlight
