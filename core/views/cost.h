// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// What layers cost, and where parameters are.
struct CostOptions {
    enum class Model { Open, Lstm };

    int words = 50, width = 512, kernel = 3;
    bool dilated = true;        ///< the convolution whose way is drawn
    Model model = Model::Open;  ///< whose parameters are counted
    int source = 16055, target = 36256, embedding = 200, hidden = 256, biases = 1;  ///< of the LSTM

    bool operator==(const CostOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::edited("cost_words", 1), o.words);
        visit(StageField::edited("cost_width", 1), o.width);
        visit(StageField::edited("cost_kernel", 1), o.kernel);
        visit(StageField{"cost_layers"}, o.dilated, StageWords{"plain", "dilated"});
        visit(StageField{"cost_model"}, o.model, StageWords{"open", "lstm"});
        visit(StageField::edited("cost_source", 1), o.source);
        visit(StageField::edited("cost_target", 1), o.target);
        visit(StageField::edited("cost_embedding", 1), o.embedding);
        visit(StageField::edited("cost_hidden", 1), o.hidden);
        visit(StageField::edited("cost_biases", 1), o.biases);
    }
};

}  // namespace headlight
