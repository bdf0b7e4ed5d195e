// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View forcingView = {
    .name = "forcing",
    .title = HEADLIGHT_WORDS("Views", "Free running"),
    .question = HEADLIGHT_WORDS("Views", "What if the model reads its own words in place of the truth?"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().encoderDecoder() ? "" : HEADLIGHT_WORDS("Views", "does not translate");
    },
    .sides = {StageSide::Auto, StageSide::Places, StageSide::Runs},
    .panels = {"places", "runs", "side"},
};

}  // namespace headlight
