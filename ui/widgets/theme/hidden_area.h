// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QString>

class QPainter;

namespace headlight {

struct Theme;

/// What a lesson's reader is to predict: a picture that is hatched as a whole, and says why.
class HiddenArea {
    Q_DECLARE_TR_FUNCTIONS(HiddenArea)
public:
    static QString words();
    static void paint(QPainter& painter, const QRectF& area, const Theme& theme);
};

}  // namespace headlight
