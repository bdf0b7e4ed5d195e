// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>
#include <QStringList>
#include <functional>

class QPainter;

namespace headlight {

struct Theme;

/// How the lines of one head are told from those of another: by a colour and, as colours that one can tell apart are
/// few, a pattern. Twenty marks differ; then they begin again.
QPen linePen(int mark, double width, double opacity, const Theme& theme);

/// How the line of a weight is drawn where there is one head: the heavier, the wider (up to `widest`) and the more
/// opaque. `on`: it is in question.
QPen weightPen(double weight, bool on, const Theme& theme, double widest = 5);

/// What a width stands for: a line for each of a few weights with its number, from `start` on, which is the middle of
/// its left edge. `penOf`: how a weight is drawn there.
void drawWeightKey(QPainter& painter, QPointF start, const std::function<QPen(double weight)>& penOf,
                   const Theme& theme);
double weightKeyWidth();

/// The marks from 0 on, each before its name, in lines as wide as the box; the height that they need is what comes
/// back. Nothing is drawn where there is no painter.
double drawMarks(QPainter* painter, const QRectF& box, const QStringList& names, const Theme& theme);

}  // namespace headlight
