// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View decodeView = {
    .name = "decode",
    .title = HEADLIGHT_WORDS("Views", "Decode"),
    .question = HEADLIGHT_WORDS("Views", "Which sentences does the search weigh against each other?"),
    .panels = {"controls", "hypotheses", "steps", "river", "next"},
};

}  // namespace headlight
