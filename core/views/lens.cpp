// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View lensView = {
    .name = "lens",
    .title = HEADLIGHT_WORDS("Views", "Lens"),
    .question = HEADLIGHT_WORDS("Views", "What would the model say if it stopped early?"),
    .group = HEADLIGHT_WORDS("Views", "Questions"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        const ModelConfig& config = model.network->config();
        return config.recurrent() || !config.saysWords()
                   ? HEADLIGHT_WORDS("Views", "has no layers that could say a word before the last")
                   : "";
    },
};

}  // namespace headlight
