// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// Words as points.
struct EmbeddingsOptions {
    enum class Side { Source, Target, Positions };

    Side side = Side::Source;
    std::string nearest;  ///< the word whose neighbours are listed

    bool operator==(const EmbeddingsOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"embedding"}, o.side, StageWords{"source", "target", "positions"});
        visit(StageField{"nearest"}, o.nearest);
    }
};

}  // namespace headlight
