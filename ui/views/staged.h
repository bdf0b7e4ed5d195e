// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/stage_state.h"

namespace headlight {

/// A view with options of its own, which belong to the state of the stage. It has a signal optionsChanged() besides,
/// for whatever the reader does with them.
class Staged {
public:
    virtual ~Staged() = default;
    /// Sets this view's options to what the state says, the edits by hand as well. Emits nothing.
    virtual void showOptions(const StageState& state) = 0;
    /// Writes them into the state; what belongs to other views stays as it is.
    virtual void tellOptions(StageState& state) const = 0;
};

}  // namespace headlight
