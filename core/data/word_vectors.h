// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/trained_model.h"
#include "core/work_progress.h"

namespace headlight {

/// Files of vectors that words start with, one a side, "" for none (the `train` options --source-embeddings and
/// --target-embeddings): word2vec's text format, `word x₁ … x_D` a line, with or without a first line `N D`.
struct VectorFiles {
    std::string source = {}, target = {};

    bool operator==(const VectorFiles&) const = default;
    /// Throws Error where a model of these settings has no such words: before a corpus is read.
    void check(const ModelConfig& config) const;
};

/// How many words of a vocabulary have a vector in a file.
struct VectorsFound {
    long found = 0;
    long words = 0;  ///< special tokens left out
};
struct SidesFound {
    VectorsFound source = {}, target = {};
};

/// Gives the words of a model that is to be trained the vectors of the files, as they stand there; the others keep
/// theirs. Words are compared letter by letter, and a word that stands twice has its first vector. Throws Error with
/// file and line for what is no such file, for vectors of another width than the model's, and where no word of the
/// vocabulary is found; WorkStopped where `progress` says so.
SidesFound startWith(const VectorFiles& files, TrainedModel& model, const WorkProgress& progress = {});

}  // namespace headlight
