// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/head_chips.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kHeadGap = 4, kHeadChip = 28, kWeight = 24, kBetween = 6, kHeadLeast = 32, kHeadMost = 52;
}  // namespace

HeadChips::HeadChips(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Heads to silence"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeadChips::setHeads(int count, const std::vector<int>& muted, const std::vector<float>& weights) {
    m_count = count;
    m_muted = muted;
    m_weights = weights;
    m_current = std::clamp(m_current, 0, std::max(0, count - 1));
    QStringList spoken;
    for (int head = 0; head < count; ++head)
        spoken << (isMuted(head) ? tr("head %1 muted") : tr("head %1")).arg(head + 1);
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    setFixedHeight(heightFor(width()));
    update();
}

void HeadChips::resizeEvent(QResizeEvent*) {
    setFixedHeight(heightFor(width()));
}

bool HeadChips::isMuted(int head) const {
    return std::ranges::find(m_muted, head) != m_muted.end();
}

bool HeadChips::areAllMuted() const {
    return m_count > 1 && std::ssize(m_muted) == m_count;
}

/// Eight, where they fit: blocks have a multiple of four heads as a rule.
int HeadChips::inRow(double width) const {
    const int fit = std::max(1, static_cast<int>((width + kHeadGap) / (kHeadLeast + kHeadGap)));
    return fit >= 8 ? 8 : fit >= 4 ? 4 : fit;
}

double HeadChips::rowHeight() const {
    return kHeadChip + (m_weights.empty() ? 0 : 2 + kWeight);
}

QRectF HeadChips::chip(int head) const {
    const int row = inRow(width());
    const double wide = std::min(kHeadMost, (width() + kHeadGap) / row - kHeadGap);
    return {(head % row) * (wide + kHeadGap), std::floor(head / row) * (rowHeight() + kBetween), wide, kHeadChip};
}

int HeadChips::heightFor(int width) const {
    const int rows = (m_count + inRow(width) - 1) / inRow(width);
    return std::max(0, static_cast<int>(rows * (rowHeight() + kBetween) - kBetween));
}

int HeadChips::headAt(QPointF at) const {
    for (int head = 0; head < m_count; ++head)
        if (chip(head).adjusted(0, 0, kHeadGap, rowHeight() - kHeadChip).contains(at)) return head;
    return -1;
}

void HeadChips::toggle(int head) {
    m_current = head;
    update();
    // Where all of them are off, one is chosen among them.
    std::vector<int> muted = areAllMuted() ? std::vector<int>() : m_muted;
    if (std::erase(muted, head) == 0) muted.push_back(head);
    if (muted.empty()) return;  // nothing would be otherwise
    std::ranges::sort(muted);
    emit chosen(muted);
}

void HeadChips::mousePressEvent(QMouseEvent* event) {
    if (const int head = headAt(event->position()); head >= 0) toggle(head);
}

void HeadChips::mouseMoveEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head < 0) return setToolTip({});
    const QString what = areAllMuted()   ? tr("Mute head %1 alone").arg(head + 1)
                         : isMuted(head) ? tr("Let head %1 speak again").arg(head + 1)
                                         : tr("Mute head %1").arg(head + 1);
    const bool hasWeight = head < std::ssize(m_weights);
    setToolTip(
        hasWeight
            ? QStringLiteral("%1\n%2").arg(
                  what, tr("weight %1").arg(formatPrecise(static_cast<double>(m_weights[static_cast<size_t>(head)]))))
            : what);
}

void HeadChips::keyPressEvent(QKeyEvent* event) {
    if (m_count == 0) return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Space) return toggle(m_current);
    const int step = (event->key() == Qt::Key_Right) - (event->key() == Qt::Key_Left);
    if (step == 0) return QWidget::keyPressEvent(event);
    m_current = std::clamp(m_current + step, 0, m_count - 1);
    update();
}

void HeadChips::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (int head = 0; head < m_count; ++head) {
        const QRectF box = chip(head);
        const bool muted = isMuted(head);
        paint::box(p, box, muted ? t.badTint : t.surface,
                   hasFocus() && head == m_current ? t.ink
                   : muted                         ? t.bad
                                                   : t.line2,
                   6);
        if (muted) drawIcon(p, Icon::Mute, {box.left() + 2, box.top() + 7, 14, 14}, t.bad);
        paint::centredText(p, {box.center().x() + (muted ? 7 : 0), box.center().y()}, QString::number(head + 1),
                           uiFont(12, muted ? QFont::DemiBold : QFont::Medium), muted ? t.bad : t.text, Anchor::Middle);
        if (head >= std::ssize(m_weights)) continue;
        const auto weight = static_cast<double>(m_weights[static_cast<size_t>(head)]);
        const QRectF cell(box.left(), box.bottom() + 2, box.width(), kWeight);
        const QColor fill = t.sequential(weight);
        paint::box(p, cell, fill, t.line2);
        paint::centredText(p, cell.center(), formatNumber(weight), monoFont(11), Theme::onColor(fill), Anchor::Middle);
    }
}

}  // namespace headlight

#include "moc_head_chips.cpp"
