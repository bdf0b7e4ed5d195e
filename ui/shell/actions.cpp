// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QWidget>
#include <algorithm>
#include <map>
#include <utility>

namespace headlight {

namespace {

constexpr ActionGroup kGroups[] = {ActionGroup::File,   ActionGroup::Edit,  ActionGroup::View,
                                   ActionGroup::Lesson, ActionGroup::Model, ActionGroup::Help};

}  // namespace

QString titleOf(ActionGroup group) {
    switch (group) {
        case ActionGroup::File:
            return Actions::tr("File");
        case ActionGroup::Edit:
            return Actions::tr("Edit");
        case ActionGroup::View:
            return Actions::tr("View");
        case ActionGroup::Lesson:
            return Actions::tr("Lesson");
        case ActionGroup::Model:
            return Actions::tr("Model");
        case ActionGroup::Help:
            return Actions::tr("Help");
    }
    return {};
}

Actions::Actions(QWidget* window) : QObject(window), m_window(window) {
    qApp->installEventFilter(this);
}

bool Actions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(watched, event);
    const QKeySequence pressed(static_cast<QKeyEvent*>(event)->keyCombination());
    if (std::ranges::find(m_whileTyping, pressed) == m_whileTyping.end()) return QObject::eventFilter(watched, event);
    event->ignore();
    return true;
}

QAction* Actions::add(const Definition& definition, const std::function<void()>& act) {
    auto* action = new QAction(definition.text, m_window);
    action->setShortcut(definition.keys);
    connect(action, &QAction::triggered, m_window, act);
    if (definition.whileTyping) m_whileTyping.push_back(definition.keys);
    adopt(definition.group, definition.id, action);
    m_all.back().does = definition.does.isEmpty() ? definition.text : definition.does;
    return action;
}

void Actions::adopt(ActionGroup group, const char* id, QAction* action) {
    action->setObjectName(QLatin1String(id));
    m_window->addAction(action);  // so that its keys work while the menu is closed
    m_lines.push_back({.group = group, .entry = m_all.size()});
    m_all.push_back({group, action, action->text(), m_submenu});
}

void Actions::separate(ActionGroup group) {
    m_lines.push_back({.group = group, .isLine = true});
}

void Actions::addMenu(ActionGroup group, QMenu* menu) {
    m_lines.push_back({.group = group, .menu = menu});
}

QAction* Actions::find(const QString& id) const {
    const auto at = std::ranges::find_if(m_all, [&](const Entry& entry) { return entry.action->objectName() == id; });
    return at == m_all.end() ? nullptr : at->action;
}

QMenu* Actions::makeMenu(QWidget* parent) const {
    auto* menu = new QMenu(parent);
    for (const ActionGroup group : kGroups) {
        QMenu* const of = menu->addMenu(titleOf(group));
        std::map<QString, QMenu*> within;
        for (const Line& line : m_lines) {
            if (line.group != group) continue;
            if (line.isLine) {
                of->addSeparator();
            } else if (line.menu) {
                of->addMenu(line.menu);
            } else {
                const Entry& entry = m_all[line.entry];
                QMenu*& place = within[entry.submenu];
                if (!place) place = entry.submenu.isEmpty() ? of : of->addMenu(entry.submenu);
                place->addAction(entry.action);
            }
        }
    }
    return menu;
}

QString Actions::sheet() const {
    QString rows;
    for (const ActionGroup group : kGroups) {
        QString of;
        for (const Entry& entry : m_all) {
            QStringList keys;
            for (const QKeySequence& each : entry.action->shortcuts())
                keys << each.toString(QKeySequence::NativeText).toHtmlEscaped();
            if (entry.group == group && !keys.isEmpty())
                of += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                          .arg(keys.join(QStringLiteral(", ")), entry.does.toHtmlEscaped());
        }
        if (!of.isEmpty()) rows += QStringLiteral("<tr><td colspan=2><br><b>%1</b></td></tr>").arg(titleOf(group)) + of;
    }
    return QStringLiteral("<table cellspacing=5>%1</table>").arg(rows);
}

}  // namespace headlight

#include "moc_actions.cpp"
