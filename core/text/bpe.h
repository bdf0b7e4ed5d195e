// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/work_progress.h"

namespace headlight {

// Byte-pair encoding of words (Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units,
// ACL 2016), to the byte as its authors' program subword-nmt learns and applies it with its defaults. A symbol is a run
// of code points; the last one of a word carries the mark `</w>`. Text must be UTF-8 and is left in its normal form.
//
// Lines end where Python's str.splitlines() ends them. Words stand between spaces (U+0020); other white space is part
// of a word, except carriage return and line feed at the ends of a line.

/// One merge: `left` followed by `right` becomes `merged`, everywhere in a word.
struct Merge {
    std::string left, right, merged;
    long frequency = 0;  ///< how often the pair stood in the text when it was merged; 0 where codes do not say it
};

using WordCounts = std::map<std::string, long>;

/// Adds the words of some lines of text.
void countWords(std::string_view text, WordCounts& counts);

/// The merges in the order in which they are learned: always the most frequent pair; among equals the greatest, left
/// symbol before right, by code points. Fewer than `wanted` where no pair is left that stands twice. Time grows with
/// the letters of the different words, memory too. Throws Error for invalid UTF-8, and WorkStopped.
std::vector<Merge> learnMerges(const WordCounts& counts, int wanted, const WorkProgress& progress = {});

/// The merges as a codes file of version 0.2: `#version: 0.2`, then `left right` a line.
std::string writeCodes(const std::vector<Merge>& merges);

/// A word on its way from characters to pieces.
struct BpeStep {
    std::optional<int> merge;          ///< index of the merge that was applied; none in the first step
    std::vector<std::string> symbols;  ///< what the word consists of now, with `</w>`
};

/// Cuts words into pieces by a list of merges: the earliest merge of the list that fits is applied everywhere in the
/// word, left to right, until none fits. Where a pair is listed twice the first place counts.
class Bpe {
public:
    /// How a word's end is marked: by a symbol of its own (codes of version 0.1), or at its last character (0.2).
    enum class WordEnd { Apart, Attached };

    explicit Bpe(std::vector<Merge> merges, WordEnd wordEnd = WordEnd::Attached);
    /// From a codes file's lines; no header means version 0.1. Throws Error, which begins with `name` and the line, for
    /// another version, for a line that is not two symbols, and for invalid UTF-8.
    static Bpe fromCodes(std::vector<std::string> lines, const std::string& name);

    /// The pieces of one word, without marks. Throws Error for invalid UTF-8.
    std::vector<std::string> split(std::string_view word) const;
    /// The way there, one merge a step, from the word's characters on.
    std::vector<BpeStep> steps(std::string_view word) const;
    /// Lines of text with every word cut, `@@ ` between pieces. Spaces and line ends around a line stay as they are,
    /// several spaces between words become one.
    std::string apply(std::string_view text) const;
    const std::vector<Merge>& merges() const { return m_merges; }
    WordEnd wordEnd() const { return m_wordEnd; }

private:
    class Word;

    int id(const std::string& symbol) const;  // -1: in no merge
    int rank(int leftId, int rightId) const;  // -1: not merged
    int intern(const std::string& symbol);

    std::vector<Merge> m_merges;
    WordEnd m_wordEnd;
    std::unordered_map<std::string, int> m_ids;
    std::unordered_map<std::uint64_t, int> m_ranks;  // by the two ids
    std::vector<int> m_mergedIds;                    // by rank
};

}  // namespace headlight
