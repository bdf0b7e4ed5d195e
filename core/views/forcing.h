// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Teacher forcing beside free running.
struct ForcingOptions {
    int word = 1;      ///< that is looked at of the two ways of decoding
    StageTexts truth;  ///< places, from 1, at which the free one is handed the truth

    bool operator==(const ForcingOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::counted("forced_word"), o.word);
        visit(StageField::edited("truth"), o.truth);
    }
};

}  // namespace headlight
