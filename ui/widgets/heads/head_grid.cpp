// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/head_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kLeft = 67;    ///< of the first thumbnail: labels stand before it
constexpr double kRight = 17;   ///< free space behind the last
constexpr double kHeader = 28;  ///< the line of head numbers
constexpr double kGroup = 22;   ///< a group's name
constexpr double kGroupGap = 8;
constexpr double kLargest = 24;  ///< side of a thumbnail
constexpr double kGridGap = 3;
constexpr double kMargin = 20;

}  // namespace

HeadGrid::HeadGrid(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heads"));
    setAccessibleDescription(tr("All attention heads. Arrow keys choose a head."));
}

void HeadGrid::setRows(std::vector<HeadGridRow> rows) {
    for (size_t i = 0; i < rows.size(); ++i)
        keepPictures(rows[i].heads, i < m_rows.size() ? m_rows[i].heads : std::vector<HeadImage>());
    m_rows = std::move(rows);
    m_tops.clear();
    double y = kHeader;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const bool starts = i == 0 || m_rows[i].group != m_rows[i - 1].group;
        if (starts) y += (i == 0 ? 0 : kGroupGap) + kGroup;
        m_tops.push_back(y);
        y += rowPitch();
    }
    m_height = static_cast<int>(y);
    setFixedHeight(m_height);
    m_hovered = {};
    if (m_cursor.row >= static_cast<int>(m_rows.size())) m_cursor = {};
    update();
}

void HeadGrid::setSelected(const QString& id, const std::vector<int>& heads) {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const HeadGridRow& row) { return row.id == id; });
    m_selected = found == m_rows.end() ? Place{} : Place{static_cast<int>(found - m_rows.begin()), heads.front()};
    m_overlaid.assign(heads.begin() + 1, heads.end());
    if (m_overlaid.empty()) m_cursor = m_selected;
    update();
}

int HeadGrid::headCount() const {
    size_t most = 1;
    for (const HeadGridRow& row : m_rows)
        most = std::max(most, row.heads.size());
    return static_cast<int>(most);
}

double HeadGrid::pitch() const {
    return std::min(kLargest + kGridGap, std::floor((width() - kLeft - kRight) / headCount()));
}

double HeadGrid::rowPitch() const {
    return headCount() > 8 ? 26 : 34;
}

QSize HeadGrid::sizeHint() const {
    return {260, m_height};
}

QRectF HeadGrid::headRect(int row, int head) const {
    const double side = pitch() - kGridGap;
    const double drop = (rowPitch() - 10 - side) / 2;  // small thumbnails sit in the middle of their line
    return {kLeft + head * pitch(), m_tops[static_cast<size_t>(row)] + drop, side, side};
}

HeadGrid::Place HeadGrid::placeAt(QPointF position) const {
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        for (int head = 0; head < static_cast<int>(m_rows[static_cast<size_t>(row)].heads.size()); ++head)
            if (headRect(row, head).adjusted(-1, -2, 2, 2).contains(position)) return {row, head};
    return {};
}

