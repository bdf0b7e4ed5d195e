// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View positionsView = {
    .name = "positions",
    .title = HEADLIGHT_WORDS("Views", "Positions"),
    .question = HEADLIGHT_WORDS("Views", "How does the model know where a word is?"),
    .group = HEADLIGHT_WORDS("Views", "Attention"),
    .panels = {"controls", "table", "waves", "similarity", "word"},
};

}  // namespace headlight
