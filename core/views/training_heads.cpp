// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View trainingHeadsView = {
    .name = "training-heads",
    .title = HEADLIGHT_WORDS("Views", "Heads"),
    .question = HEADLIGHT_WORDS("Views", "When does each head take shape?"),
    .showsTraces = false,
};

}  // namespace headlight
