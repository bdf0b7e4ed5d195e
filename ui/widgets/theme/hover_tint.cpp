// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/hover_tint.h"

#include <QEvent>
#include <QVariantAnimation>
#include <QWidget>

#include "ui/session/open/motion.h"

namespace headlight {

namespace {

/// Belongs to its widget and watches the pointer come and go.
class Tint : public QObject {
public:
    explicit Tint(QWidget* widget) : QObject(widget), m_widget(widget), m_amount(widget->underMouse() ? 1 : 0) {
        m_way.setDuration(motion::kTint);
        connect(&m_way, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
            m_amount = value.toDouble();
            m_widget->update();
        });
        widget->installEventFilter(this);
    }
    double amount() const { return m_amount; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Enter) go(1);
        if (event->type() == QEvent::Leave) go(0);
        return false;
    }

private:
    void go(double to) {
        m_way.stop();
        if (motion::isReduced()) {
            m_amount = to;
            return m_widget->update();
        }
        m_way.setStartValue(m_amount);
        m_way.setEndValue(to);
        m_way.start();
    }

    QWidget* m_widget;
    double m_amount;
    QVariantAnimation m_way;
};

}  // namespace

double hoverTint(QWidget* widget) {
    for (QObject* child : widget->children())
        if (auto* tint = dynamic_cast<Tint*>(child)) return tint->amount();
    return (new Tint(widget))->amount();
}

QColor hoverTint(QWidget* widget, const QColor& tint) {
    QColor color = tint;
    color.setAlphaF(static_cast<float>(tint.alphaF() * hoverTint(widget)));
    return color;
}

}  // namespace headlight
