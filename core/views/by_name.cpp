// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/by_name.h"

#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View byNameView = {
    .name = "by-name",
    .title = HEADLIGHT_WORDS("Views", "By name"),
    .question = HEADLIGHT_WORDS("Views", "Which model of the world's do you want to open?"),
    .showsTraces = false,
};

}  // namespace headlight
