// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View subwordsView = {
    .name = "subwords",
    .title = HEADLIGHT_WORDS("Views", "Subwords"),
    .question = HEADLIGHT_WORDS("Views", "How are words cut into pieces?"),
    .group = HEADLIGHT_WORDS("Views", "Words"),
    .panels = {"controls", "text", "pairs", "cut", "merges", "steps", "side"},
};

}  // namespace headlight
