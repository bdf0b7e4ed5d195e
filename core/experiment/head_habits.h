// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// (source word, target word), counted from 0.
using GoldLinks = std::vector<std::pair<int, int>>;

/// What a head is found to look at (Clark et al. 2019; Voita et al. 2019; Olsson et al. 2022).
enum class HeadHabit {
    None,
    Previous,
    Next,
    Itself,
    SameWord,     ///< the same word elsewhere; of a causal head, before
    AfterSame,    ///< what followed the same word before (induction)
    First,        ///< the first word (an attention sink)
    Punctuation,  ///< marks, and what separates or ends texts, but for the first word
    Alignment,    ///< the word that gold links to the one being written
    Broad,        ///< everything a little
};
/// Their names in links, on the command line and in JSON.
inline constexpr std::array habitWords = {"none",       "previous", "next",        "itself",    "same-word",
                                          "after-same", "first",    "punctuation", "alignment", "broad"};
inline constexpr size_t habitCount = habitWords.size();

/// A habit is given where, on average, at least this share of a row's weight lies as it says.
inline constexpr double habitShare = 0.4;
/// A head without one is broad from this mean of row entropy / log2(columns that the row may look at) on.
inline constexpr double broadEntropy = 0.75;
/// A row of which less than this is left without the first word is empty.
inline constexpr double leastLeft = 0.05;

enum class FirstWord {
    Kept,
    LeftOut  ///< the other weights stand over what is left of the row
};

struct HeadFacts {
    double entropy = 0;          ///< mean of the rows, in bits
    double mostEntropy = 0;      ///< of one that looks everywhere equally
    double relativeEntropy = 0;  ///< mean of the rows that may look at two columns or more, 0 to 1
    double distance = 0;  ///< words between the one that looks and what it looks at, on average; self-attention only
    double first = 0;     ///< mean weight on the first column; in self-attention of the rows behind the first
    HeadHabit habit = HeadHabit::None;
    /// Of the weight (of an alignment: of the words) that agrees with the habit; of Broad the relative entropy.
    double share = 0;
};

/// What the rows of a head add up to, in one text or in several.
struct HabitTally {
    struct Mean {
        double sum = 0;
        long rows = 0;

        void add(double value) {
            sum += value;
            ++rows;
        }
        double value() const { return rows > 0 ? sum / static_cast<double>(rows) : 0; }
    };
    std::array<Mean, habitCount> habits;  ///< of None and Broad nothing
    Mean entropy, mostEntropy, relativeEntropy, distance, first;

    HabitTally& operator+=(const HabitTally& other);
    HeadFacts facts() const;
};

/// Which columns each habit asks of each row: the same for all heads of a block. Rows that lack such a column, or could
/// not have looked elsewhere, do not count for the habit.
class HabitPlaces {
public:
    /// `weights` are a block's (Part::Weights) in this trace.
    HabitPlaces(const Trace& trace, const TraceRecord& weights, const GoldLinks& gold = {});

    /// `head`: the weights [rows, columns] of one head. Without the first word the habits and the relative entropy are
    /// those of withoutFirstWord(), empty rows counting as nothing; the habit First is then the share of empty rows.
    HabitTally read(std::span<const float> head, FirstWord first = FirstWord::Kept) const;
    /// The cell of the habit with the most weight; {-1, -1} where there is none, as for None. Of Broad it is the
    /// largest weight of the row with the most entropy.
    std::pair<int, int> heaviest(HeadHabit habit, std::span<const float> head) const;

    int rows() const { return m_rows; }
    int columns() const { return m_columns; }

private:
    /// A row and the columns that are wanted of it.
    struct Wanted {
        int row = 0;
        std::vector<int> columns;
    };
    void addHabit(HeadHabit habit, const std::vector<char>& wanted);
    void readHabits(std::span<const float> head, FirstWord first, HabitTally& tally) const;
    void readAlignment(std::span<const float> head, HabitTally& tally) const;
    void readRows(std::span<const float> head, FirstWord first, HabitTally& tally) const;
    double entropyOf(std::span<const float> head, int row) const;

    int m_rows, m_columns;
    bool m_self;               ///< rows and columns are the same words
    std::vector<char> m_open;  ///< [rows, columns]: may it be looked at?
    std::vector<int> m_opens;  ///< of each row, how many may
    std::array<std::vector<Wanted>, habitCount> m_wanted;
};

/// The weights of a head without the first column, each row over what is left of it; rows of which less than leastLeft
/// is left are zeros.
std::vector<float> withoutFirstWord(std::span<const float> head, int columns);

/// Is a token as vocabularies write it (`Ġ,` `▁.` `##)`) all punctuation?
bool isPunctuation(std::string_view token);
/// Does it separate or end texts: `[SEP]`, `</s>`, `<eos>`, `<|endoftext|>`?
bool isSeparator(std::string_view token);

}  // namespace headlight
