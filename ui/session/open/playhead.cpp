// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/playhead.h"

#include <algorithm>
#include <cmath>

#include "ui/session/open/motion.h"

namespace headlight {

Playhead::Playhead(QObject* parent) : QObject(parent) {
    m_nextStop = [](double time) { return std::floor(time) + 1; };
    // A screen shows sixty pictures a second. Qt's animations ask for one each 16 ms, so that one that comes late is
    // missed; these have 4 ms to be late in.
    constexpr int kFrame = 12;
    m_frames.setTimerType(Qt::PreciseTimer);
    m_frames.setInterval(kFrame);
    connect(&m_frames, &QTimer::timeout, this, &Playhead::showFrame);
}

/// Where it is by now, and on its way again once it is there.
void Playhead::showFrame() {
    const double share = static_cast<double>(m_since.nsecsElapsed()) / 1e6 / m_duration;
    if (share < 1) {
        if (!motion::isReduced()) moveTo(std::lerp(m_from, m_target, m_easing.valueForProgress(share)));
        return;
    }
    m_frames.stop();
    moveTo(m_target);
    if (isAtEnd())
        pause();
    else if (m_playing)
        goOn();
}

int Playhead::operation() const {
    return m_count == 0 ? -1 : std::max(0, static_cast<int>(std::ceil(m_time)) - 1);
}

double Playhead::phase() const {
    return m_count == 0 ? 1 : m_time - operation();
}

void Playhead::setCount(int count) {
    m_count = count;
    setTime(count);
}

void Playhead::moveTo(double time) {
    const double inside = std::clamp(time, 0.0, static_cast<double>(m_count));
    if (inside == m_time) return;
    m_time = inside;
    emit moved();
}

void Playhead::setTime(double time) {
    moveTo(motion::isReduced() ? std::ceil(time) : time);
    if (m_playing) goOn();
}

void Playhead::holdAt(double time) {
    pause();
    moveTo(time);
}

void Playhead::setSpeed(double speed) {
    m_speed = speed;
    if (m_playing) goOn();
}

/// Part of an operation takes part of the time; several at once take that of one.
void Playhead::goOn() {
    m_frames.stop();
    if (isAtEnd()) return pause();
    m_from = m_time;
    m_target = std::min(m_nextStop(m_time), static_cast<double>(m_count));
    m_duration = std::max(1.0, motion::kOperation / m_speed * std::min(1.0, m_target - m_time));
    m_since.start();
    m_frames.start();
}

void Playhead::play() {
    if (m_count == 0 || m_playing) return;
    if (isAtEnd()) moveTo(0);
    m_playing = true;
    goOn();
    emit playingChanged();
}

void Playhead::pause() {
    if (!m_playing) return;
    m_playing = false;
    m_frames.stop();
    emit playingChanged();
}

void Playhead::togglePlaying() {
    if (m_playing)
        pause();
    else
        play();
}

}  // namespace headlight

#include "moc_playhead.cpp"
