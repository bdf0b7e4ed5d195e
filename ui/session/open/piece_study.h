// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/io/trained_model.h"
#include "core/nn/intervention.h"
#include "core/trace/trace.h"

namespace headlight {

/// What is made otherwise in a reading, in pieces: heads, or numbers that are put in by hand.
struct PieceQuestion {
    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;  ///< the reading without any of them
    std::vector<Intervention> always;    ///< what stands in that reading already
    std::vector<std::vector<Intervention>> pieces;
    std::vector<int> chosen;  ///< of the pieces: those that the other reading has, all together
};

/// How many pieces it takes: at each row of the logits, what the word that is likeliest in the reading keeps of its
/// probability.
struct PieceStudy {
    std::vector<double> none, chosen, all;
    std::vector<std::vector<double>> alone;  ///< one a piece
    bool empty() const { return none.empty(); }
    /// The piece that takes most from that row when it is alone.
    int worst(size_t row) const;
};

/// One forward pass a piece, over the words of the trace, and two for them together; `wanted` is asked between them.
/// Empty for a model that says no words.
PieceStudy studyPieces(const PieceQuestion& question, const std::function<bool()>& wanted);

}  // namespace headlight
