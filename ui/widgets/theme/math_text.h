// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>

#include "ui/widgets/theme/paint.h"

class QPainter;

namespace headlight::paint {

/// A short formula in a line, set as the field does: letters italic, words of several letters (tanh), digits and signs
/// upright; `*x*` is a vector, bold and upright; `_{…}` is a subscript and `^{…}` a superscript, as in `c_{t−1}`,
/// `W x_{t}`, `σ^{2}`. For labels that follow the picture; formulas of lessons are pictures of their own.
double mathWidth(const QString& formula, int px);
/// `at.y()` is the middle of the capitals.
void math(QPainter& painter, QPointF at, const QString& formula, int px, const QColor& color,
          Anchor anchor = Anchor::Start);
/// The same for who cannot see it: `c_{t−1}` is "c t−1".
QString mathAsText(const QString& formula);

}  // namespace headlight::paint
