// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View residualsView = {
    .name = "residuals",
    .title = HEADLIGHT_WORDS("Views", "Residuals"),
    .question = HEADLIGHT_WORDS("Views", "What does each sublayer add?"),
    .group = HEADLIGHT_WORDS("Views", "Model"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().recurrent() ? HEADLIGHT_WORDS("Views", "has no residual stream") : "";
    },
    .hides = [](const std::string&) { return true; },
    .panels = {"stream", "side"},
};

}  // namespace headlight
