// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// What each word of the target costs.
struct LossOptions {
    int word = 1;            ///< of the target, that is opened
    double smoothing = 0.1;  ///< ε of label smoothing
    int descended = 0;       ///< steps that the opened word's logits have gone down their gradient

    bool operator==(const LossOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::counted("loss_word"), o.word);
        visit(StageField::edited("smoothing"), o.smoothing);
        visit(StageField::edited("descended", 0, 1000), o.descended);
    }
};

}  // namespace headlight
