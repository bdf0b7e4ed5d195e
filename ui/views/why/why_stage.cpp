// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/why_stage.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/views/why/why_column_view.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kBeam = 24, kNarrowestStage = 252, kWidestStage = 620, kSideBySide = 4;

}  // namespace

void WhyStage::setColumns(const std::vector<WhyColumnView*>& columns, size_t count) {
    m_columns.assign(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(count));
    for (size_t i = 0; i < columns.size(); ++i)
        columns[i]->setVisible(i < count);
    updateGeometry();
    place();
    update();
}

QSize WhyStage::minimumSizeHint() const {
    const int count = static_cast<int>(m_columns.size());
    return {count * kNarrowestStage + std::max(0, count - 1) * kBeam, 300};
}

int WhyStage::columnWidth() const {
    const int count = std::max(kSideBySide, static_cast<int>(m_columns.size()));
    return std::clamp((width() - (count - 1) * kBeam) / count, kNarrowestStage, kWidestStage);
}

void WhyStage::place() {
    const int wide = columnWidth();
    for (size_t i = 0; i < m_columns.size(); ++i)
        m_columns[i]->setGeometry(static_cast<int>(i) * (wide + kBeam), 0, wide, height());
}

void WhyStage::resizeEvent(QResizeEvent*) {
    place();
}

void WhyStage::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (size_t i = 0; i + 1 < m_columns.size(); ++i) {
        const QRectF from = m_columns[i]->openedRect().translated(m_columns[i]->pos());
        if (from.isEmpty()) continue;
        const QRectF to = m_columns[i + 1]->geometry();
        const double left = m_columns[i]->geometry().right() + 1.0;
        QPainterPath beam(QPointF(left, from.top()));
        beam.lineTo(to.left(), to.top() + 4);
        beam.lineTo(to.left(), to.bottom() - 4);
        beam.lineTo(left, from.bottom());
        p.fillPath(beam, t.beam);
        p.setPen(QPen(t.nowLine, 1));
        p.drawLine(QPointF(left, from.top()), QPointF(to.left(), to.top() + 4));
        p.drawLine(QPointF(left, from.bottom()), QPointF(to.left(), to.bottom() - 4));
    }
    // Beside the last column: what the reader may do.
    if (m_columns.empty()) return;
    const double left = m_columns.back()->geometry().right() + kBeam;
    const QString hint = tr("Click a bar with an arrow to open it");
    if (width() - left < paint::textWidth(hint, uiFont(13)) + 20) return;
    paint::centredText(p, {left + 10, height() / 2.0}, hint, uiFont(13), t.text3);
}

}  // namespace headlight

#include "moc_why_stage.cpp"
