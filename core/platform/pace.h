// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace headlight::platform {

/// How soon the program speaks and how patient it is. Every wait that is meant for a reader asks here, so that a test
/// can take the clock away instead of needing a machine that is slow, or fast:
/// - throttles: work reports no more often than every half second, a run is kept on disk every five seconds;
/// - patience: "Reading …" is said only when it has taken 300 ms;
/// - settling: a value is used when the slider has come to rest, letters typed within a second are undone together;
/// - notes that go away by themselves, such as "Copied".
///
/// Not asked are waits that somebody else sets the pace of: the frames of an animation, looking into a mailbox thirty
/// times a second, the seconds that a measurement may take.
enum class Pace {
    Usual,
    AtOnce,  ///< every wait is over when it begins
    Hourly,  ///< every wait takes an hour: whoever comes to its end has waited for something else
};

/// The pace of this process. It starts as the environment variable HEADLIGHT_PACE says: `at-once`, `hourly`, anything
/// else is the usual one. Child processes inherit the variable, not a ScopedPace.
Pace pace();

/// What a wait of so long is at the present pace: `usual`, nothing, or an hour.
std::chrono::milliseconds paced(std::chrono::milliseconds usual);

/// Sets the pace of the whole process and puts the previous one back at the end of its scope. A timer that is under way
/// keeps its length; a Throttle asks each time. For tests.
class ScopedPace {
public:
    explicit ScopedPace(Pace pace);
    ~ScopedPace();
    ScopedPace(const ScopedPace&) = delete;
    ScopedPace& operator=(const ScopedPace&) = delete;

private:
    Pace m_before;
};

/// Keeps work from reporting more often than it is worth.
class Throttle {
public:
    explicit Throttle(std::chrono::milliseconds every) : Throttle(every, every) {}
    /// The first report is due after `first`, the later ones `every` so often.
    Throttle(std::chrono::milliseconds first, std::chrono::milliseconds every);

    /// Returns true if the interval has passed since this was last true, or since the throttle was made.
    bool isDue();
    /// Counts from now on, as after a report.
    void restart();

private:
    std::chrono::milliseconds m_wait, m_every;
    std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
};

}  // namespace headlight::platform
