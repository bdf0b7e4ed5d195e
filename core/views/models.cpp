// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View modelsView = {
    .name = "models",
    .title = HEADLIGHT_WORDS("Views", "Models"),
    .question = HEADLIGHT_WORDS("Views", "Which models can be opened?"),
    .showsTraces = false,
};

}  // namespace headlight
