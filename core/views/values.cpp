// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View valuesView = {
    .name = "values",
    .title = HEADLIGHT_WORDS("Views", "Values"),
    .question = HEADLIGHT_WORDS("Views", "Which numbers are in each tensor, and where do they come from?"),
    .group = HEADLIGHT_WORDS("Views", "Model"),
    .hides = [](const std::string&) { return true; },
    .panels = {"list", "side"},
};

}  // namespace headlight
