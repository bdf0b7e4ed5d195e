// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"

namespace headlight {

/// Sentences that a model did not learn from, though they are of its text.
struct ModelText {
    Corpus sentences;
    QString missing = {};   ///< why there are none and how to bring them, in a sentence; empty: there are some
    QString lookedIn = {};  ///< the folder in which they are missing, in a sentence; empty: it is not known
};

/// The test sentences of the model's task; of files of the reader's own, which are found again, those that were kept
/// for the test, else for validation, some hundreds at most. Reads files: not for the thread that draws. What was read
/// last is kept.
ModelText textOfModel(const TrainedModel& model);

}  // namespace headlight
