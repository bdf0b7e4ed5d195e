// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/navigation_accessible.h"

#include <QAbstractButton>
#include <QAccessible>

#include "ui/shell/view_group.h"
#include "ui/shell/view_tabs.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/part_roles.h"

namespace headlight {
namespace {

/// A checkable button by which one of several places is chosen.
class PlaceButton : public PressedButton {
public:
    PlaceButton(QAbstractButton* button, QAccessible::Role role) : PressedButton(button), m_role(role) {}

    QAccessible::Role role() const override { return m_role; }
    QAccessible::State state() const override {
        QAccessible::State state = PressedButton::state();
        state.checkable = state.checked = false;  // to whoever hears it, it is selected
        state.selectable = true;
        state.selected = m_button->isChecked();
        return state;
    }
    QStringList actionNames() const override {
        return PressedButton::actionNames().replaceInStrings(toggleAction(), pressAction());
    }

private:
    QAccessible::Role m_role;
};

QAccessibleInterface* makeNavigation(const QString&, QObject* object) {
    if (auto* rail = qobject_cast<RailButton*>(object)) return new PlaceButton(rail, QAccessible::ListItem);
    if (auto* tabs = qobject_cast<SegmentedControl*>(object))
        return isNavigation(*tabs) ? new QAccessibleWidget(tabs, QAccessible::PageTabList) : nullptr;
    if (auto* button = qobject_cast<QAbstractButton*>(object)) {
        const auto* const tabs = qobject_cast<SegmentedControl*>(button->parentWidget());
        return tabs && isNavigation(*tabs) ? new PlaceButton(button, QAccessible::PageTab) : nullptr;
    }
    if (auto* panel = qobject_cast<Panel*>(object))
        return panel->findChild<RailButton*>({}, Qt::FindDirectChildrenOnly)
                   ? new QAccessibleWidget(panel, QAccessible::List)
                   : nullptr;
    return nullptr;
}

}  // namespace

bool isNavigation(const SegmentedControl& tabs) {
    const QWidget* const around = tabs.parentWidget();
    return qobject_cast<const ViewTabs*>(around) || qobject_cast<const ViewGroup*>(around);
}

void installNavigationAccessibility() {
    QAccessible::installFactory(makeNavigation);  // Qt takes each once
}

}  // namespace headlight
