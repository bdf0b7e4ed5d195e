// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/rooms.h"

class QMenu;

namespace headlight {

class Button;
class SegmentedControl;

/// The views of a room as tabs. Those that have nothing to show of the open model, and those that there is no room
/// for, stand in a menu at their end; the one that is shown is always a tab.
class ViewTabs : public QWidget {
    Q_OBJECT
public:
    explicit ViewTabs(QWidget* parent = nullptr);

    void setViews(const std::vector<Room::View>& views, ViewName current);
    SegmentedControl* tabs() const { return m_tabs; }
    Button* more() const { return m_more; }
    /// Titles that stand in the menu, in its order.
    QStringList inMenu() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(ViewName view);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int widthOf(const std::vector<bool>& shown) const;
    std::vector<bool> suited() const;
    void share();
    void openMenu();

    std::vector<Room::View> m_views;
    int m_current = 0;
    SegmentedControl* m_tabs;
    Button* m_more;
};

}  // namespace headlight
