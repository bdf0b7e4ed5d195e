// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/labelled_slider.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

LabelledSlider::LabelledSlider(const QString& name, const Range& range, QWidget* parent)
    : QWidget(parent),
      m_name(new Caption(name, 12, QFont::Medium, Caption::Tone::Secondary)),
      m_text(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_slider(new Slider) {
    m_text->setFont(monoFont(12));
    m_slider->setRange(range.low, range.high);
    m_slider->setValue(range.at);
    m_slider->setAccessibleName(name);
    m_slider->setValueLabel(m_text);
    m_slider->setMinimumWidth(80);
    auto* heading = new QHBoxLayout;
    heading->addWidget(m_name, 1);
    heading->addWidget(m_text);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(heading);
    column->addWidget(m_slider);
    connect(m_slider, &QSlider::valueChanged, this, &LabelledSlider::valueChanged);
}

void LabelledSlider::setRange(const Range& range) {
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(range.low, range.high);
    m_slider->setValue(range.at);
    m_slider->update();
}

int LabelledSlider::value() const {
    return m_slider->value();
}

void LabelledSlider::setValue(int value) {
    m_slider->setValue(value);
}

void LabelledSlider::setName(const QString& name) {
    m_name->setText(name);
    m_slider->setAccessibleName(name);
}

void LabelledSlider::setText(const QString& text) {
    m_text->setText(text);
}

}  // namespace headlight

#include "moc_labelled_slider.cpp"
