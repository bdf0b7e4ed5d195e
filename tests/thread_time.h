// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>
#include <functional>

namespace headlight::fixture {

/// Seconds for which this thread has computed. What else runs on the machine does not count.
inline double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// How long this thread computes for `work`.
inline double secondsFor(const std::function<void()>& work) {
    const double before = threadSeconds();
    work();
    return threadSeconds() - before;
}

}  // namespace headlight::fixture
