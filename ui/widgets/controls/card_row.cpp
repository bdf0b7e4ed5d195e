// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/card_row.h"

#include <QResizeEvent>

namespace headlight {

CardRow::CardRow(int beside, QWidget* parent)
    : QWidget(parent), m_beside(beside), m_row(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSizeConstraint(QLayout::SetNoConstraint);
}

void CardRow::add(QWidget* card) {
    m_row->addWidget(card, 1);
}

QSize CardRow::minimumSizeHint() const {
    constexpr int kNarrowest = 280;
    return {kNarrowest, m_row->minimumSize().height()};
}

void CardRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const auto direction = width() < m_beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (direction == m_row->direction()) return;
    m_row->setDirection(direction);
    updateGeometry();
    emit turned(direction == QBoxLayout::TopToBottom);
}

}  // namespace headlight

#include "moc_card_row.cpp"
