// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Two models, or two settings of one.
struct CompareOptions {
    enum class With { Model, Heads, Positions, Sentence, Changes };

    With with = With::Model;
    std::string against;      ///< the other model: a shipped one's name or a file's path
    std::string againstHash;  ///< of its bytes, as the stage's modelHash
    StageTexts without;       ///< heads that the other side lacks
    std::string beside;       ///< the sentence that the other side reads
    /// Values that the other side has otherwise, as HandChange writes them:
    /// `encoder.layers.0.self_attn.weights[1,3,2]=0`.
    StageTexts changes;

    bool operator==(const CompareOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"with"}, o.with, StageWords{"model", "heads", "positions", "sentence", "changes"});
        visit(StageField{"against"}, o.against);
        visit(StageField{"against_hash"}, o.againstHash);
        visit(StageField::edited("without"), o.without);
        visit(StageField::edited("beside"), o.beside);
        visit(StageField::edited("changes"), o.changes);
    }
};

}  // namespace headlight
