// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data/corpus.h"
#include "core/data/file_layout.h"
#include "core/data/text_reading.h"
#include "core/work_progress.h"

namespace headlight {

/// How text files are read. A file may be gzipped (core/io/text_file.h).
struct ReadingOptions {
    bool undoEntities = false;              ///< core/text/entities.h
    TextReading text = TextReading::Lines;  ///< how the lines of a text hang together
    LayoutChoice layout = {};               ///< what of the files' layout is not seen from them
    std::string alignments = {};            ///< a file with the pairs' gold alignments: readAlignment(), a line a pair
    WorkProgress progress = {};             ///< asked now and then; where it says no, WorkStopped is thrown
};

/// What is to be told of files that were read.
struct ReadingNotes {
    long halfPairs = 0;              ///< left out because one of their sides is blank: real files have some
    std::string firstHalfPair = {};  ///< "FILE, line 3", of the blank side
    long repeated = 0;               ///< stood there before; of running text none are counted
    std::string firstRepeated = {};  ///< "FILE, line 8"
    long entities = 0;               ///< undone
};

/// Pairs from a table: `source TAB target [TAB anything]` a line, CSV, or JSON lines, as layoutOf() finds it. Byte
/// order mark, CRLF, blank lines and a missing last newline are taken in stride; text comes out in NFC. Throws Error
/// with file and line for a row without both columns, for bytes that are not in the file's encoding and for a NUL byte,
/// and for a file that is missing, longer than 2 GiB, or has no whole pair.
Corpus readPairs(const std::string& path, const ReadingOptions& options = {}, ReadingNotes* notes = nullptr);

/// Pairs from two files, a sentence a line; throws as readPairs(), and where the numbers of lines differ (both named).
Corpus readParallelText(const std::string& sourcePath, const std::string& targetPath,
                        const ReadingOptions& options = {}, ReadingNotes* notes = nullptr);

/// The lines of a text as targets without a source: blank ones kept where each is a sentence, otherwise as TextLines.
Corpus readText(const std::string& path, const ReadingOptions& options = {}, ReadingNotes* notes = nullptr);

/// Lines of a text file, blank ones kept, under the same rules.
std::vector<std::string> readLines(const std::string& path);

/// One line in the Pharaoh format: `0-0 1-2`, source word and target word, counted from 0 as split at spaces. What
/// comes back is sorted, no entry twice. Throws Error, which says what is wrong with it, for what is not such a list.
std::vector<std::pair<int, int>> readAlignment(std::string_view line);

/// What a pair, or a line of a text, is for.
enum class CorpusPart : unsigned char { Training, Validation, Test };

/// How many are set aside; negative: a twentieth each (of different sources at most 2,000, at least 1 of 3).
struct SplitSizes {
    long validation = -1, test = -1;
    bool operator==(const SplitSizes&) const = default;
};

/// Deals out pairs; `sources` is the number of each pair's source, from 0. Which sources are set aside is chosen by
/// `seed`. All translations of a source go to one part, so a part may be larger than asked for by a few pairs.
std::vector<CorpusPart> dealtParts(const std::vector<std::size_t>& sources, unsigned seed, SplitSizes sizes = {});
/// Deals out the lines of a text, which are not blank: the last are for the test, those before for validation.
std::vector<CorpusPart> textParts(std::size_t count, SplitSizes sizes = {});

/// Cuts a corpus that has no parts of its own, as dealtParts().
CorpusSplits splitCorpus(Corpus corpus, unsigned seed, SplitSizes sizes = {});

/// Cuts a text in its order, as textParts(). Blank lines are dropped.
CorpusSplits splitText(Corpus text, SplitSizes sizes = {});

}  // namespace headlight
