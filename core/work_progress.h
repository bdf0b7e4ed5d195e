// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <exception>
#include <functional>

namespace headlight {

/// Is told how much of a long work is done, from 0 to 1, and answers whether the work is to go on.
using WorkProgress = std::function<bool(double share)>;

/// What a work throws whose WorkProgress answered no: nobody waits for what it would have given back.
class WorkStopped : public std::exception {
public:
    const char* what() const noexcept override { return "the work was stopped"; }
};

/// Asks, where there is somebody to ask. Throws WorkStopped.
inline void tell(const WorkProgress& progress, double share) {
    if (progress && !progress(share)) throw WorkStopped();
}

/// Of a loop over many things: asks once in a few thousand.
inline void tellNowAndThen(const WorkProgress& progress, std::size_t done, std::size_t all) {
    constexpr std::size_t between = 4096;
    if (done % between == 0 && all > 0) tell(progress, static_cast<double>(done) / static_cast<double>(all));
}

/// What a part of the work tells, that begins and ends at these shares of the whole.
inline WorkProgress partOf(const WorkProgress& whole, double begin, double end) {
    if (!whole) return {};
    return [&whole, begin, end](double share) { return whole(begin + (end - begin) * share); };
}

}  // namespace headlight
