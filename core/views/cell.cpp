// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View recurrentCellView = {
    .name = "cell",
    .title = HEADLIGHT_WORDS("Views", "Cell"),
    .question = HEADLIGHT_WORDS("Views", "What does a recurrent cell keep, and what does it forget?"),
    .group = HEADLIGHT_WORDS("Views", "Model"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().recurrent() ? "" : HEADLIGHT_WORDS("Views", "is not recurrent");
    },
    .sides = {StageSide::Auto, StageSide::Gradient, StageSide::None},
    .panels = {"story", "side"},
};

}  // namespace headlight
