// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Pieces of another reading put into this one.
struct SurgeryOptions {
    enum class Pieces { State, Sublayer, Head };

    /// The sentence that pieces are taken from; empty: the one that is read, where it is read otherwise, or one like
    /// it.
    std::string other;
    StageTexts without;  ///< heads that are off where it is read, as the stage's `mute`
    std::string reader;  ///< the model that reads it, as that of *Compare*; empty: the open one
    Pieces pieces = Pieces::State;
    /// Pieces that stand in the reading: `state:2:4`, the kind, its depth and the word, from 1; with a minus in front
    /// those that are switched off.
    StageTexts edits;

    bool operator==(const SurgeryOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::edited("surgery_other"), o.other);
        visit(StageField::edited("surgery_without"), o.without);
        visit(StageField::edited("surgery_read_by"), o.reader);
        visit(StageField{"surgery_pieces"}, o.pieces, StageWords{"state", "sublayer", "head"});
        visit(StageField::edited("surgery_edits"), o.edits);
    }
};

}  // namespace headlight
