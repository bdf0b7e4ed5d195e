// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "ui/widgets/controls/labelled_slider.h"

namespace headlight {

/// A slider over a few numbers that are worth choosing. Another number that it is set to stands among them from then
/// on, so that what was chosen elsewhere is neither lost nor rounded.
class StopSlider : public LabelledSlider {
    Q_OBJECT
public:
    using Format = std::function<QString(double)>;
    /// `stops` rise; `at` is one of them, or joins them.
    StopSlider(const QString& name, std::vector<double> stops, double at, Format format, QWidget* parent = nullptr);

    double number() const;
    void setNumber(double number);
    /// What it reads where it stands now.
    void refresh();

private:
    const std::vector<double> m_usual;
    std::vector<double> m_stops;
    Format m_format;
};

}  // namespace headlight
