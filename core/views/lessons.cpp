// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View lessonsView = {
    .name = "lessons",
    .title = HEADLIGHT_WORDS("Views", "Lessons"),
    .question = HEADLIGHT_WORDS("Views", "Where do I begin, and where did I stop?"),
    .showsTraces = false,
};

}  // namespace headlight
