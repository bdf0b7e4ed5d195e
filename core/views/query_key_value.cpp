// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View queryKeyValueView = {
    .name = "query-key-value",
    .title = HEADLIGHT_WORDS("Views", "Q K V"),
    .question = HEADLIGHT_WORDS("Views", "How does one head come by its weights?"),
    .group = HEADLIGHT_WORDS("Views", "Attention"),
    .hides = [](const std::string&) { return true; },
    .panels = {"controls", "steps"},
};

}  // namespace headlight
