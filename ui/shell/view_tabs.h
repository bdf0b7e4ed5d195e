// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "ui/shell/rooms.h"

namespace headlight {

class Button;
class SegmentedControl;

/// What a view's tab says of it: its question or, where it has nothing to show of the open model, why.
QString tipOf(const Room::View& view);

/// The ways through a room, in the header: its groups of views, or its views where it has no groups. A group leads to
/// the view of it that was looked at last. What has nothing to show of the open model is pale; what there is no room
/// for stands in a menu at the end, but for the present one.
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
    /// A tab, whether or not it was the present one; after chosen().
    void clicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Tab {
        QString title, tip;
        bool suits = false;
        ViewName leadsTo = ViewName::Lessons;
    };
    std::vector<Tab> groupsOf(const std::vector<Room::View>& views) const;
    int widthOf(const std::vector<bool>& shown) const;
    void share();
    void openMenu();

    std::vector<Tab> m_all;
    std::map<QString, ViewName> m_lastOf;  ///< each group
    int m_current = 0;
    SegmentedControl* m_tabs;
    Button* m_more;
};

}  // namespace headlight
