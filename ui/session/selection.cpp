// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/selection.h"

namespace headlight {

void Selection::setBlock(const QString& block) {
    if (m_block == block) return;
    m_block = block;
    emit changed();
}

void Selection::setHead(int head) {
    if (m_head == head) return;
    m_head = head;
    emit changed();
}

void Selection::setCell(Cell cell) {
    if (m_cell == cell) return;
    m_cell = cell;
    emit changed();
}

void Selection::setHovered(Cell cell) {
    if (m_hovered == cell) return;
    m_hovered = cell;
    emit changed();
}

}  // namespace headlight
