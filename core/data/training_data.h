// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/data/corpus.h"
#include "core/data/corpus_readers.h"
#include "core/data/file_layout.h"
#include "core/text/learn_tokenizer.h"

namespace headlight {

/// Where sentences come from: a built-in task, a table of pairs, two files line by line, or a text. Exactly one of the
/// four is set; the options of headlight-cli name them alike.
struct CorpusFiles {
    std::string task = {};
    std::string pairs = {};  ///< `source TAB target` a line; of a classifier the target is a label
    std::string sourceFile = {}, targetFile = {};
    std::string textFile = {};
    std::string alignments = {};               ///< gold links of the pairs in the files, a line a pair (Pharaoh)
    bool undoEntities = false;                 ///< `&apos;` and the like, in the files, become what they stand for
    std::string title = {};                    ///< what the sentences are: "English to French"; the model tells it
    std::string credit = {};                   ///< who wrote the sentences, and their licence: the model tells it
    TextReading reading = TextReading::Lines;  ///< of a text
    LayoutChoice layout = {};                  ///< what of the files' layout is not seen from them

    bool operator==(const CorpusFiles&) const = default;
    bool isEmpty() const { return *this == CorpusFiles{}; }
    /// Throws Error unless exactly one of the four is given, and of a kind that the model learns from.
    void check(const ModelConfig& config) const;
    /// Everything in the files (no task); lines of a text are targets without a source. Throws Error as readPairs(),
    /// and WorkStopped where `progress` says so.
    Corpus read(ReadingNotes* notes = nullptr, const WorkProgress& progress = {}) const;
    /// The table, the text, or the first of two files, and what that is read for; empty of a task.
    const std::string& first() const;
    SheetUse use() const;
    /// Files of another part, read the same way.
    CorpusFiles readAlike(CorpusFiles other) const;
    /// As the model file tells it: names, not folders of somebody's machine, and what is in the files (SHA-256).
    nlohmann::json description() const;
    /// Of pairs, source, target and text those that are set, by the keys of their settings.
    std::vector<std::pair<std::string, std::string>> named() const;
};

/// What cuts text into words for those who count them: WordTokenizer, or WhitespaceTokenizer where the text is cut
/// already; in lower case where `options` say so.
std::shared_ptr<const Tokenizer> wordSplitter(const TokenizerOptions& options);

/// Which pairs of a file are of use. Words are those of wordSplitter().
struct PairRules {
    int longest = 0;       ///< words of either side; 0: any number
    double mostRatio = 0;  ///< words of the longer side for one of the shorter; 0: any number

    bool operator==(const PairRules&) const = default;
    bool all() const { return longest == 0 && mostRatio == 0; }
    bool tooLong(int sourceWords, int targetWords) const;
    bool tooUnequal(int sourceWords, int targetWords) const;
    /// Throws Error for what is out of range.
    void validate() const;
};

/// What a model is to learn from, and as what tokens it reads it.
struct TrainingData {
    CorpusFiles files;
    TokenizerOptions tokenizer = {};
    PairRules rules = {};   ///< of files; a text has none
    SplitSizes sizes = {};  ///< of files
    /// Files of their own in the place of what is set aside of `files`, or of the task's part; empty: there are none.
    /// They name no task, and are read whole: `rules` are of what is learned from.
    CorpusFiles validation = {}, test = {};

    bool operator==(const TrainingData&) const = default;
    /// How a new model's words are learned: as `tokenizer` says, and of running text with line breaks.
    TokenizerOptions words() const;
    /// Throws Error unless all files are of a kind that the model learns from.
    void check(const ModelConfig& config) const;
    /// How many pairs of `files` are set aside. Where validation has files of its own nothing is, unless `sizes` say
    /// so.
    SplitSizes setAside() const;
    /// Everything in the files (no task) that the rules leave.
    Corpus read(ReadingNotes* notes = nullptr, const WorkProgress& progress = {}) const;
    /// The corpus in its parts; of files they are cut by `seed` (splitCorpus(), of a text splitText()).
    CorpusSplits splits(uint64_t seed, ReadingNotes* notes = nullptr, const WorkProgress& progress = {}) const;
};

}  // namespace headlight