void HeadGrid::paintRow(QPainter& p, int row, const Theme& t) const {
    const HeadGridRow& block = m_rows[static_cast<size_t>(row)];
    const double top = m_tops[static_cast<size_t>(row)];
    const bool current = row == m_selected.row;
    if (row == 0 || block.group != m_rows[static_cast<size_t>(row - 1)].group)
        paint::centredText(p, {kMargin, top - kGroup + 10}, block.group, uiFont(12, QFont::DemiBold),
                           block.isEncoder ? t.encoder : t.decoder);
    if (current) paint::box(p, {kMargin - 8, top - 4, width() - 2 * kMargin + 16, rowPitch() - 2}, t.sunken, {}, 6);
    paint::centredText(p, {kMargin, top + (rowPitch() - 10) / 2}, block.label,
                       uiFont(11, current ? QFont::DemiBold : QFont::Normal), current ? t.text : t.text2);
    for (int head = 0; head < static_cast<int>(block.heads.size()); ++head) {
        const QRectF box = headRect(row, head);
        const HeadImage& image = block.heads[static_cast<size_t>(head)];
        drawHead(p, box, image, t);
        if (image.muted) {
            const double inset = box.width() / 5;
            p.save();
            p.setRenderHint(QPainter::Antialiasing);
            p.setPen(QPen(t.bad, 2));
            p.drawLine(box.bottomLeft() + QPointF(inset, -inset), box.topRight() + QPointF(-inset, inset));
            p.restore();
        }
        if (m_selected == Place{row, head})
            paint::outline(p, box.adjusted(-2, -2, 2, 2), t.nowLine, 2, 4);
        else if (current && std::ranges::count(m_overlaid, head) > 0)
            paint::outline(p, box.adjusted(-1, -1, 1, 1), t.text2, 2, 4);
        else if (hasFocus() && m_cursor == Place{row, head})
            paint::outline(p, box.adjusted(-1, -1, 1, 1), t.ink, 1, 4);
        else if (m_hovered == Place{row, head})
            paint::outline(p, box.adjusted(-1, -1, 1, 1), t.text, 1);
    }
}

void HeadGrid::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_rows.empty()) return;
    for (int head = 0; head < headCount(); ++head) {
        const bool on = head == m_selected.head;
        const bool room = pitch() >= 17 || on || head % 2 == 0;
        if (!room) continue;
        paint::text(p, {kLeft + head * pitch() + (pitch() - kGridGap) / 2, 20}, QString::number(head + 1),
                    uiFont(11, on ? QFont::DemiBold : QFont::Medium), on ? t.text : t.text3, Anchor::Middle);
    }
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        paintRow(p, row, t);
}

void HeadGrid::mouseMoveEvent(QMouseEvent* event) {
    const Place place = placeAt(event->position());
    if (place == m_hovered) return;
    m_hovered = place;
    setCursor(place.row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void HeadGrid::leaveEvent(QEvent*) {
    m_hovered = {};
    update();
}

void HeadGrid::mousePressEvent(QMouseEvent* event) {
    const Place place = placeAt(event->position());
    if (place.row < 0) return;
    if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        toggle(place);
    else
        choose(place);
}

/// Heads of different blocks are never one picture: one of another block is chosen alone.
void HeadGrid::toggle(Place place) {
    if (place.row != m_selected.row) return choose(place);
    m_cursor = place;
    emit headToggled(place.head);
}

void HeadGrid::choose(Place place) {
    m_selected = m_cursor = place;
    m_overlaid.clear();
    update();
    const QString block = m_rows[static_cast<size_t>(place.row)].id;  // who hears of it may set other rows
    emit headSelected(block, place.head);
}

void HeadGrid::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    const bool toggles = event->key() == Qt::Key_Space;
    if (arrow.isNone() && !toggles) return QWidget::keyPressEvent(event);
    if (m_rows.empty()) return;
    const Place from = m_cursor.row >= 0 ? m_cursor : m_selected;
    const int row = std::clamp(from.row + arrow.down, 0, static_cast<int>(m_rows.size()) - 1);
    const int last = static_cast<int>(m_rows[static_cast<size_t>(row)].heads.size()) - 1;
    const Place to{row, std::clamp(from.head + arrow.right, 0, last)};
    if (toggles || event->modifiers() & Qt::ShiftModifier) return toggle(to);
    if (!(event->modifiers() & Qt::ControlModifier)) return choose(to);
    m_cursor = to;
    update();
}

bool HeadGrid::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Place place = placeAt(help->pos());
        if (place.row < 0) {
            QToolTip::hideText();
        } else {
            const HeadGridRow& block = m_rows[static_cast<size_t>(place.row)];
            QToolTip::showText(help->globalPos(),
                               tr("%1, %2, head %3").arg(block.group, block.label).arg(place.head + 1), this);
        }
        return true;
    }
    return QWidget::event(event);
}

}  // namespace headlight

#include "moc_head_grid.cpp"
