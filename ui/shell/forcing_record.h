// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/experiment/free_running.h"

namespace headlight {

/// What a web page keeps of a decoder that is fed the truth and its own words; `chosen`: the step that is looked at;
/// `report`: both ways over a test set, null: not known. What it writes by itself is in forcedRuns().
nlohmann::json forcingRecord(const TrainedModel& model, const TwoWays& ways, int chosen, const ForcingReport* report);

/// What the reader may have it read, as the page needs it to let the truth be handed in.
struct ForcingQuestion {
    std::string source, truth;
    std::vector<MutedHead> muted;
};
/// What the decoder writes by itself, by the places at which it is handed the truth ("", "3", "3,5"): each place that
/// makes a difference, alone and with those before it, the fewest first, and no more than a page may hold.
nlohmann::json freeRuns(const TrainedModel& model, const ForcingQuestion& question);

}  // namespace headlight
