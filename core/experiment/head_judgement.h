// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "core/experiment/head_habits.h"
#include "core/io/trained_model.h"
#include "core/nn/intervention.h"

namespace headlight {

/// A sentence in which a head does as its habit says.
struct HeadExample {
    std::string text;
    std::string looks, lookedAt;  ///< tokens at the cell; of a row that writes, the word that it writes
    int row = 0, column = 0;      ///< from 0: the heaviest cell of the habit
    double share = 0;             ///< of the habit in this sentence
};

/// What a head is found to do over many sentences.
struct JudgedHead {
    MutedHead head;
    HeadFacts facts;
    std::vector<HeadExample> examples;  ///< up to three, the highest share first; of a head without a habit none
};

struct HeadJudgement {
    std::vector<JudgedHead> heads;  ///< every head of every attention block, in the order of computation
    long sentences = 0;
    long skipped = 0;  ///< that the model cannot read: too long, or of words that it does not know
};

/// Reads each sentence (a translation under teacher forcing, its alignment as gold links where the tokens are the words
/// that it counts) and adds up what each head does in all of them. `progress` is called after each sentence with the
/// share done; where it says false the rest is left out. Throws Error for a model without heads and where there is no
/// sentence that it can read.
HeadJudgement judgeHeads(const TrainedModel& model, const Corpus& corpus, FirstWord first = FirstWord::Kept,
                         const std::function<bool(double)>& progress = {});

}  // namespace headlight
