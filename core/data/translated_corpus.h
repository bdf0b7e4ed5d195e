// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/evaluation.h"

namespace headlight {

/// What a model writes for the sentences of a corpus. Of those that it can read, in their order.
struct TranslatedCorpus {
    std::vector<Example> pairs;       ///< as the model reads them
    std::vector<size_t> kept;         ///< for each its place in the corpus
    std::vector<Hypothesis> written;  ///< with <eos> where it was reached
    std::vector<std::string> texts;   ///< the same as text
    long skipped = 0;                 ///< too long for the model
};
/// Greedily unless the options ask for a beam. Tells `progress` after every few sentences; throws WorkStopped where it
/// says no, and Error for a model that does not translate.
TranslatedCorpus translateCorpus(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options = {},
                                 const WorkProgress& progress = {});

}  // namespace headlight
