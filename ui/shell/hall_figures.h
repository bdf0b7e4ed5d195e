// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// The figures of a view that can be shown alone: its cards, or where it has none its pictures, and the matrices in
/// them. None where there is only one, which is all that the view has.
std::vector<QWidget*> figuresOf(const QWidget& view);

/// The figure in which a cell is kept, so that words speak of it; else the one that takes most of the view; null: none
/// of them does.
QWidget* figureThatMatters(const QWidget& view);

}  // namespace headlight
