// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headlight {

struct Theme;

/// One line family on a 20 px box, 1.5 px round strokes.
enum class Icon {
    None,
    Learn,
    Explore,
    Train,
    Decode,
    Compare,
    Models,
    Gear,
    Help,
    Moon,
    Play,
    Pause,
    Next,
    Previous,
    Start,
    Reset,
    Check,
    Cross,
    ChevronDown,
    Mute,
    Sound,
    Warning,
    Step,
    Edit,
    Seed,
    Left,
    Right,
    Present,
    Export,
    Search,
};

void drawIcon(QPainter& painter, Icon icon, const QRectF& box, const QColor& color, double strokeWidth = 1.5);

/// The mark: a lamp's disc and its beam, of which only the beam is amber. Drawn for a 48 px square at `topLeft`.
void drawMark(QPainter& painter, QPointF topLeft, const Theme& theme);

}  // namespace headlight
