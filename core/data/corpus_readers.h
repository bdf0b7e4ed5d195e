// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/corpus.h"

namespace headlight {

/// Pairs from a Tatoeba-style TSV: `source TAB target [TAB anything]` a line. Byte order mark, CRLF, blank lines and a
/// missing last newline are taken in stride; text comes out in NFC. Throws Error with file and line for a line without
/// a tab, an empty side, invalid UTF-8 or a NUL byte, and for a file that is missing, empty, or longer than 2 GiB.
Corpus readPairs(const std::string& path);

/// Pairs from two files, a sentence a line; throws as readPairs(), and where the numbers of lines differ (both named).
/// A pair of which either side is blank is refused with its line.
Corpus readParallelText(const std::string& sourcePath, const std::string& targetPath);

/// Lines of a text file, blank ones kept, under the same rules.
std::vector<std::string> readLines(const std::string& path);

/// Cuts a corpus that has no parts of its own: every pair whose source stood before is dropped to keep the parts apart,
/// then validation and test take 1/20 each (at most 2,000, at least 1 where there are 3 pairs), chosen by `seed`.
CorpusSplits splitCorpus(Corpus corpus, unsigned seed);

/// Cuts a text in its order: the last twentieth is for the test, the one before for validation (each at least one
/// sentence where there are 3). Blank lines are dropped.
CorpusSplits splitText(Corpus text);

}  // namespace headlight
