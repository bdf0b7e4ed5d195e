// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace headlight {

/// Where an arrow key goes in a grid: one row or column, or nowhere for any other key.
struct ArrowKey {
    int down = 0, right = 0;

    explicit ArrowKey(int key)
        : down((key == Qt::Key_Down) - (key == Qt::Key_Up)), right((key == Qt::Key_Right) - (key == Qt::Key_Left)) {}
    bool isNone() const { return down == 0 && right == 0; }
};

}  // namespace headlight
