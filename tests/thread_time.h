// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>
#include <functional>

#include <malloc.h>

namespace headlight::fixture {

/// Seconds for which this thread has computed. What else runs on the machine does not count.
inline double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// How long this thread computes for `work`. From the first call on the program keeps the memory that it frees: pages
/// that come from the system anew, as those of larger sizes would, can take longer than the work itself.
inline double secondsFor(const std::function<void()>& work) {
    [[maybe_unused]] static const bool keepsMemory = mallopt(M_MMAP_MAX, 0) != 0 && mallopt(M_TRIM_THRESHOLD, -1) != 0;
    const double before = threadSeconds();
    work();
    return threadSeconds() - before;
}

}  // namespace headlight::fixture
