// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Why one word was written and not another.
struct WhyOptions {
    /// The difference of two logits, or what each word that was read has to do with the one that is written: the
    /// method whose matrix is shown, AttributionMethod's in their order.
    enum class Method { Difference, Gradient, Integrated, Occlusion, Attention, Values };

    int row = 0;                ///< of what is written; 0: where the model came closest to writing something else
    std::string word, against;  ///< empty: the likeliest, and the likeliest of the others
    /// The bars that are opened, one in each column, from 1: `6`, or `6s` for the score behind a weight; none: the
    /// largest reading; `0`: no bar.
    StageTexts opened;
    Method method = Method::Difference;

    bool operator==(const WhyOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"why_row"}, o.row);
        visit(StageField{"why_word"}, o.word);
        visit(StageField{"why_against"}, o.against);
        visit(StageField{"why_opened"}, o.opened);
        visit(StageField{"why_method"}, o.method,
              StageWords{"difference", "gradient", "integrated", "occlusion", "attention", "values"});
    }
};

}  // namespace headlight
