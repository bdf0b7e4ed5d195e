// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

class Settling;

/// What has options that belong to the state of the stage, and numbers that a lesson points at or hides.
class Staged {
public:
    virtual ~Staged() = default;
    /// Sets its options to what the state says, the edits by hand as well. Emits nothing.
    virtual void showOptions(const StageState& state) = 0;
    /// Writes them into the state; what belongs to other views stays as it is.
    virtual void tellOptions(StageState& state) const = 0;

    /// Lights a number of a matrix that it alone has (a worked example, a table of positions) as if the pointer were on
    /// it, or looks at it as after a click; null: lights none any more. False where there is no such number here, or
    /// another one than `value`.
    enum class Look { Light, Choose };
    virtual bool lookAt(const NumberName* /*number*/, double /*value*/, Look /*look*/) { return false; }

    /// Numbers and rows of them that a lesson has the reader predict: hatched in every picture here, and told nowhere;
    /// none: all are shown. Which a view can hide is said by View::hides().
    virtual void setVeil(const std::vector<NumberName>& /*veiled*/) {}
};

/// What every view is: shown a state of the stage, it paints it; touched, it says so. What is true of it apart from its
/// painting is its View (core/views).
class ViewWidget : public QWidget, public Staged {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Work that it does in the background is told of there.
    virtual void setSettling(Settling* /*settling*/) {}

signals:
    /// The reader changed one of its options.
    void optionsChanged();
    /// Without a model it has nothing to show, and the reader wants to open one.
    void openModelRequested();
};

/// The same number, though computed another time.
inline bool isSameNumber(double left, double right) {
    return left == right || std::abs(left - right) <= 1e-6 * std::max(std::abs(left), std::abs(right));
}

/// Is that number, or its row, among those?
inline bool isAmong(const std::vector<NumberName>& veiled, const NumberName& number) {
    return std::ranges::any_of(veiled, [&](const NumberName& part) { return isPartOf(number, part); });
}

/// Is that row among them, or a number of it?
inline bool hasRowAmong(const std::vector<NumberName>& veiled, const NumberName& row) {
    return std::ranges::any_of(veiled,
                               [&](const NumberName& part) { return isPartOf(row, part) || isPartOf(part, row); });
}

}  // namespace headlight
