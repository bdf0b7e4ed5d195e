// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr size_t mostRateChanges = 10000;

}  // namespace

void checkRateChanges(const std::vector<RateChange>& changes) {
    if (changes.size() > mostRateChanges) throw Error("rate-changes are more than 10,000: leave some out");
    long last = 0;
    for (const RateChange& change : changes) {
        if (change.step <= last) throw Error("rate-changes name steps from 1 on, each later than the one before");
        if (!(change.factor > 0 && change.factor <= 1e6)) throw Error("rate-changes have factors above 0");
        last = change.step;
    }
}

std::vector<RateChange> parseRateChanges(std::string_view text) {
    std::vector<RateChange> changes;
    while (!text.empty()) {
        const std::string_view each = text.substr(0, text.find(','));
        const size_t colon = each.find(':');
        RateChange change;
        if (colon == std::string_view::npos || !readNumber(each.substr(0, colon), change.step) ||
            !readNumber(each.substr(colon + 1), change.factor))
            throw Error("rate-changes are written STEP:FACTOR,STEP:FACTOR as 200:0.5,400:2, not " + std::string(each));
        changes.push_back(change);
        text.remove_prefix(std::min(text.size(), each.size() + 1));
    }
    checkRateChanges(changes);
    return changes;
}

std::string textOf(const std::vector<RateChange>& changes) {
    std::string text;
    for (const RateChange& change : changes) {
        char factor[32];
        const auto end = std::to_chars(std::begin(factor), std::end(factor), change.factor).ptr;
        text += (text.empty() ? "" : ",") + std::to_string(change.step) + ":" + std::string(std::begin(factor), end);
    }
    return text;
}

double factorAt(const std::vector<RateChange>& changes, long step) {
    double factor = 1;
    for (const RateChange& change : changes)
        if (change.step <= step) factor = change.factor;
    return factor;
}

const char* nameOf(ScheduleKind kind) {
    switch (kind) {
        case ScheduleKind::Noam:
            return "noam";
        case ScheduleKind::Constant:
            return "constant";
        case ScheduleKind::Cosine:
            return "cosine";
    }
    return "";
}

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

double Schedule::planned(long step) const {
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
