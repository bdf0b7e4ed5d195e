// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/pace.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace headlight::platform {

namespace {

Pace paceOfEnvironment() {
    const char* const variable = std::getenv("HEADLIGHT_PACE");
    const std::string_view wanted = variable ? variable : "";
    return wanted == "at-once" ? Pace::AtOnce : wanted == "hourly" ? Pace::Hourly : Pace::Usual;
}

/// Asked by threads while a test sets it.
std::atomic<Pace>& present() {
    static std::atomic<Pace> pace = paceOfEnvironment();
    return pace;
}

}  // namespace

Pace pace() {
    return present();
}

std::chrono::milliseconds paced(std::chrono::milliseconds usual) {
    switch (pace()) {
        case Pace::AtOnce:
            return std::chrono::milliseconds(0);
        case Pace::Hourly:
            return std::chrono::hours(1);
        case Pace::Usual:
            break;
    }
    return usual;
}

ScopedPace::ScopedPace(Pace pace) : m_before(present().exchange(pace)) {}

ScopedPace::~ScopedPace() {
    present() = m_before;
}

Throttle::Throttle(std::chrono::milliseconds first, std::chrono::milliseconds every) : m_wait(first), m_every(every) {}

bool Throttle::isDue() {
    if (std::chrono::steady_clock::now() - m_since < paced(m_wait)) return false;
    restart();
    return true;
}

void Throttle::restart() {
    m_since = std::chrono::steady_clock::now();
    m_wait = m_every;
}

}  // namespace headlight::platform
