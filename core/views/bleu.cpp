// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View bleuView = {
    .name = "bleu",
    .title = HEADLIGHT_WORDS("Views", "BLEU"),
    .question = HEADLIGHT_WORDS("Views", "How close is a translation to its references?"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        return model.network->config().encoderDecoder() ? "" : HEADLIGHT_WORDS("Views", "does not translate");
    },
    .panels = {"controls", "pieces", "test", "side"},
};

}  // namespace headlight
