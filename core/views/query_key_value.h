// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// One attention head worked by hand, of an example or of the model.
struct QueryKeyValueOptions {
    enum class Matrices { Example, Model };

    bool kinds = false;       ///< the four kinds of score side by side
    bool angle = false;       ///< the chosen score as an angle between its query and its key
    bool batch = false;       ///< a block's numbers in a batch of two sentences, cut into heads
    std::string batchSecond;  ///< the other sentence there; empty: the beginning of the first
    bool apart = false;       ///< each matrix on a card of its own, in the place of one equation
    Matrices matrices = Matrices::Example;
    bool scaled = true;
    double sharpness = 1;  ///< the temperature that scores are divided by before their softmax
    StageTexts numbers;    ///< changed by hand: `Q[1,2]=0.5`

    bool operator==(const QueryKeyValueOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"kinds"}, o.kinds, kOffOn);
        visit(StageField{"angle"}, o.angle, kOffOn);
        visit(StageField{"batch"}, o.batch, kOffOn);
        visit(StageField::edited("batch_second"), o.batchSecond);
        visit(StageField{"equation"}, o.apart, StageWords{"one", "apart"});
        visit(StageField{"matrices"}, o.matrices, StageWords{"example", "model"});
        visit(StageField::edited("scaled"), o.scaled, kOffOn);
        visit(StageField::edited("sharpness"), o.sharpness);
        visit(StageField::edited("numbers"), o.numbers);
    }
};

}  // namespace headlight
