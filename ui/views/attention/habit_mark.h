// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "core/experiment/head_habits.h"

class QPainter;

namespace headlight {

struct Theme;

/// A habit as a pictogram of four by four squares of `unit` pixels: what a matrix of it looks like. None has no
/// squares.
void drawHabit(QPainter& painter, QPointF topLeft, HeadHabit habit, double unit, const Theme& theme);
/// The same where no head has it.
void drawFaintHabit(QPainter& painter, QPointF topLeft, HeadHabit habit, double unit, const Theme& theme);

}  // namespace headlight
