// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/learn_room.h"

#include <QVBoxLayout>

#include "ui/lessons/first_look.h"
#include "ui/lessons/lesson_list.h"
#include "ui/shell/workbench.h"

namespace headlight {

LearnRoom::LearnRoom(Workbench& workbench, QWidget* parent)
    : Room(workbench, parent), m_list(new LessonList(workbench.lessons, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_list);
    connect(m_list, &LessonList::lessonChosen, &workbench.player, &LessonPlayer::open);
    connect(m_list, &LessonList::viewWanted, &workbench, &Workbench::viewRequested);
    connect(m_list->firstLook(), &FirstLook::insideWanted, this, &LearnRoom::stageWanted);
    m_list->firstLook()->setSettling(&workbench.settling);
    connect(m_list, &LessonList::failed, &workbench.session, &Session::failed);
}

}  // namespace headlight

#include "moc_learn_room.cpp"
