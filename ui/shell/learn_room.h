// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

class LessonList;
class Workbench;

/// The lessons to choose from; one that is open stands beside the other rooms.
class LearnRoom : public QWidget {
    Q_OBJECT
public:
    LearnRoom(Workbench& workbench, QWidget* parent);
    LessonList* list() const { return m_list; }

private:
    LessonList* m_list;
};

}  // namespace headlight
