// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/slider_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QLabel>

#include "ui/widgets/controls/controls.h"

namespace headlight {
namespace {

class SpokenSlider : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit SpokenSlider(Slider* slider) : QAccessibleWidget(slider, QAccessible::Slider), m_slider(slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        if (kind != QAccessible::Value) return QAccessibleWidget::text(kind);
        const QLabel* const label = m_slider->valueLabel();
        return label ? label->text() : QString::number(m_slider->value());
    }

    QVariant currentValue() const override { return m_slider->value(); }
    void setCurrentValue(const QVariant& value) override { m_slider->setValue(value.toInt()); }
    QVariant maximumValue() const override { return m_slider->maximum(); }
    QVariant minimumValue() const override { return m_slider->minimum(); }
    QVariant minimumStepSize() const override { return m_slider->singleStep(); }

private:
    Slider* m_slider;
};

QAccessibleInterface* makeSlider(const QString&, QObject* object) {
    auto* const slider = qobject_cast<Slider*>(object);
    return slider ? new SpokenSlider(slider) : nullptr;
}

}  // namespace

void installSliderAccessibility() {
    QAccessible::installFactory(makeSlider);  // Qt takes each once
}

}  // namespace headlight
