// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/habit_mark.h"

#include <QPainter>

#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// Four rows of four squares.
const char* patternOf(HeadHabit habit) {
    switch (habit) {
        case HeadHabit::None:
            return "                ";
        case HeadHabit::Previous:
            return "    #    #    # ";
        case HeadHabit::Next:
            return " #    #    #    ";
        case HeadHabit::Itself:
            return "#    #    #    #";
        case HeadHabit::SameWord:
            return "         #  #   ";
        case HeadHabit::AfterSame:
            return "        #    #  ";
        case HeadHabit::First:
            return "#   #   #   #   ";
        case HeadHabit::Punctuation:
            return "     #   #   #  ";
        case HeadHabit::Alignment:
            return "#     #  #     #";
        case HeadHabit::Broad:
            return "#   ##  ### ####";
    }
    return "";
}

void draw(QPainter& painter, QPointF topLeft, HeadHabit habit, double unit, const QColor& color) {
    const char* const pattern = patternOf(habit);
    for (int i = 0; i < 16; ++i)
        if (pattern[i] == '#')
            painter.fillRect(
                QRectF(topLeft.x() + i % 4 * unit, topLeft.y() + static_cast<int>(i / 4) * unit, unit, unit), color);
}

}  // namespace

void drawHabit(QPainter& painter, QPointF topLeft, HeadHabit habit, double unit, const Theme& theme) {
    draw(painter, topLeft, habit, unit, habit == HeadHabit::Broad ? theme.text3 : theme.text);
}

void drawFaintHabit(QPainter& painter, QPointF topLeft, HeadHabit habit, double unit, const Theme& theme) {
    draw(painter, topLeft, habit, unit, theme.text3);
}

}  // namespace headlight
