// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View trainingView = {
    .name = "training",
    .title = HEADLIGHT_WORDS("Views", "Run"),
    .question = HEADLIGHT_WORDS("Views", "How does the loss fall as the model learns?"),
    .showsTraces = false,
    .panels = {"controls", "loss", "accuracy", "bleu", "learning-rate", "throughput", "gradient", "film", "rate",
               "summary"},
};

}  // namespace headlight
