// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/step_cursor.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/open/motion.h"

namespace headlight {

StepCursor::StepCursor(QObject* parent) : QObject(parent), m_head(this) {
    m_head.setNextStop([this](double time) {
        const int first = static_cast<int>(std::floor(time));
        return first < count() ? lastOfStep(first) + 1.0 : time;
    });
    connect(&m_head, &Playhead::moved, this, [this] {
        if (std::exchange(m_position, position()) == position())
            emit phaseChanged();
        else
            emit changed();
    });
    connect(&m_head, &Playhead::playingChanged, this, &StepCursor::changed);
}

void StepCursor::setTrace(const Trace& trace) {
    const bool wasAtEnd = m_position < 0 || m_position == count() - 1;
    const std::string here = m_position >= 0 ? m_names[static_cast<size_t>(m_position)] : std::string();
    m_names.clear();
    m_scopes.clear();
    for (const TraceRecord& record : trace.records()) {
        m_names.push_back(record.name);
        m_scopes.push_back(stepScope(record));
    }
    const int same = wasAtEnd ? -1 : trace.indexOf(here);
    {
        const QSignalBlocker quiet(m_head);
        const bool wasPlaying = playing();
        m_head.setCount(count());
        if (same >= 0) m_head.setTime(same + 1);
        if (wasPlaying && !isAtEnd()) m_head.play();
    }
    m_position = position();
    emit changed();
}

void StepCursor::setPosition(int position) {
    if (count() > 0) m_head.setTime(std::clamp(position, 0, count() - 1) + 1);
}

void StepCursor::setGrain(Grain grain) {
    if (grain == m_grain) return;
    m_grain = grain;
    emit changed();
}

void StepCursor::setSpeed(double speed) {
    m_head.setSpeed(speed);
    emit changed();
}

bool StepCursor::sameScope(int a, int b) const {
    const StepScope &x = m_scopes[static_cast<size_t>(a)], &y = m_scopes[static_cast<size_t>(b)];
    switch (m_grain) {
        case Grain::Layer:
            return x.layer == y.layer;
        case Grain::Sublayer:
            return x.sublayer == y.sublayer;
        case Grain::Operation:
            return a == b;
    }
    return false;
}

int StepCursor::lastOfStep(int first) const {
    int last = first;
    while (last + 1 < count() && sameScope(last, last + 1))
        ++last;
    return last;
}

/// What is under way is finished first.
void StepCursor::next() {
    const int first = phase() < 1 ? position() : position() + 1;
    if (count() > 0 && first < count()) setPosition(lastOfStep(first));
}

void StepCursor::previous() {
    if (position() <= 0) return;
    int to = position();
    while (to > 0 && sameScope(to, position()))
        --to;
    setPosition(to);
}

void StepCursor::toStart() {
    setPosition(0);
}

void StepCursor::play() {
    // The first record is there at once where nothing moves.
    if (m_head.isAtEnd() && motion::isReduced()) setPosition(0);
    m_head.play();
}

void StepCursor::pause() {
    m_head.pause();
}

void StepCursor::togglePlaying() {
    if (playing())
        pause();
    else
        play();
}

}  // namespace headlight

#include "moc_step_cursor.cpp"
