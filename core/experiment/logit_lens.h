// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// What a layer would say if it were the last.
struct LensRow {
    std::string scope;            ///< `layers.0`, `decoder.layers.1`; `logits`: what the model says in the end
    std::vector<float> logProbs;  ///< of every word, at the last position
};

/// Reads the generator (and, where the model has one, the final norm) into the output of every layer that feeds it, at
/// the last position of a trace: the logit lens (nostalgebraist 2020). The last row is the model's own answer. Throws
/// Error for models without layers to read: recurrent ones and classifiers.
std::vector<LensRow> logitLens(const TrainedModel& model, const Trace& trace);

}  // namespace headlight
