// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

const View embeddingsView = {
    .name = "embeddings",
    .title = HEADLIGHT_WORDS("Views", "Embeddings"),
    .question = HEADLIGHT_WORDS("Views", "Which words are alike to the model?"),
    .group = HEADLIGHT_WORDS("Views", "Words"),
    .showsTraces = false,
};

}  // namespace headlight
