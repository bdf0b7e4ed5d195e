// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/range_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kEnd = 8;      ///< from the widget's edge to the middle of the outermost handle
constexpr double kMiddle = 12;  ///< of the track
constexpr int kMostTicks = 48;

}  // namespace

RangeSlider::RangeSlider(const QString& name, QWidget* parent) : QWidget(parent) {
    setFixedHeight(28);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    setToolTip(tr("Arrow keys move the end, with Shift the beginning"));
}

void RangeSlider::setRange(int least, int most, int from, int to) {
    m_least = least;
    m_most = std::max(least, most);
    m_from = std::clamp(from, m_least, m_most);
    m_to = std::clamp(to, m_from, m_most);
    update();
}

QPointF RangeSlider::handleAt(int number) const {
    const double share = static_cast<double>(number - m_least) / std::max(1, m_most - m_least);
    return {kEnd + (width() - 2 * kEnd) * share, kMiddle};
}

int RangeSlider::numberAt(double x) const {
    const double share = std::clamp((x - kEnd) / std::max(1.0, width() - 2 * kEnd), 0.0, 1.0);
    return m_least + static_cast<int>(std::lround(share * (m_most - m_least)));
}

void RangeSlider::move(Handle handle, int number) {
    const int from = handle == Handle::Lower ? std::clamp(number, m_least, m_to) : m_from;
    const int to = handle == Handle::Upper ? std::clamp(number, m_from, m_most) : m_to;
    if (from == m_from && to == m_to) return;
    m_from = from;
    m_to = to;
    update();
    emit rangeChanged(m_from, m_to);
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x(), lower = handleAt(m_from).x(), upper = handleAt(m_to).x();
    m_held = std::abs(x - lower) < std::abs(x - upper) || (lower == upper && x < lower) ? Handle::Lower : Handle::Upper;
    move(m_held, numberAt(x));
}

void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) move(m_held, numberAt(event->position().x()));
}

void RangeSlider::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0) return QWidget::keyPressEvent(event);
    const bool lower = event->modifiers() & Qt::ShiftModifier;
    move(lower ? Handle::Lower : Handle::Upper, (lower ? m_from : m_to) + by);
}

void RangeSlider::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double from = handleAt(m_from).x(), to = handleAt(m_to).x();
    paint::box(p, {kEnd, kMiddle - 2, width() - 2 * kEnd, 4}, t.line, {}, 2);
    paint::box(p, {from, kMiddle - 2, to - from, 4}, t.text, {}, 2);
    if (m_most - m_least < kMostTicks)
        for (int number = m_least; number <= m_most; ++number)
            p.fillRect(QRectF(std::round(handleAt(number).x()) - 0.5, kMiddle + 9, 1, 4), t.line2);
    p.setPen(QPen(t.text, 2));
    p.setBrush(t.surface);
    for (const double x : {from, to})
        p.drawEllipse(QPointF(x, kMiddle), 6.5, 6.5);
}

}  // namespace headlight

#include "moc_range_slider.cpp"
