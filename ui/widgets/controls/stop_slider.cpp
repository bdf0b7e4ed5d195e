// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/stop_slider.h"

#include <algorithm>

namespace headlight {

StopSlider::StopSlider(const QString& name, std::vector<double> stops, double at, Format format, QWidget* parent)
    : LabelledSlider(name, {}, parent), m_usual(std::move(stops)), m_format(std::move(format)) {
    setNumber(at);
    connect(this, &LabelledSlider::valueChanged, this, &StopSlider::refresh);
}

double StopSlider::number() const {
    return m_stops[static_cast<size_t>(value())];
}

void StopSlider::setNumber(double number) {
    m_stops = m_usual;
    auto at = std::ranges::lower_bound(m_stops, number);
    if (at == m_stops.end() || *at != number) at = m_stops.insert(at, number);
    setRange({0, static_cast<int>(m_stops.size()) - 1, static_cast<int>(at - m_stops.begin())});
    refresh();
}

void StopSlider::refresh() {
    setText(m_format(number()));
}

}  // namespace headlight

#include "moc_stop_slider.cpp"
