// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/word_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kWords = 96;
constexpr double kBarsNumber = 52;
}  // namespace

WordBars::WordBars(Use use, QWidget* parent) : QWidget(parent), m_use(use), m_labels(kWords) {
    if (use == Use::Choose) setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Likeliest next words"));
}

void WordBars::setBars(std::vector<Bar> bars) {
    m_bars = std::move(bars);
    m_hovered = -1;
    m_current = 0;
    QStringList spoken;
    for (const Bar& bar : m_bars)
        spoken << QStringLiteral("%1 %2").arg(bar.word, formatPercent(bar.probability));
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void WordBars::setLabelWidth(int width) {
    m_labels = width;
    update();
}

QSize WordBars::sizeHint() const {
    return {300, kRow * static_cast<int>(std::max<size_t>(1, m_bars.size()))};
}

QSize WordBars::minimumSizeHint() const {
    return {220, sizeHint().height()};
}

int WordBars::barAt(double y) const {
    const int bar = static_cast<int>(y / kRow);
    return y >= 0 && bar < static_cast<int>(m_bars.size()) ? bar : -1;
}

void WordBars::mousePressEvent(QMouseEvent* event) {
    if (const int bar = barAt(event->position().y()); bar >= 0 && m_use == Use::Choose) emit chosen(bar);
}

void WordBars::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = barAt(event->position().y());
    setCursor(m_hovered >= 0 && m_use == Use::Choose ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(m_hovered < 0 ? QString() : formatPrecise(m_bars[static_cast<size_t>(m_hovered)].probability));
    update();
}

void WordBars::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void WordBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_bars.size()) - 1;
    if (last < 0) return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up) {
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Down ? 1 : -1), 0, last);
        return update();
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit chosen(m_current);
        return;
    }
    QWidget::keyPressEvent(event);
}

void WordBars::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double room = width() - m_labels - kBarsNumber - 16;
    for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
        const Bar& bar = m_bars[static_cast<size_t>(i)];
        const double middle = kRow * (i + 0.5);
        if (i == m_hovered || (hasFocus() && i == m_current))
            paint::box(p, QRectF(0, kRow * i, width(), kRow), t.sunken, {}, 4);
        const QFont font = uiFont(12, bar.marked ? QFont::DemiBold : QFont::Normal);
        const QColor ink = bar.faded ? t.text3 : bar.marked ? t.text : t.text2;
        paint::centredText(p, {m_labels, middle}, paint::elided(bar.word, font, m_labels - 4), font, ink, Anchor::End);
        const QRectF track(m_labels + 10, middle - 5, room, 10);
        paint::box(p, track, t.sunken, {}, 2);
        const QColor fill = bar.marked ? t.now : bar.faded ? t.line2 : t.sequential(0.6);
        paint::box(p, QRectF(track.left(), track.top(), std::max(1.0, room * bar.probability), 10), fill, {}, 2);
        paint::centredText(p, {static_cast<double>(width()) - 2, middle}, formatNumber(bar.probability, 3),
                           monoFont(12, bar.marked ? QFont::Medium : QFont::Normal), ink, Anchor::End);
    }
}

}  // namespace headlight

#include "moc_word_bars.cpp"
