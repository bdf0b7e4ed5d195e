// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

class QWidget;

namespace headlight {

/// How far `widget` has taken the tint of the pointer over it, 0 to 1: it comes and goes within motion::kTint. Asked
/// for in its paintEvent(); the widget is drawn anew as long as it changes.
double hoverTint(QWidget* widget);

/// `tint`, as far as the pointer's: transparent where it is not over the widget.
QColor hoverTint(QWidget* widget, const QColor& tint);

}  // namespace headlight
