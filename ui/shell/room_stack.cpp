// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/room_stack.h"

#include <QCoreApplication>
#include <algorithm>
#include <cassert>
#include <utility>

#include "ui/shell/navigation_accessible.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

RoomStack::RoomStack(Workbench& workbench, QWidget* parent) : QStackedWidget(parent) {
    installNavigationAccessibility();  // a tab is told of as soon as it has a name
    for (const RoomEntry& entry : rooms()) {
        Room* const room = entry.make(workbench, this);
        addWidget(room);
        m_rooms.push_back(room);
        connect(room, &Room::optionsChanged, this, &RoomStack::optionsChanged);
    }
    connect(&workbench, &Workbench::viewRequested, this, &RoomStack::showView);
    connect(&workbench, &Workbench::lookInsideRequested, this,
            [this] { showView(roomOf(ViewName::Attention).currentView()); });
}

Room& RoomStack::roomOf(ViewName view) const {
    const auto has = [&](const Room* room) { return std::ranges::count(room->viewNames(), view) > 0; };
    const auto found = std::ranges::find_if(m_rooms, has);
    assert(found != m_rooms.end());
    return **found;
}

QString RoomStack::titleOf(ViewName view) const {
    return QCoreApplication::translate("Views", viewOf(view).title);
}

std::vector<Staged*> RoomStack::staged() const {
    std::vector<Staged*> all;
    for (Room* room : m_rooms)
        for (Staged* each : room->staged())
            all.push_back(each);
    return all;
}

void RoomStack::showControls(bool shown) {
    if (std::exchange(m_hasControls, shown) == shown) return;
    for (auto* const panel : findChildren<headlight::Panel*>())
        if (panel->holdsControls()) panel->stow(Foldable::By::Lecture, !shown);
    emit controlsShown(shown);
}

void RoomStack::showPanels(const StageTexts& names) {
    if (std::exchange(m_shownPanels, names) == names) return;
    const bool areAll = names.empty() || names.front() == "all";
    for (auto* const panel : findChildren<Foldable*>()) {
        const char* const name = panel->panelName();
        if (!name) continue;
        const bool isHere = current().isAncestorOf(panel);
        const bool isNamed = std::ranges::find(names, name) != names.end();
        panel->stow(Foldable::By::Step, isHere && !areAll && !isNamed);
        panel->setAskedFor(isHere && !areAll && isNamed);
    }
}

void RoomStack::showView(ViewName view) {
    if (view != this->view()) showPanels({});
    Room& room = roomOf(view);
    room.showView(view);
    setCurrentWidget(&room);
    emit viewChanged();
}

void RoomStack::goOn(int by) {
    const std::vector<Room::View> all = current().views();
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    std::ptrdiff_t at = std::ranges::find(all, view(), &Room::View::name) - all.begin();
    for (std::ptrdiff_t tried = 1; tried < count; ++tried) {
        at = (at + by + count) % count;
        if (all[static_cast<size_t>(at)].suits()) return showView(all[static_cast<size_t>(at)].name);
    }
}

void RoomStack::showRoom(int room) {
    showPanels({});
    setCurrentIndex(room);
    emit viewChanged();
}

}  // namespace headlight

#include "moc_room_stack.cpp"
