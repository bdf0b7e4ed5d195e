// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// The units of a feed-forward network.
struct FeedForwardOptions {
    enum class Activation { Own, Relu, Gelu };

    StageStack stack = StageStack::Decoder;
    int layer = 1, word = 1, unit = 1;
    UnitOrder order = UnitOrder::Stored;
    Activation activation = Activation::Own;  ///< that the sums of the units are drawn with
    bool muted = false;                       ///< the chosen unit's, in the probabilities beside it

    bool operator==(const FeedForwardOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"unit_stack"}, o.stack, kStacks);
        visit(StageField::counted("unit_layer"), o.layer);
        visit(StageField::counted("unit_word"), o.word);
        visit(StageField::counted("unit"), o.unit);
        visit(StageField{"unit_order"}, o.order, kUnitOrders);
        visit(StageField{"activation"}, o.activation, StageWords{"own", "relu", "gelu"});
        visit(StageField::edited("unit_muted"), o.muted, kOffOn);
    }
};

}  // namespace headlight
