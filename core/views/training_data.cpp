// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View trainingDataView = {
    .name = "training-data",
    .title = HEADLIGHT_WORDS("Views", "Data"),
    .question = HEADLIGHT_WORDS("Views", "Which sentences does the model learn from?"),
    .showsTraces = false,
};

}  // namespace headlight
