// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace headlight {

/// Where a label hangs on its anchor point.
enum class Anchor { Start, Middle, End };

/// The strokes that every custom widget shares, so that a baseline or a frame means the same pixel everywhere.
namespace paint {

/// `share` of the way from one colour to the other.
QColor mixed(const QColor& from, const QColor& to, double share);
/// That far from one to the other, 0 to 1.
QPointF between(QPointF from, QPointF to, double share);
QRectF between(const QRectF& from, const QRectF& to, double share);

double textWidth(const QString& text, const QFont& font);
/// `at.y()` is the baseline.
void text(QPainter& painter, QPointF at, const QString& text, const QFont& font, const QColor& color,
          Anchor anchor = Anchor::Start);
/// `at.y()` is the middle of the capitals, which is what the eye centres a label by.
void centredText(QPainter& painter, QPointF at, const QString& text, const QFont& font, const QColor& color,
                 Anchor anchor = Anchor::Start);
/// The text, or as much as fits with an ellipsis, which stands where `mode` says.
QString elided(const QString& text, const QFont& font, double width, Qt::TextElideMode mode = Qt::ElideRight);
/// The font, or one of the same kind that is so much smaller that the text fits, down to 9 pixels: of a word that is
/// to be read whole, where there is little room.
QFont fitting(const QString& text, const QFont& font, double width);

/// At most `width`: so wide that the text takes no more lines than it must, and that none of more than one is left to
/// the last word alone, where that can be had.
int widthWithoutLoneWord(const QString& text, const QFont& font, int width);

/// A filled rounded box; a one-pixel border lies inside `box` on whole pixels.
void box(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& border = {}, double radius = 0,
         double borderWidth = 1);
/// An outline drawn just outside `cell`: the mark of what is selected.
void outline(QPainter& painter, const QRectF& cell, const QColor& color, double width, double radius = 0);
/// A masked cell: ground and 45 degree lines, 6 px apart, clipped to the cell.
void hatch(QPainter& painter, const QRectF& cell, const QColor& ground, const QColor& lines);

}  // namespace paint
}  // namespace headlight
