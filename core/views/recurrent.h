// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// A recurrent network, unrolled over its sentence.
struct RecurrentOptions {
    StageTexts measured;  ///< models of which it is measured how they fare as sentences grow

    bool operator==(const RecurrentOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"measured"}, o.measured);
    }
};

}  // namespace headlight
