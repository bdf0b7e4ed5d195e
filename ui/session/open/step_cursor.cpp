// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/step_cursor.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double kStepMilliseconds = 900;

}  // namespace

StepCursor::StepCursor(QObject* parent) : QObject(parent) {
    setSpeed(1);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        next();
        if (m_position == count() - 1) pause();
    });
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
    m_position = same >= 0 ? same : count() - 1;
    emit changed();
}

void StepCursor::setPosition(int position) {
    const int inside = std::clamp(position, count() == 0 ? -1 : 0, std::max(-1, count() - 1));
    if (inside == m_position) return;
    m_position = inside;
    emit changed();
}

void StepCursor::setGrain(Grain grain) {
    if (grain == m_grain) return;
    m_grain = grain;
    emit changed();
}

void StepCursor::setSpeed(double speed) {
    m_speed = speed;
    m_timer.setInterval(static_cast<int>(std::lround(kStepMilliseconds / speed)));
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

void StepCursor::next() {
    if (m_position + 1 >= count()) return;
    int to = m_position + 1;
    while (to + 1 < count() && sameScope(to, to + 1))
        ++to;
    setPosition(to);
}

void StepCursor::previous() {
    if (m_position <= 0) return;
    int to = m_position;
    while (to > 0 && sameScope(to, m_position))
        --to;
    setPosition(to);
}

void StepCursor::toStart() {
    setPosition(0);
}

void StepCursor::play() {
    if (count() == 0 || playing()) return;
    if (m_position == count() - 1) setPosition(0);
    m_timer.start();
    emit changed();
}

void StepCursor::pause() {
    if (!playing()) return;
    m_timer.stop();
    emit changed();
}

void StepCursor::togglePlaying() {
    if (playing())
        pause();
    else
        play();
}

}  // namespace headlight
