// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View costView = {
    .name = "cost",
    .title = HEADLIGHT_WORDS("Views", "Cost"),
    .question = HEADLIGHT_WORDS("Views", "What does each kind of layer cost?"),
    .showsTraces = false,
    .panels = {"controls", "ways", "growth", "parameters"},
};

}  // namespace headlight
