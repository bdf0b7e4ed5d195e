// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/head_worth.h"

#include "core/error.h"

namespace headlight {

HeadAblation ablateHeads(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options,
                         const std::function<bool(double)>& progress) {
    const std::vector<std::string> blocks = model.network->attentionBlocks();
    const int heads = model.network->attentionHeads();
    if (blocks.empty()) throw Error("this model has no attention, and so no heads");
    const double evaluations = 1 + static_cast<double>(blocks.size()) * heads;
    HeadAblation result{evaluate(model, corpus, options), {}};
    for (const std::string& block : blocks)
        for (int head = 0; head < heads; ++head) {
            if (progress && !progress(static_cast<double>(1 + result.heads.size()) / evaluations)) return result;
            BeamOptions muted = options;
            const MutedHead only{block, head};
            muted.mutedHeads = {&only, 1};
            result.heads.push_back({only, evaluate(model, corpus, muted)});
        }
    return result;
}

}  // namespace headlight
