// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QMenu;

namespace headlight {

/// Where in the menu an action stands.
enum class ActionGroup { File, Edit, View, Lesson, Model, Help };
QString titleOf(ActionGroup group);

/// All that can be done in the window whatever it shows, once each: the menu, the keys, the palette and the sheet of
/// keys are made from this list. What only some view can do is that view's.
class Actions : public QObject {
    Q_OBJECT
public:
    /// Keys work in all of `window`.
    explicit Actions(QWidget* window);

    struct Definition {
        ActionGroup group;
        const char* id;  ///< stays the same in every language
        QString text;
        QKeySequence keys = {};
        QString does = {};  ///< on the sheet of keys, where the text does not say it all
        /// Its keys mean this while somebody types, too, whatever a text field makes of them.
        bool whileTyping = false;
    };
    struct Entry {
        ActionGroup group;
        QAction* action;
        QString does;
        QString submenu;  ///< in which of the group's menus it stands; empty: in the group's own
    };

    QAction* add(const Definition& definition, const std::function<void()>& act);
    /// One that was made elsewhere, under its id.
    void adopt(ActionGroup group, const char* id, QAction* action);
    /// Those that follow stand in a menu of that title within their group's; empty: no longer.
    void startSubmenu(const QString& title) { m_submenu = title; }
    /// A line in the group's menu.
    void separate(ActionGroup group);
    /// A menu within the group's that makes its own list each time it opens.
    void addMenu(ActionGroup group, QMenu* menu);

    const std::vector<Entry>& all() const { return m_all; }
    /// Null: there is none of that id.
    QAction* find(const QString& id) const;

    /// A menu for each group.
    QMenu* makeMenu(QWidget* parent) const;
    /// The keys of all actions that have some, as rich text, by groups.
    QString sheet() const;

private:
    /// A line of a group's menu: an action, a menu, or neither, which is a line across.
    struct Line {
        ActionGroup group;
        size_t entry = 0;
        QMenu* menu = nullptr;
        bool isLine = false;
    };

    /// Keys of ours stay ours where a field has the focus that would take them.
    bool eventFilter(QObject* watched, QEvent* event) override;

    QWidget* m_window;
    QString m_submenu;
    std::vector<Entry> m_all;
    std::vector<Line> m_lines;
    std::vector<QKeySequence> m_whileTyping;
};

}  // namespace headlight
