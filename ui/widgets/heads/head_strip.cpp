// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/head_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/heads/line_mark.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kInset = 8;    ///< from the tile's frame to its cells
constexpr double kBeside = 28;  ///< of the pitch that is not cells
constexpr double kAbove = 32;   ///< title
constexpr double kBelow = 52;   ///< entropy bar, its number, and what is found of the head
constexpr double kLargestPitch = 168;
constexpr double kNarrowestMarked = 60;
constexpr double kSmallestPitch = 72;  ///< below it the heads take two lines

}  // namespace

HeadStrip::HeadStrip(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Heads of this block"));
}

void HeadStrip::setHeads(std::vector<HeadImage> heads, std::vector<double> entropies, double maximum,
                         QStringList notes) {
    const bool sameCount = heads.size() == m_heads.size();
    keepPictures(heads, m_heads);
    m_cursor = std::min(m_cursor, std::max(0, static_cast<int>(heads.size()) - 1));
    m_heads = std::move(heads);
    m_entropies = std::move(entropies);
    m_maximum = maximum;
    m_notes = std::move(notes);
    if (!sameCount) updateGeometry();
    update();
}

void HeadStrip::setSelected(const std::vector<int>& heads) {
    if (heads.size() == 1) m_cursor = heads.front();
    m_selected = heads;
    update();
}

void HeadStrip::setMarked(std::vector<int> heads) {
    m_marked = std::move(heads);
    update();
}

void HeadStrip::setEcho(int row, int column) {
    m_echoRow = row;
    m_echoColumn = column;
    update();
}

HeadStrip::Tiling HeadStrip::tiling(int width) const {
    const int heads = std::max<int>(1, static_cast<int>(m_heads.size()));
    const int lines = width < kSmallestPitch * heads ? 2 : 1;
    const int perLine = (heads + lines - 1) / lines;
    const double pitch = std::floor(std::min(kLargestPitch, (width + kBeside - 16.0) / perLine));
    const double side = std::clamp(pitch - kBeside, 36.0, lines > 1 ? 72.0 : 124.0);
    return {perLine, pitch, side, side + kAbove + kBelow};
}

int HeadStrip::heightForWidth(int width) const {
    const Tiling t = tiling(width);
    const int lines = (static_cast<int>(m_heads.size()) + t.perLine - 1) / t.perLine;
    return static_cast<int>(std::max(1, lines) * t.height);
}

QRectF HeadStrip::imageRect(int head) const {
    const Tiling t = tiling(width());
    const int line = head / t.perLine;
    return {kInset + (head % t.perLine) * t.pitch, kAbove + line * t.height, t.side, t.side};
}

int HeadStrip::headAt(QPointF position) const {
    for (int head = 0; head < static_cast<int>(m_heads.size()); ++head)
        if (imageRect(head).adjusted(-kInset, -kAbove, kInset, kBelow).contains(position)) return head;
    return -1;
}

void HeadStrip::paintTile(QPainter& p, int head, const Theme& t) const {
    const HeadImage& image = m_heads[static_cast<size_t>(head)];
    const QRectF box = imageRect(head);
    const QRectF tile = box.adjusted(-kInset, -kAbove + 1, kInset, kBelow - 6);
    const auto chosen = std::ranges::find(m_selected, head);
    if (chosen != m_selected.end())
        paint::box(p, tile, t.surface, chosen == m_selected.begin() ? t.nowLine : t.text2, 8, 2);
    else if (head == m_hovered)
        paint::box(p, tile, t.sunken, {}, 8);
    paint::centredText(p, {box.left(), box.top() - 14}, tr("Head %1").arg(head + 1), uiFont(12, QFont::DemiBold),
                       image.muted ? t.text3 : t.text);
    const auto mark = std::ranges::find(m_marked, head);
    if (mark != m_marked.end() && box.width() >= kNarrowestMarked) {
        p.setPen(linePen(static_cast<int>(mark - m_marked.begin()), 2.5, 1, t));
        const double right = box.right() - (image.muted ? 20 : 0);
        p.drawLine(QPointF(right - 18, box.top() - 14), QPointF(right, box.top() - 14));
    }
    if (hasFocus() && head == m_cursor && m_cursor != m_selected.front()) paint::outline(p, tile, t.ink, 1, 8);
    if (image.muted) drawIcon(p, Icon::Mute, {box.right() - 16, box.top() - 22, 16, 16}, t.bad);
    drawHead(p, box, image, t);
    if (!image.revealed) return;
    const double entropy = m_entropies[static_cast<size_t>(head)];
    paint::box(p, {box.left(), box.bottom() + 8, box.width(), 4}, t.line, {}, 2);
    const double share = m_maximum > 0 ? std::clamp(entropy / m_maximum, 0.0, 1.0) : 0;
    paint::box(p, {box.left(), box.bottom() + 8, box.width() * share, 4}, image.muted ? t.line2 : t.text2, {}, 2);
    paint::text(p, {box.left(), box.bottom() + 26}, tr("%1 bit").arg(formatNumber(entropy)), monoFont(11), t.text3);
    const QFont small = uiFont(11, QFont::Medium);
    paint::text(p, {box.left(), box.bottom() + 40}, paint::elided(m_notes.value(head), small, box.width() + 8), small,
                t.text);
    if (m_echoRow < 0 || m_echoRow >= image.rows || m_echoColumn >= image.columns) return;
    const QRectF cell = headCellRect(box, image, m_echoRow, m_echoColumn);
    QColor color = t.text;
    if (image.muted) color.setAlphaF(0.4F);
    paint::outline(p, cell.adjusted(0, 0, -1, -1), color, cell.width() < 9 ? 1 : 2);
}

void HeadStrip::paintEvent(QPaintEvent*) {
    QPainter p(this);
    for (int head = 0; head < static_cast<int>(m_heads.size()); ++head)
        paintTile(p, head, Theme::of(this));
}

void HeadStrip::mousePressEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head < 0) return;
    m_cursor = head;
    if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        emit headToggled(head);
    else
        emit headSelected(head);
}

void HeadStrip::mouseMoveEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head == m_hovered) return;
    m_hovered = head;
    setCursor(head >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void HeadStrip::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void HeadStrip::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_heads.size()) - 1;
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (event->key() == Qt::Key_Space) {
        emit headToggled(m_cursor);
    } else if (step != 0 && m_cursor + step >= 0 && m_cursor + step <= last) {
        m_cursor += step;
        if (event->modifiers() & Qt::ControlModifier)
            update();
        else if (event->modifiers() & Qt::ShiftModifier)
            emit headToggled(m_cursor);
        else
            emit headSelected(m_cursor);
    } else {
        QWidget::keyPressEvent(event);
    }
}

}  // namespace headlight
