// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QString>

class QPainter;

namespace headlight {

struct Theme;

/// Hatches of neighbours lie in one piece: calls `paint` with the first of each run of hidden ones among `count`, and
/// with the one behind its last.
template <class IsHidden, class Paint>
void forEachHiddenRun(int count, IsHidden isHidden, Paint paint) {
    for (int from = 0, to = 0; from < count; from = to + 1) {
        for (to = from; to < count && isHidden(to);)
            ++to;
        if (to > from) paint(from, to);
    }
}

/// What a lesson's reader is to predict: a picture that is hatched as a whole, and says why; or a cell of one.
class HiddenArea {
    Q_DECLARE_TR_FUNCTIONS(HiddenArea)
public:
    static QString words();
    static void paint(QPainter& painter, const QRectF& area, const Theme& theme);
    /// With a question mark, where there is room for it.
    static void paintCell(QPainter& painter, const QRectF& cell, const Theme& theme);
    /// What stands in the place of a number.
    static QString mark() { return QStringLiteral("?"); }
};

}  // namespace headlight
