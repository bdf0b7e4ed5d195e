// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/selection.h"

#include <algorithm>
#include <utility>

namespace headlight {

void Selection::setBlock(const QString& block) {
    if (m_block == block) return;
    m_block = block;
    m_overlaid.clear();
    emit changed();
}

void Selection::setHead(int head) {
    if (m_head == head && m_overlaid.empty()) return;
    m_overlaid.clear();
    const bool another = std::exchange(m_head, head) != head;
    if (another) emit valueChanged();
    emit changed();
}

std::vector<int> Selection::heads() const {
    std::vector<int> all = {m_head};
    all.insert(all.end(), m_overlaid.begin(), m_overlaid.end());
    return all;
}

void Selection::setOverlaid(const std::vector<int>& heads) {
    std::vector<int> kept;
    for (const int head : heads)
        if (head >= 0 && head != m_head && std::ranges::find(kept, head) == kept.end() && kept.size() + 1 < kMostHeads)
            kept.push_back(head);
    if (m_overlaid == kept) return;
    m_overlaid = std::move(kept);
    emit changed();
}

void Selection::toggleHead(int head) {
    if (head != m_head) {
        std::vector<int> rest = m_overlaid;
        if (std::erase(rest, head) == 0) rest.push_back(head);
        return setOverlaid(rest);
    }
    if (m_overlaid.empty()) return;
    m_head = m_overlaid.front();
    m_overlaid.erase(m_overlaid.begin());
    emit valueChanged();
    emit changed();
}

void Selection::setCell(Cell cell) {
    if (m_cell == cell) return;
    m_cell = cell;
    emit changed();
}

void Selection::setTrace(std::shared_ptr<const Trace> trace) {
    if (m_trace == trace) return;
    m_trace = std::move(trace);
    // The same sentence read anew, a head muted: what was looked at stays, where the model has it.
    const auto isChosen = [this](const TraceRecord& record) {
        return record.module && record.module->scope == m_block.toStdString();
    };
    if (m_trace && std::ranges::any_of(m_trace->records(), isChosen)) return;
    const QString before = m_block;
    followValue();
    if (m_block != before) emit changed();
}

void Selection::followValue() {
    const TraceRecord* const record = m_trace ? m_trace->find(m_value.toStdString()) : nullptr;
    if (record && record->owner().kind == ModuleKind::Attention)
        if (const QString block = QString::fromStdString(record->owner().scope); block != m_block) {
            m_block = block;
            m_overlaid.clear();
        }
}

bool Selection::valueIsAttention() const {
    const TraceRecord* const record = m_trace ? m_trace->find(m_value.toStdString()) : nullptr;
    return record && (record->part == Part::Scores || record->part == Part::Weights) &&
           m_block == QString::fromStdString(record->owner().scope);
}

void Selection::setValue(const QString& value) {
    if (m_value == value) return;
    m_value = value;
    m_number = m_hoveredNumber = {};
    followValue();
    emit valueChanged();
    emit changed();
}

ValueCell Selection::shownNumber() const {
    if (valueIsAttention()) return {m_head, shown().query, shown().key};
    ValueCell number = m_hoveredNumber.valid() ? m_hoveredNumber : m_number;
    number.head = m_head;
    return number;
}

ValueCell Selection::number() const {
    if (valueIsAttention()) return {m_head, m_cell.query, m_cell.key};
    return {m_head, m_number.row, m_number.column};
}

void Selection::setNumber(ValueCell number) {
    if (valueIsAttention()) return setCell({number.row, number.column});
    if (m_number == number) return;
    m_number = number;
    emit changed();
}

void Selection::setHoveredNumber(ValueCell number) {
    if (valueIsAttention()) return setHovered({number.row, number.column});
    if (m_hoveredNumber == number) return;
    m_hoveredNumber = number;
    emit changed();
}

void Selection::setHovered(Cell cell) {
    if (m_hovered == cell) return;
    m_hovered = cell;
    emit changed();
}

}  // namespace headlight

#include "moc_selection.cpp"
