// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <memory>

class QMimeData;

namespace headlight {

/// Writes what a widget shows: .png at twice the size for sharpness, .svg and .pdf as vectors. Whole or not at all:
/// through a temporary name. Throws Error for another ending, or where it cannot be written.
void exportFigure(QWidget& widget, const QString& path);

/// The same for the clipboard: a picture, SVG and PDF.
std::unique_ptr<QMimeData> figureData(QWidget& widget);

class StepCursor;
/// The same at each step of the cursor, from the first to the last in its grain, as numbered files: `fig.png` becomes
/// `fig-001.png`, `fig-002.png`, …. Puts the cursor back. `goOn` is told of each step's place and ends it by false.
/// Returns how many there are.
int exportSteps(QWidget& widget, StepCursor& cursor, const QString& path,
                const std::function<bool(int position)>& goOn = {});

}  // namespace headlight
