// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace headlight::bench {

/// Milliseconds since this process was started, libraries and all (Linux; to a hundredth of a second).
inline double sinceStart() {
    std::ifstream uptime("/proc/uptime"), stat("/proc/self/stat");
    double now = 0;
    uptime >> now;
    std::string field;
    for (int i = 0; i < 22; ++i)
        stat >> field;
    return (now - std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK))) * 1000;
}

/// In MiB, by its name in /proc/self/status: `VmRSS:` is what is resident, `VmHWM:` the most that was so far.
inline double memory(std::string_view name) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == name) break;
    double kib = 0;
    status >> kib;
    return kib / 1024;
}

}  // namespace headlight::bench
