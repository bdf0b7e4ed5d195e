// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View surgeryView = {
    .name = "surgery",
    .title = HEADLIGHT_WORDS("Views", "Surgery"),
    .question = HEADLIGHT_WORDS("Views", "What changes if a piece of another reading is put in?"),
    .group = HEADLIGHT_WORDS("Views", "Questions"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().headless() ? HEADLIGHT_WORDS("Views", "has no head that says words") : "";
    },
    .panels = {"controls", "side"},
};

}  // namespace headlight
