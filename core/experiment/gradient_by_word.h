// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// How far a written word's gradient reaches back: ‖∂ log p / ∂ x_t‖ of every word x_t that was read on the way to it.
struct GradientByWord {
    std::vector<double> source;  ///< of each source word; empty for a language model
    std::vector<double> target;  ///< of each word that the decoder, or the language model, had read by then
};

/// Backpropagation through time from the likeliest word of a step to the embeddings of all words before it (Bengio,
/// Simard, Frasconi 1994; Pascanu, Mikolov, Bengio 2013): a plain network's gradient shrinks with the distance, an
/// LSTM's less, and attention is a short cut. `step` is a row of the trace's `logits`. Throws Error for a model that is
/// not recurrent.
GradientByWord gradientByWord(const TrainedModel& model, const Trace& trace, int step);

}  // namespace headlight
