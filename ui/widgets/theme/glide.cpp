// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/glide.h"

#include <QWidget>
#include <utility>

#include "ui/session/open/motion.h"

namespace headlight {

Glide::Glide(QWidget* widget, std::function<QRectF()> mark)
    : QObject(widget), m_widget(widget), m_mark(std::move(mark)) {
    m_way.setDuration(motion::kPlace);
    m_way.setStartValue(0.0);
    m_way.setEndValue(1.0);
    m_way.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_way, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_phase = value.toDouble();
        m_widget->update();
    });
}

void Glide::keep() {
    const QRectF now = shown();
    stop();
    m_from = m_widget->isVisible() ? now : QRectF();
}

bool Glide::start() {
    const QRectF to = m_mark();
    if (motion::isReduced() || m_from.isNull() || to.isNull() || to == m_from || !m_widget->isVisible()) {
        stop();
        return false;
    }
    m_phase = 0;
    m_way.start();
    return true;
}

void Glide::stop() {
    m_way.stop();
    m_from = {};
    if (std::exchange(m_phase, 1) < 1) m_widget->update();
}

void Glide::holdAt(double phase) {
    m_way.pause();
    m_phase = phase;
    m_widget->update();
}

QRectF Glide::shown() const {
    const QRectF to = m_mark();
    if (m_phase >= 1 || to.isNull() || m_from.isNull()) return to;
    const auto between = [this](double a, double b) { return a + (b - a) * m_phase; };
    return {between(m_from.x(), to.x()), between(m_from.y(), to.y()), between(m_from.width(), to.width()),
            between(m_from.height(), to.height())};
}

}  // namespace headlight

#include "moc_glide.cpp"
