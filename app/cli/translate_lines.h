// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/data/translate.h"

namespace headlight::cli {

/// What a line of a text became.
struct TranslatedLine {
    long number = 0;          ///< from 1
    Translation translation;  ///< without hypotheses where the line is blank, or was refused
    std::string refused;      ///< why it could not be read; empty where it could
};

/// What became of a whole text.
struct TranslatedLines {
    long lines = 0, refused = 0;
    long unknownWords = 0;              ///< read as <unk>
    std::vector<std::string> refusals;  ///< the first ten: "line 3 of FILE: it has 300 tokens, …"
};

/// Translates a text line by line on all processors, in memory that does not grow with it: some thousand lines are
/// read, translated together (sentences of like length in a batch), handed to `tell` in their order, and forgotten. A
/// line that cannot be read (not UTF-8, longer than the model allows) is told and left out; the others go on. `name`:
/// what the text is called.
TranslatedLines translateLines(const TrainedModel& model, const BeamOptions& options, std::streambuf& text,
                               const std::string& name, const std::function<void(const TranslatedLine&)>& tell);

}  // namespace headlight::cli
