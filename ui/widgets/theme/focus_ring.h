// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

class QApplication;

namespace headlight {

/// The ring around whatever has the keyboard: 2 px of ink, 2 px away, drawn above the window's other widgets so that no
/// control needs room for it. Appears only when the keyboard moved the focus.
class FocusRing : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QApplication* application);
    ~FocusRing() override;

    /// The widget that is ringed, or nullptr.
    QWidget* ringed() const { return m_target; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Frame;
    void follow(QWidget* target);
    void place();

    QPointer<QWidget> m_target;
    QPointer<Frame> m_frame;
    bool m_byKeyboard = false;
};

}  // namespace headlight
