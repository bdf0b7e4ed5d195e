// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View attentionView = {
    .name = "attention",
    .title = HEADLIGHT_WORDS("Views", "Heads"),
    .question = HEADLIGHT_WORDS("Views", "What does each head look at?"),
    .group = HEADLIGHT_WORDS("Views", "Attention"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->attentionBlocks().empty() ? HEADLIGHT_WORDS("Views", "has no attention") : "";
    },
    .hides = [](const std::string&) { return true; },
    .panels = {"heads", "matrix", "lines"},
};

}  // namespace headlight
