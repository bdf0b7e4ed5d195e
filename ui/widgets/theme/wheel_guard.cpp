// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

namespace headlight {

namespace {

/// The widget, if it holds a value that the wheel would change; a scroll bar's value is only where we look.
QWidget* valueControl(QObject* object) {
    const bool holdsValue = qobject_cast<QAbstractSpinBox*>(object) || qobject_cast<QComboBox*>(object) ||
                            (qobject_cast<QAbstractSlider*>(object) && !qobject_cast<QScrollBar*>(object));
    return holdsValue ? static_cast<QWidget*>(object) : nullptr;
}

}  // namespace

WheelGuard::WheelGuard(QApplication* application) : QObject(application) {
    application->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Polish && event->type() != QEvent::Wheel) return false;
    QWidget* const control = valueControl(watched);
    if (!control) return false;
    if (event->type() == QEvent::Polish) {
        // Qt moves the focus before it delivers the wheel, so it must not be asked to.
        if (control->focusPolicy() == Qt::WheelFocus) control->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (control->hasFocus()) return false;
    event->ignore();  // Qt then offers it to the parent
    return true;
}

}  // namespace headlight
