// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View trainingSettingsView = {
    .name = "training-settings",
    .title = HEADLIGHT_WORDS("Views", "Settings"),
    .question = HEADLIGHT_WORDS("Views", "How large is the model, and how is it trained?"),
    .showsTraces = false,
};

}  // namespace headlight
