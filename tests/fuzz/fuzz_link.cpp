// SPDX-License-Identifier: GPL-3.0-or-later
// A `headlight:` link, as a browser or a mail hands it over.
#include "core/lessons/stage_state.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::reads([&] {
        const StageState state = stageFromLink(std::string(reinterpret_cast<const char*>(data), size));
        fuzz::require(stageFromLink(linkTo(state)) == state, "a state survives its link");
        fuzz::require(stageFrom(settingOf(state)) == state, "a state survives its keys");
    });
    return 0;
}
