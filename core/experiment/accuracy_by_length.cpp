// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/accuracy_by_length.h"

#include <algorithm>

#include "core/error.h"
#include "core/models/seq2seq.h"

namespace headlight {

std::vector<LengthBin> accuracyByLength(const TrainedModel& model, const Corpus& corpus, std::span<const int> edges,
                                        const BeamOptions& options) {
    model.seq2seq();
    if (edges.empty() || edges.front() < 1 || std::ranges::adjacent_find(edges, std::greater_equal<>()) != edges.end())
        throw Error("the lengths must rise, as in 5,10,20,40");
    std::vector<Corpus> parts(edges.size());
    for (const SentencePair& pair : corpus) {
        const int length = static_cast<int>(model.source->split(pair.source).size());
        const auto edge = std::ranges::lower_bound(edges, length);
        if (length > 0 && edge != edges.end()) parts[static_cast<size_t>(edge - edges.begin())].push_back(pair);
    }
    std::vector<LengthBin> bins;
    for (size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].empty())
            bins.push_back({i == 0 ? 1 : edges[i - 1] + 1, edges[i], evaluate(model, parts[i], options)});
    return bins;
}

}  // namespace headlight
