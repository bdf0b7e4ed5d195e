// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lesson_walk.h"

#include "ui/lessons/lesson_player.h"
#include "ui/shell/stage.h"

namespace headlight {

LessonWalk::LessonWalk(LessonPlayer& player, Stage& stage, QObject* parent)
    : QObject(parent), m_player(player), m_stage(stage) {}

void LessonWalk::start() {
    m_before = m_stage.state();
    m_stepBefore = m_player.step();
    m_player.setVeilsLifted(true);
    connect(&m_stage, &Stage::settled, this, &LessonWalk::take);
    connect(&m_stage, &Stage::failed, this, [this](Settling::Revision, const QString& why) { goBack(why); });
    show(0);
}

void LessonWalk::stop() {
    goBack({});
}

void LessonWalk::show(int step) {
    m_step = step;
    m_player.goTo(step);
    m_shown = m_stage.revision();
}

void LessonWalk::take(Settling::Revision revision) {
    if (revision != m_shown) return;  // the reader meddled: the step's own state follows
    emit stepShown(m_step);
    if (m_step + 1 < m_player.steps()) return show(m_step + 1);
    goBack({});
}

void LessonWalk::goBack(const QString& failure) {
    disconnect(&m_stage, nullptr, this, nullptr);
    const auto end = [this, failure](Settling::Revision revision) {
        if (revision != m_shown) return;
        disconnect(&m_stage, nullptr, this, nullptr);
        emit ended(failure);
    };
    connect(&m_stage, &Stage::settled, this, end);
    connect(&m_stage, &Stage::failed, this, end);
    m_player.setVeilsLifted(false);
    m_player.goTo(m_stepBefore);
    m_shown = m_stage.apply(m_before);
}

}  // namespace headlight

#include "moc_lesson_walk.cpp"
