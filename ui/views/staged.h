// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <cmath>

#include "core/lessons/lesson.h"

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

    /// Lights a number of a matrix that this view alone has (a worked example, a table of positions) as if the pointer
    /// were on it, or looks at it as after a click; null: lights none any more. False where there is no such number
    /// here, or another one than `value`.
    enum class Look { Light, Choose };
    virtual bool lookAt(const NumberName* number, double value, Look look) {
        Q_UNUSED(number)
        Q_UNUSED(value)
        Q_UNUSED(look)
        return false;
    }
};

/// The same number, though computed another time.
inline bool isSameNumber(double left, double right) {
    return left == right || std::abs(left - right) <= 1e-6 * std::max(std::abs(left), std::abs(right));
}

}  // namespace headlight
