// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View runsView = {
    .name = "runs",
    .title = HEADLIGHT_WORDS("Views", "Runs"),
    .question = HEADLIGHT_WORDS("Views", "Which of the runs went best?"),
    .showsTraces = false,
};

}  // namespace headlight
