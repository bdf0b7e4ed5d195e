// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/trace/attention_part.h"

namespace headlight {

class Button;
class Caption;
class ComboBox;
class Slider;

/// What is left of a block's picture: the strongest lines, special tokens, the first word, and of two sentences which
/// looks at which.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    explicit FilterBar(QWidget* parent = nullptr);

    AttentionFilter filter() const;
    /// Of what each word gives, what its lines show: 0..1.
    double share() const;
    /// Does the model read two sentences? Else nobody is asked which.
    void setHasPairs(bool has);
    /// Emits nothing.
    void showOptions(const StageState& state);
    void tellOptions(StageState& state) const;

signals:
    void changed();

private:
    void writeShare();

    Slider* m_top;
    Caption* m_share;
    Button* m_specials;
    Button* m_first;
    ComboBox* m_pairs;
};

}  // namespace headlight
