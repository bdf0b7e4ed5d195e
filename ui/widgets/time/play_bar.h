// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

class Button;
class ComboBox;
class Playhead;
class Slider;

/// The bar at the foot of a picture that has a playhead of its own: start, back, play, on, where it is, and a slider
/// that goes through every phase, backwards as well.
class PlayBar : public Panel {
    Q_OBJECT
public:
    struct Names {
        QString previous, next;  ///< one operation
        QString place;           ///< of the slider
    };
    PlayBar(Playhead* head, const Names& names, QWidget* parent = nullptr);

    /// Beside the buttons.
    void setText(const QString& text);

private:
    void refresh();

    Playhead* m_head;
    Button* m_play;
    QLabel* m_text;
    Slider* m_slider;
    ComboBox* m_speed;
};

}  // namespace headlight
