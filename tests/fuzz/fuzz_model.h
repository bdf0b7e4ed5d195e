// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/data/translate.h"
#include "tests/fuzz/fuzz.h"

namespace headlight::fuzz {

/// Has a model that opened read and write. It may refuse a text (too long for it, words that it does not know).
inline void use(const TrainedModel& model, const std::string& source, const std::string& target) {
    const bool two = model.network->config().encoderDecoder();
    reads([&] { traceSentence(model, source, two ? std::optional(target) : std::nullopt); });
    reads([&] { respond(model, source); });
}

}  // namespace headlight::fuzz
