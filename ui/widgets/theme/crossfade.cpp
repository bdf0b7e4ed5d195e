// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/crossfade.h"

#include <QPainter>

#include "ui/session/open/motion.h"

namespace headlight {

Crossfade::Crossfade(QWidget* place) : QWidget(place) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    m_fade.setDuration(motion::kStep);
    m_fade.setStartValue(1.0);
    m_fade.setEndValue(0.0);
    m_fade.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_fade, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_fade, &QVariantAnimation::finished, this, &Crossfade::drop);
}

void Crossfade::drop() {
    m_fade.stop();
    m_before = {};
    hide();
}

void Crossfade::hold() {
    if (motion::isReduced() || !parentWidget()->isVisible()) return;
    m_fade.stop();
    hide();  // what is seen, not what fades over it
    m_before = parentWidget()->grab();
    setGeometry(parentWidget()->rect());
    show();
    raise();
}

void Crossfade::release() {
    if (!m_before.isNull()) m_fade.start();
}

void Crossfade::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setOpacity(m_fade.state() == QVariantAnimation::Running ? m_fade.currentValue().toDouble() : 1);
    p.drawPixmap(0, 0, m_before);
}

}  // namespace headlight

#include "moc_crossfade.cpp"
