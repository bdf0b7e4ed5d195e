// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View weightsView = {
    .name = "weights",
    .title = HEADLIGHT_WORDS("Views", "Weights"),
    .question = HEADLIGHT_WORDS("Views", "How do the weights change?"),
    .showsTraces = false,
};

}  // namespace headlight
