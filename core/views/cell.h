// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// One step of a recurrent cell.
struct CellOptions {
    int unit = 1;  ///< that is followed through the cell
    int word = 0;  ///< at which; 0: the last
    UnitOrder units = UnitOrder::Stored;
    double gain = 1;  ///< by which the recurrent weights are multiplied where their gradient is followed

    bool operator==(const CellOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::counted("cell_unit"), o.unit);
        visit(StageField{"cell_word"}, o.word);
        visit(StageField{"cell_units"}, o.units, kUnitOrders);
        visit(StageField::edited("recurrent_gain"), o.gain);
    }
};

}  // namespace headlight
