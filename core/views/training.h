// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// A training run, that the seven views of *Train* show.
struct TrainingOptions {
    std::string task = "vi-en";
    int seed = 42;
    StageTexts settings;  ///< where they are not as at first: `d_model=32`
    int train = 0;        ///< the step at which the run rests; 0: it is not trained
    int frame = 0;        ///< of the film, by its step; 0: the newest
    std::string film;     ///< the head of the run that it shows, as one of `mute`; empty: the first of the last block
    std::string learnt;   ///< what is dated: `role` of that head, or a word of what is written, from 1; empty: nothing

    bool operator==(const TrainingOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"task"}, o.task);
        visit(StageField{"seed"}, o.seed);
        visit(StageField{"settings"}, o.settings);
        visit(StageField::once("train"), o.train);
        visit(StageField::once("frame"), o.frame);
        visit(StageField{"film"}, o.film);
        visit(StageField{"learnt"}, o.learnt);
    }
};

}  // namespace headlight
