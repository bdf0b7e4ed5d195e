// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Byte-pair encoding, merge by merge.
struct SubwordsOptions {
    std::string corpus = "small";  ///< that merges are learnt of: it, a task's name, or a file's path
    int merges = 0;                ///< that are done
    int mergesLearned = 0;         ///< at most; 0: as many as suits the text
    std::string cut;               ///< words that are cut with them, a space between two; empty: the corpus' own
    std::string ownText;           ///< in the place of the small corpus

    bool operator==(const SubwordsOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::edited("corpus"), o.corpus);
        visit(StageField::counted("merges", 0, 10000), o.merges);
        visit(StageField::edited("merges_learned", 0, 10000), o.mergesLearned);
        visit(StageField::edited("cut"), o.cut);
        visit(StageField::edited("own_text"), o.ownText);
    }
};

}  // namespace headlight
