// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View whyView = {
    .name = "why",
    .title = HEADLIGHT_WORDS("Views", "Why"),
    .question = HEADLIGHT_WORDS("Views", "Why this word, and not another?"),
    .group = HEADLIGHT_WORDS("Views", "Questions"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().headless() ? HEADLIGHT_WORDS("Views", "has no head that says words") : "";
    },
    .panels = {"question", "held"},
};

}  // namespace headlight
