// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Which words may be looked at, in a batch of two sentences.
struct MasksOptions {
    enum class Masking { Add, Billion, Multiply, After };

    Masking masking = Masking::Add;
    StageStack stack = StageStack::Decoder;
    int padding = 1;     ///< pads behind the sentence
    std::string second;  ///< the other sentence of the batch; empty: the beginning of the first; `none`: there is none
    StageTexts cells;    ///< of the mask, turned over by hand: `1,3`

    bool operator==(const MasksOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::edited("masking"), o.masking, StageWords{"add", "billion", "multiply", "after"});
        visit(StageField{"stack"}, o.stack, kStacks);
        visit(StageField::edited("padding"), o.padding);
        visit(StageField::edited("second"), o.second);
        visit(StageField::edited("cells"), o.cells);
    }
};

}  // namespace headlight
