// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// What the model would say if it stopped early.
struct LensOptions {
    enum class Rows { Sublayer, Layer };

    Rows rows = Rows::Sublayer;
    StageCell cell;  ///< its row counts every sublayer, the embedding being 1; its column is the position

    bool operator==(const LensOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"lens_rows"}, o.rows, StageWords{"sublayer", "layer"});
        visit(StageField{"lens_cell"}, o.cell);
    }
};

}  // namespace headlight
