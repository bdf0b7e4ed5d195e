// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// What each sublayer adds to the stream, and its norm.
struct ResidualsOptions {
    StageStack stack = StageStack::Decoder;
    int depth = 1;   ///< the sublayer of that stack, from the first
    int word = 1;    ///< whose row is added and normalised
    int number = 1;  ///< of the row, that is followed

    bool operator==(const ResidualsOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"residual_stack"}, o.stack, kStacks);
        visit(StageField::counted("residual_depth"), o.depth);
        visit(StageField::counted("residual_word"), o.word);
        visit(StageField::counted("residual_number"), o.number);
    }
};

}  // namespace headlight
