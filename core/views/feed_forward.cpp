// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View feedForwardView = {
    .name = "feed-forward",
    .title = HEADLIGHT_WORDS("Views", "Feed-forward"),
    .question = HEADLIGHT_WORDS("Views", "Which units does a word switch on?"),
    .group = HEADLIGHT_WORDS("Views", "Model"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().recurrent() ? HEADLIGHT_WORDS("Views", "has no feed-forward network") : "";
    },
    .hides = [](const std::string&) { return true; },
    .panels = {"side"},
};

}  // namespace headlight
