// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace headlight {

/// A band with a warning sign at its left: amber where the reader's own hand made something as it should not be, red
/// where something failed. Its content begins 46 px from the left.
class TintedBox : public QFrame {
    Q_OBJECT
public:
    enum class Tone { Now, Bad };
    explicit TintedBox(Tone tone, QWidget* parent = nullptr) : QFrame(parent), m_tone(tone) {}

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Tone m_tone;
};

}  // namespace headlight
