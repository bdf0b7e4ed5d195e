// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View compareView = {
    .name = "compare",
    .title = HEADLIGHT_WORDS("Views", "Compare"),
    .question = HEADLIGHT_WORDS("Views", "Where do two models, or two settings, part?"),
    .panels = {"side", "map", "matrices"},
};

}  // namespace headlight
