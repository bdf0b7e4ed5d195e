// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class ScheduleKind {
    Noam,  ///< factor · d_model^−½ · min(step^−½, step · warmup^−³ᐟ²) (Vaswani et al. 2017, equation 3)
    Constant,  ///< after a linear warm-up
    Cosine,    ///< linear warm-up, then half a cosine down to 0 at the last step (Loshchilov, Hutter 2017)
};

/// `noam`, `constant`, `cosine`.
const char* nameOf(ScheduleKind kind);

/// The learning rate as somebody turned it while the model learned: from that step on it is the plan's times a factor.
struct RateChange {
    long step = 1;
    double factor = 1;
    bool operator==(const RateChange&) const = default;
};

/// The steps rise, the factors are above 0. Throws Error otherwise.
void checkRateChanges(const std::vector<RateChange>& changes);
/// `STEP:FACTOR` in the order of the steps, as `200:0.5,400:2`; nothing for an empty text. Throws Error for anything
/// else.
std::vector<RateChange> parseRateChanges(std::string_view text);
/// The same the other way, with as many digits as the factors need to come back.
std::string textOf(const std::vector<RateChange>& changes);
/// The factor of that step; 1 where nothing was changed before it.
double factorAt(const std::vector<RateChange>& changes, long step);

/// The learning rate of each step.
struct Schedule {
    ScheduleKind kind = ScheduleKind::Noam;
    double learningRate = 1;  ///< with Noam the factor; otherwise the rate at its height
    int warmupSteps = 400;
    int dModel = 64;    ///< Noam only
    long steps = 1000;  ///< Cosine only
    std::vector<RateChange> changes = {};

    /// What suits the kind where the user says nothing. Cosine's peak falls with the root of the width, as Noam's does;
    /// recurrent models bear and need a higher one (of 0.002, 0.004, 0.006 and 0.009 a width of 128 learns `vi-en` in
    /// 600 steps with each cell the better the higher; 256 best at 0.006).
    static Schedule usual(ScheduleKind kind, int width, bool recurrent, long steps);

    /// step is counted from 1.
    double at(long step) const { return planned(step) * factorAt(changes, step); }
    /// Without the changes.
    double planned(long step) const;
};

}  // namespace headlight
