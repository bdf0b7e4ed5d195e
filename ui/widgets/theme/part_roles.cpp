// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/part_roles.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QByteArrayView>
#include <QWidget>

namespace headlight {
namespace {

class NamedPart : public QAccessibleWidget {
public:
    explicit NamedPart(QWidget* widget) : QAccessibleWidget(widget) {}

    QAccessible::Role role() const override {
        // A widget is told of as soon as it has a name, and is a window until it has a parent.
        if (widget()->isWindow() || widget()->accessibleName().isEmpty()) return QAccessibleWidget::role();
        // What scrolls what it paints holds nothing but its bars.
        const bool isPainted = qobject_cast<QAbstractScrollArea*>(widget()) || childCount() == 0;
        return isPainted ? QAccessible::Graphic : QAccessible::Grouping;
    }
};

/// The class of Qt's that it is made from.
QByteArrayView kindOf(const QWidget& widget) {
    const QMetaObject* meta = widget.metaObject();
    while (QByteArrayView(meta->className()).startsWith("headlight::"))
        meta = meta->superClass();
    return meta->className();
}

QAccessibleInterface* makePart(const QString&, QObject* object) {
    auto* const widget = qobject_cast<QWidget*>(object);
    if (!widget) return nullptr;
    const QByteArrayView kind = kindOf(*widget);
    if (kind == "QAbstractButton") return new PressedButton(static_cast<QAbstractButton*>(widget));
    const bool isPart = kind == "QWidget" || kind == "QFrame" || kind == "QAbstractScrollArea";
    return isPart ? new NamedPart(widget) : nullptr;
}

}  // namespace

PressedButton::PressedButton(QAbstractButton* button) : QAccessibleWidget(button), m_button(button) {}

QAccessible::Role PressedButton::role() const {
    if (!m_button->isCheckable()) return QAccessible::Button;
    return m_button->autoExclusive() ? QAccessible::RadioButton : QAccessible::CheckBox;
}

QString PressedButton::text(QAccessible::Text kind) const {
    const QString own = QAccessibleWidget::text(kind);
    return kind == QAccessible::Name && own.isEmpty() ? m_button->text() : own;
}

QAccessible::State PressedButton::state() const {
    QAccessible::State state = QAccessibleWidget::state();
    state.checkable = m_button->isCheckable();
    state.checked = m_button->isChecked();
    state.pressed = m_button->isDown();
    return state;
}

QStringList PressedButton::actionNames() const {
    const QString own = m_button->isCheckable() ? toggleAction() : pressAction();
    return (m_button->isEnabled() ? QStringList{own} : QStringList()) + QAccessibleWidget::actionNames();
}

void PressedButton::doAction(const QString& name) {
    if (name == pressAction() || name == toggleAction()) return m_button->click();
    QAccessibleWidget::doAction(name);
}

void installPartRoles() {
    QAccessible::installFactory(makePart);  // Qt takes each once
}

}  // namespace headlight
