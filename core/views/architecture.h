// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// How deep the model is opened.
struct ArchitectureOptions {
    enum class Level { Model, Layer, Block, Operation };
    Level level = Level::Block;

    bool operator==(const ArchitectureOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"level"}, o.level, StageWords{"model", "layer", "block", "operation"});
    }
};

}  // namespace headlight
