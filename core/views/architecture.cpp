// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View architectureView = {
    .name = "architecture",
    .title = HEADLIGHT_WORDS("Views", "Architecture"),
    .question = HEADLIGHT_WORDS("Views", "What does the model do to a word, step by step?"),
    .group = HEADLIGHT_WORDS("Views", "Model"),
    .hides = [](const std::string&) { return true; },
    .panels = {"side"},
};

}  // namespace headlight
