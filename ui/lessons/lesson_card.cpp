// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_card.h"

#include <QPainter>
#include <QVBoxLayout>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

Kicker::Kicker(const QString& text) : QLabel(text) {
    setFont(uiFont(12, QFont::DemiBold));
}

void Kicker::paintEvent(QPaintEvent*) {
    QPainter p(this);
    paint::centredText(p, {0, height() / 2.0}, text(), font(), Theme::of(this).nowText);
}

void paintLessonCard(QWidget* card, LessonCardState state) {
    const Theme& t = Theme::of(card);
    QPainter p(card);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, card->rect(), t.surface, state == LessonCardState::Solved ? t.good : t.line2, 8);
}

QVBoxLayout* lessonCardColumn(QWidget* card) {
    constexpr int padding = 18;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(padding, 14, padding, padding);
    column->setSpacing(10);
    return column;
}

}  // namespace headlight
