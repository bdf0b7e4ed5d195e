// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"

namespace headlight {

/// The place in a corpus of a pair that stands for it: of ordinary length (both sides together near the median, and no
/// more than 16 tokens a side) and without a word that the model does not know. Among equals the first; the same on
/// every call. Looks at the first 2,000 pairs. Where each of them has an unknown word, one with the fewest.
///
/// Returns the corpus's size if nothing in it can be read.
std::size_t ordinaryPair(const Corpus& corpus, const TrainedModel& model);

/// What a model is given of a sentence to make something of it: all of the source; of a text the first words.
std::string beginningOf(const SentencePair& sentence, const TrainedModel& model);

}  // namespace headlight
