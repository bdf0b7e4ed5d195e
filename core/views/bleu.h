// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// A translation counted against its references.
struct BleuOptions {
    int sentence = 0;       ///< of the task's test set, from 1; 0: the one that is read
    int ngram = 4;          ///< the longest that counts
    StageLines references;  ///< besides the task's own

    bool operator==(const BleuOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"test_sentence"}, o.sentence);
        visit(StageField::edited("ngram", 1, 4), o.ngram);
        visit(StageField::edited("references"), o.references);
    }
};

}  // namespace headlight
