// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>

class QAbstractButton;

namespace headlight {

/// A button that is clicked through the accessibility interface. Qt's own only toggles one that can be checked: nobody
/// is told that it was clicked.
class PressedButton : public QAccessibleWidget {
public:
    explicit PressedButton(QAbstractButton* button);

    QAccessible::Role role() const override;
    QString text(QAccessible::Text kind) const override;
    QAccessible::State state() const override;
    QStringList actionNames() const override;
    void doAction(const QString& name) override;

protected:
    QAbstractButton* m_button;
};

/// To a screen reader what is painted by hand is a picture, what holds controls together under a name a group (Qt calls
/// each of them a client area), and what is pressed through it is clicked. Before any widget is made: who tells its
/// parts itself comes after it, and is asked first.
void installPartRoles();

}  // namespace headlight
