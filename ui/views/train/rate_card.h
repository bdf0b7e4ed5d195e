// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/open/paced_timer.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

/// The learning rate, turned while the model learns: what the plan says times ¼ to 4.
class RateCard : public Card {
    Q_OBJECT
public:
    explicit RateCard(QWidget* parent = nullptr);

    /// What holds of the next step; without a signal.
    void setFactor(double factor);
    double factor() const;
    Slider* slider() const { return m_slider; }
    /// Whether there is a next step.
    void setActive(bool active);

signals:
    /// The reader has turned it, and holds still.
    void factorChosen(double factor);

private:
    void showFactor(double factor);

    Slider* m_slider;
    Caption* m_text;
    PacedTimer m_still;  ///< a slider that is dragged passes by many places that nobody wants
};

}  // namespace headlight
