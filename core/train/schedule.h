// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

enum class ScheduleKind {
    Noam,  ///< factor · d_model^−½ · min(step^−½, step · warmup^−³ᐟ²) (Vaswani et al. 2017, equation 3)
    Constant,  ///< after a linear warm-up
    Cosine,    ///< linear warm-up, then half a cosine down to 0 at the last step (Loshchilov, Hutter 2017)
};

/// The learning rate of each step.
struct Schedule {
    ScheduleKind kind = ScheduleKind::Noam;
    double learningRate = 1;  ///< with Noam the factor; otherwise the rate at its height
    int warmupSteps = 400;
    int dModel = 64;    ///< Noam only
    long steps = 1000;  ///< Cosine only

    /// What suits the kind where the user says nothing. Cosine's peak falls with the root of the width, as Noam's does;
    /// recurrent models bear and need a higher one (of 0.002, 0.004, 0.006 and 0.009 a width of 128 learns `vi-en` in
    /// 600 steps with each cell the better the higher; 256 best at 0.006).
    static Schedule usual(ScheduleKind kind, int width, bool recurrent, long steps);

    /// step is counted from 1.
    double at(long step) const;
};

}  // namespace headlight
