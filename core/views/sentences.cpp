// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View sentencesView = {
    .name = "sentences",
    .title = HEADLIGHT_WORDS("Views", "Sentences"),
    .question = HEADLIGHT_WORDS("Views", "What does the model write by now?"),
    .showsTraces = false,
};

}  // namespace headlight
