// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/room_frame.h"

#include "ui/shell/help_panel.h"
#include "ui/shell/room_stack.h"

namespace headlight {

RoomFrame::RoomFrame(Workbench& workbench, RoomStack& rooms, const QSize& smallest, QWidget* parent)
    : QWidget(parent), m_rooms(rooms), m_help(new HelpPanel(workbench, rooms, this)) {
    setMinimumSize(smallest);
    m_rooms.setParent(this);
    m_rooms.lower();
    connect(m_help, &HelpPanel::toggled, this, &RoomFrame::share);
}

void RoomFrame::setPage(QWidget* page) {
    m_page = page;
    page->setParent(this);
    page->hide();
    share();
}

void RoomFrame::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    share();
}

void RoomFrame::share() {
    const int wide = m_help->isOpen() ? m_help->width() : 0;
    const bool isBeside = width() - wide >= minimumWidth();
    m_rooms.setGeometry(0, 0, isBeside ? width() - wide : width(), height());
    m_help->setGeometry(width() - m_help->width(), 0, m_help->width(), height());
    if (m_help->isOpen()) m_help->raise();
    if (m_page) m_page->setGeometry(rect());
}

}  // namespace headlight

#include "moc_room_frame.cpp"
