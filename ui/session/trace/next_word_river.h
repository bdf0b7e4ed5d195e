// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// What may come next at one place: the words that count, with their probabilities, and what all others have together.
/// Probabilities are over the whole vocabulary, special tokens among them, so that they and the rest add up to 1.
struct RiverPlace {
    QString title, more;
    struct Word {
        int id = 0;
        double probability = 0;
    };
    std::vector<Word> words;
    double rest = 0;
    int restWords = 0;
};

/// The probabilities that each depth of the stack gives behind one position, were it the last (logit lens); the last
/// is the model's own answer. Every place has the same words in the same order: those that are likely anywhere. Of up
/// to three layers every sublayer is a place, of more each layer. Throws Error for models that LogitLens refuses.
/// `isWanted`: asked between depths; where it says no, what is there is handed back.
std::vector<RiverPlace> riverThroughDepth(const TrainedModel& model, const Trace& trace, int position,
                                          const std::function<bool()>& isWanted);

/// The model's own probabilities behind every position of what it reads or writes; each place with its likeliest words
/// and the one that the text has there, which comes first.
std::vector<RiverPlace> riverAlongText(const TrainedModel& model, const Trace& trace);

/// Ids that the model read or was fed, one a position of its logits.
std::vector<int> positionIds(const Trace& trace);
/// The word of each place of riverAlongText() that the text goes on with; of the last the model's likeliest.
std::vector<int> takenWords(const Trace& trace);

}  // namespace headlight
