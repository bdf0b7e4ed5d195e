// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace headlight {

/// Writes what a widget shows: .png at twice the size for sharpness, .svg and .pdf as vectors. Whole or not at all:
/// through a temporary name. Throws Error for another ending, or where it cannot be written.
void exportFigure(QWidget& widget, const QString& path);

}  // namespace headlight
