// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <chrono>
#include <functional>
#include <utility>

#include "core/platform/pace.h"

namespace headlight {

/// A single shot after a wait that is meant for a reader. How long it waits is asked of platform::paced() each time it
/// starts; starting it again begins the wait anew.
class PacedTimer : public QTimer {
public:
    explicit PacedTimer(std::chrono::milliseconds usual) : m_usual(usual) { setSingleShot(true); }

    void start() { QTimer::start(platform::paced(m_usual)); }

private:
    std::chrono::milliseconds m_usual;
};

/// Calls `say` if a work is still under way after a while, so that nothing flickers where it is quick. Its owner starts
/// it with the work and stops it at the end.
class Patience {
public:
    Patience(std::chrono::milliseconds usual, std::function<void()> say) : m_usual(usual), m_say(std::move(say)) {
        m_timer.setSingleShot(true);
        m_timer.callOnTimeout(m_say);
    }

    /// At the pace AtOnce it is said before this returns, however quick the work is.
    void start() {
        const std::chrono::milliseconds wait = platform::paced(m_usual);
        if (wait.count() > 0) return m_timer.start(wait);
        m_timer.stop();
        m_say();
    }
    void stop() { m_timer.stop(); }
    bool isActive() const { return m_timer.isActive(); }

private:
    std::chrono::milliseconds m_usual;
    std::function<void()> m_say;
    QTimer m_timer;
};

}  // namespace headlight
