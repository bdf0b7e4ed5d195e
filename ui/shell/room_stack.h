// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <vector>

#include "ui/shell/rooms.h"

namespace headlight {

/// The rooms, one of which is seen, and in it one view. Knows which view stands in which room; whoever shows a view
/// needs to know no more than its name.
class RoomStack : public QStackedWidget {
    Q_OBJECT
public:
    explicit RoomStack(Workbench& workbench, QWidget* parent = nullptr);

    ViewName view() const { return current().currentView(); }
    void showView(ViewName view);
    /// To the next view of the present room that has something to show of the open model, round and round; −1: to the
    /// one before.
    void goOn(int by);
    /// The room as it was left, by its place in rooms().
    void showRoom(int room);
    /// Of the present room.
    const std::vector<Room*>& all() const { return m_rooms; }
    Room& current() const { return *m_rooms[static_cast<size_t>(currentIndex())]; }
    Room& roomOf(ViewName view) const;
    QString titleOf(ViewName view) const;
    /// Whether bars of controls are there; without them pictures have all the room.
    bool hasControls() const { return m_hasControls; }
    void showControls(bool shown);
    /// The panels of the present view that are seen, by View::panels, until another is (`StageState::show`).
    const StageTexts& shownPanels() const { return m_shownPanels; }
    void showPanels(const StageTexts& names);
    /// Every view with options, in whatever room.
    std::vector<Staged*> staged() const;
    /// The room of that class, for whoever drives its widgets (tests, figures).
    template <class Wanted>
    Wanted* find() const {
        return findChild<Wanted*>({}, Qt::FindDirectChildrenOnly);
    }

signals:
    /// Another view is seen.
    void viewChanged();
    /// The reader changed an option of some view.
    void optionsChanged();
    void controlsShown(bool shown);

private:
    std::vector<Room*> m_rooms;
    bool m_hasControls = true;
    StageTexts m_shownPanels;
};

}  // namespace headlight
