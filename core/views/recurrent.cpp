// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View recurrentView = {
    .name = "recurrent",
    .title = HEADLIGHT_WORDS("Views", "Recurrent"),
    .question = HEADLIGHT_WORDS("Views", "How does a recurrent network read a sentence?"),
    .group = HEADLIGHT_WORDS("Views", "Model"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().recurrent() ? "" : HEADLIGHT_WORDS("Views", "is not recurrent");
    },
    .hides = [](const std::string& value) { return value == "decoder.attention.weights"; },
    .sides = {StageSide::Auto, StageSide::Alignment, StageSide::Gradient, StageSide::Length, StageSide::None},
    .panels = {"values", "side"},
};

}  // namespace headlight
