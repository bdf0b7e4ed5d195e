// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace headlight {

struct Theme;

/// How the lines of one head are told from those of another: by a colour and, as colours that one can tell apart are
/// few, a pattern. Twenty marks differ; then they begin again.
QPen linePen(int mark, double width, double opacity, const Theme& theme);

/// The marks from 0 on, each before its name, in lines as wide as the box; the height that they need is what comes
/// back. Nothing is drawn where there is no painter.
double drawMarks(QPainter* painter, const QRectF& box, const QStringList& names, const Theme& theme);

}  // namespace headlight
