// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// The figures of a view that can be shown alone: its cards, pictures that are no cards, and the matrices in them. None
/// where there is only one, which is all that the view has.
std::vector<QWidget*> figuresOf(const QWidget& view);

/// Is a cell of a matrix in it kept? What is kept in a view is what its words speak of.
bool hasKeptCell(const QWidget& figure, const QWidget& view);

/// Of a view, what takes most of it.
inline constexpr double kMostOfView = .4;
/// The figure in which a cell is kept, so that words speak of it; else the largest one, where it takes that part of the
/// view; null: none of them does.
QWidget* figureThatMatters(const QWidget& view, double part = kMostOfView);

}  // namespace headlight
