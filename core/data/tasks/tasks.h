// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/corpus.h"

namespace headlight::builtin {

/// The corpora of the built-in tasks, one file each beside this one; tasks.cpp names and describes them.
CorpusSplits vietnameseEnglish();
CorpusSplits longVietnameseEnglish();
CorpusSplits frenchEnglish();
CorpusSplits spanishEnglish();
CorpusSplits reversal();
CorpusSplits copying();
CorpusSplits sorting();
CorpusSplits shifting();
CorpusSplits dates();
CorpusSplits chat();
CorpusSplits storyText();
CorpusSplits sentiment();

}  // namespace headlight::builtin
