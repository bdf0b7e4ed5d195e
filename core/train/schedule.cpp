// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {

Schedule Schedule::usual(ScheduleKind kind, int width, bool recurrent, long steps) {
    switch (kind) {
        case ScheduleKind::Noam:
            return {kind, 1, 400, width, steps};
        case ScheduleKind::Constant:
            return {kind, 0.001, 0, width, steps};
        case ScheduleKind::Cosine:
            return {kind, recurrent ? 0.007 * std::sqrt(128.0 / width) : 0.003 * std::sqrt(64.0 / width), 200, width,
                    steps};
    }
    return {};
}

double Schedule::at(long step) const {
    const double t = static_cast<double>(step), warmup = std::max(1, warmupSteps);
    const double rise = std::min(1.0, t / warmup);
    switch (kind) {
        case ScheduleKind::Noam:
            return learningRate / std::sqrt(dModel) * std::min(1 / std::sqrt(t), t / (warmup * std::sqrt(warmup)));
        case ScheduleKind::Constant:
            return learningRate * (warmupSteps > 0 ? rise : 1);
        case ScheduleKind::Cosine: {
            if (t < warmup) return learningRate * rise;
            const double span = std::max(1.0, static_cast<double>(steps) - warmup);
            return learningRate * 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, (t - warmup) / span)));
        }
    }
    return learningRate;
}

}  // namespace headlight
