// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/data/evaluation.h"

namespace headlight {

/// What becomes of a model without one of its heads.
struct HeadWorth {
    MutedHead head;
    Evaluation evaluation;  ///< with the head muted
};

struct HeadAblation {
    Evaluation whole;              ///< nothing muted
    std::vector<HeadWorth> heads;  ///< every head of every attention block, in the order of computation
};

/// Mutes each head in turn and measures what is lost (Michel, Levy, Neubig 2019, section 3). `progress` is called after
/// each evaluation with the share done; where it says false the rest is left out.
HeadAblation ablateHeads(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options = {},
                         const std::function<bool(double)>& progress = {});

}  // namespace headlight
