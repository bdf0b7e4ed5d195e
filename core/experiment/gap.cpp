// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/gap.h"

#include <algorithm>
#include <vector>

namespace headlight {

std::optional<int> firstGap(const ModelConfig& config, const Trace& trace) {
    if (!config.masked()) return {};
    const std::vector<int> ids = trace.at("ids").ids();
    const auto mask = std::ranges::find(ids, config.mask());
    if (mask == ids.end()) return {};
    return static_cast<int>(mask - ids.begin());
}

}  // namespace headlight
