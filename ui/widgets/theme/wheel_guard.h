// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QApplication;

namespace headlight {

/// Keeps the wheel from changing values by accident. A slider, combo box or spin box takes the wheel only while it has
/// the keyboard focus; otherwise the wheel goes to what it stands in, so a scrolled panel keeps scrolling when a
/// control comes under the pointer. The wheel never gives focus to such a control. One for the whole application.
class WheelGuard : public QObject {
public:
    explicit WheelGuard(QApplication* application);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace headlight
