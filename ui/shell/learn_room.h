// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/rooms.h"

namespace headlight {

class LessonList;
class Workbench;

/// The lessons to choose from; one that is open stands beside the other rooms.
class LearnRoom : public Room {
    Q_OBJECT
public:
    LearnRoom(Workbench& workbench, QWidget* parent);
    LessonList* list() const { return m_list; }

    std::vector<ViewName> viewNames() const override { return {ViewName::Lessons}; }
    ViewName currentView() const override { return ViewName::Lessons; }
    void showView(ViewName) override {}

signals:
    /// The stage is to show that.
    void stageWanted(const headlight::StageState& state);

private:
    LessonList* m_list;
};

}  // namespace headlight
