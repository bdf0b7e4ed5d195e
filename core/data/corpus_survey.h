// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/data/pair_stream.h"
#include "core/data/repeats.h"
#include "core/data/seeded_random.h"
#include "core/text/bpe.h"

namespace headlight {

/// What stands in the files that somebody wants to learn from, read once from beginning to end. Of each pair sixteen
/// bytes are kept, of each different word how often it stands; of the sentences themselves a sample. So the memory
/// grows with the number of pairs and of words, not with the text.
class CorpusSurvey {
public:
    /// How often each word stands.
    using Counts = std::unordered_map<std::string, long>;

    /// One pair, or one line of a text.
    struct Entry {
        uint64_t key = 0;   ///< a hash of the source: equal sources have equal keys, others as good as never
        uint32_t line = 0;  ///< Sheet::line()
        uint16_t sourceWords = 0, targetWords = 0;  ///< at most 65,535; one of them 0: that side is blank
    };
    /// A pair that is there to be looked at.
    struct Sample {
        SentencePair pair;
        size_t entry = 0;
    };

    /// Words are those of wordSplitter(). Throws Error as PairStream, for files without any whole pair, and where
    /// nobody waits.
    /// `onTheWay` is shown what there is so far, soon after the beginning and then twice a second; samples are in the
    /// order in which they were drawn then.
    CorpusSurvey(const CorpusFiles& files, const TokenizerOptions& tokenizer, const WorkProgress& progress = {},
                 const std::function<void(const CorpusSurvey&)>& onTheWay = {});

    const CorpusFiles& files() const { return m_files; }
    bool isText() const { return !m_files.textFile.empty(); }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// In the order of the file; drawn by chance, the same on every machine.
    const std::vector<Sample>& samples() const { return m_samples; }
    /// Of all whole pairs. `side`: 0 source, 1 target; of a text the target alone.
    const Counts& counts(int side) const { return m_counts[static_cast<size_t>(side)]; }
    /// Of which neither side is blank.
    long wholePairs() const { return static_cast<long>(m_drawn); }
    long words(int side) const { return m_words[static_cast<size_t>(side)]; }
    /// `&apos;` and the like: undone where the files say so, otherwise as they stand there.
    long entities() const { return m_entities; }
    /// Whole pairs, or lines of a text that has a sentence a line, that stand there more than once. They are used as
    /// often as they stand there.
    const Repeats& repeats() const { return m_repeats; }
    /// More different words than are counted: those that stood once by then were forgotten.
    bool isCountBounded() const { return m_isCountBounded; }
    /// The words of a sentence as they are counted.
    std::vector<std::string> wordsOf(const std::string& text) const;

    /// The counts of both sides.
    using SideCounts = std::array<Counts, 2>;
    static constexpr signed char noGroup = -1;
    /// The words of some entries alone, read again: `groups` says of each into which of so many it is counted.
    std::vector<SideCounts> countsOf(const std::vector<signed char>& groups, size_t number,
                                     const WorkProgress& progress = {}) const;

private:
    void add(const PairStream& stream);
    uint16_t count(const std::string& text, size_t side);
    void draw(const SentencePair& pair);

    CorpusFiles m_files;
    std::shared_ptr<const Tokenizer> m_splitter;
    std::vector<Entry> m_entries;
    std::vector<Sample> m_samples;
    SideCounts m_counts;
    std::array<long, 2> m_words{};
    long m_entities = 0;
    RepeatSearch m_repeatSearch;
    Repeats m_repeats;
    bool m_isCountBounded = false;
    SeededRandom m_random;
    size_t m_drawn = 0;  ///< whole pairs so far
};

/// Why a pair is not used.
enum class LeftOut : unsigned char { No, Blank, TooLong, TooUnequal };

/// Which pairs of a survey a training would use, and for what: those of TrainingData::splits().
struct CorpusDeal {
    std::vector<CorpusPart> parts;  ///< one an entry; of those that are left out it says nothing
    std::vector<LeftOut> leftOut;   ///< one an entry
    std::array<long, 3> sizes{};    ///< by CorpusPart
    /// By LeftOut: how many, and the lines of the first few.
    struct Reason {
        long count = 0;
        std::vector<size_t> lines;
    };
    std::array<Reason, 4> reasons{};

    long used() const { return sizes[0] + sizes[1] + sizes[2]; }
    long size(CorpusPart part) const { return sizes[static_cast<size_t>(part)]; }
    const Reason& reason(LeftOut why) const { return reasons[static_cast<size_t>(why)]; }
};
CorpusDeal deal(const CorpusSurvey& survey, const TrainingData& data, uint64_t seed);

/// How much of a text a vocabulary of the most frequent words knows, by its size.
class CoverageCurve {
public:
    /// `learned`: of what is learned from; `other`: of what is kept away. Words in the order of
    /// Vocabulary::fromCounts().
    CoverageCurve(const CorpusSurvey::Counts& learned, const CorpusSurvey::Counts& other);

    size_t words() const { return m_words.size(); }
    const std::string& word(size_t rank) const { return m_words[rank].first; }
    /// Words that stand `count` times or more.
    size_t wordsSeen(long count) const;
    /// From 0; words() for one that was not learned from.
    size_t rank(const std::string& word) const;
    /// The share of all words of the text that are among the `size` most frequent, 0 to 1; of an empty text 1.
    double learned(size_t size) const { return share(m_learned, m_learnedTotal, size); }
    double other(size_t size) const { return share(m_other, m_otherTotal, size); }

private:
    static double share(const std::vector<long>& upTo, long total, size_t size);

    std::vector<std::pair<std::string, long>> m_words;
    std::unordered_map<std::string, size_t> m_ranks;
    std::vector<long> m_learned, m_other;  ///< how often the first words stand together
    long m_learnedTotal = 0, m_otherTotal = 0;
};

/// How many pieces a word has on average, by the number of merges.
class PieceCurve {
public:
    /// Merges of the text itself. Throws WorkStopped where `progress` says so.
    PieceCurve(const CorpusSurvey::Counts& learned, int mostMerges, const WorkProgress& progress = {});
    /// Merges that were learned from more than this text: the pieces are those that stand in it.
    PieceCurve(const CorpusSurvey::Counts& learned, std::vector<Merge> merges, const WorkProgress& progress = {});

    const std::vector<Merge>& merges() const { return m_merges; }
    double piecesPerWord(size_t merges) const;
    /// Tokens of a BpeTokenizer with so many merges, the specials counted in.
    size_t vocabularySize(size_t merges) const { return m_tokens[std::min(merges, m_merges.size())]; }
    /// Whether each character of a word stands somewhere in the text.
    bool canSpell(const std::string& word) const;

private:
    std::vector<Merge> m_merges;
    std::set<std::string, std::less<>> m_characters;
    std::vector<size_t> m_tokens;  ///< after so many merges
    std::vector<long> m_pieces;    ///< of the whole text, after so many merges
    long m_words = 0;
};

}  // namespace headlight
