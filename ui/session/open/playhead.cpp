// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/playhead.h"

#include <algorithm>
#include <cmath>

#include "ui/session/open/motion.h"

namespace headlight {

Playhead::Playhead(QObject* parent) : QObject(parent) {
    m_nextStop = [](double time) { return std::floor(time) + 1; };
    m_way.setEasingCurve(QEasingCurve::InOutSine);
    m_way.setStartValue(0.0);
    m_way.setEndValue(1.0);
    connect(&m_way, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
        if (!motion::isReduced()) moveTo(std::lerp(m_from, m_target, share.toDouble()));
    });
    connect(&m_way, &QVariantAnimation::finished, this, [this] {
        moveTo(m_target);
        if (isAtEnd())
            pause();
        else if (m_playing)
            goOn();
    });
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
    m_way.stop();
    if (isAtEnd()) return pause();
    m_from = m_time;
    m_target = std::min(m_nextStop(m_time), static_cast<double>(m_count));
    m_way.setDuration(
        std::max(1, static_cast<int>(std::lround(motion::kOperation / m_speed * std::min(1.0, m_target - m_time)))));
    m_way.start();
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
    m_way.stop();
    emit playingChanged();
}

void Playhead::togglePlaying() {
    if (m_playing)
        pause();
    else
        play();
}

}  // namespace headlight
