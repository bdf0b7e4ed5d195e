// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View masksView = {
    .name = "masks",
    .title = HEADLIGHT_WORDS("Views", "Masks"),
    .question = HEADLIGHT_WORDS("Views", "Which words may be looked at?"),
    .group = HEADLIGHT_WORDS("Views", "Attention"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().recurrent() ? HEADLIGHT_WORDS("Views", "has no masks") : "";
    },
    .hides = [](const std::string&) { return true; },
    .panels = {"masks", "weights"},
};

}  // namespace headlight
