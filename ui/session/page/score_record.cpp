// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/score_record.h"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

#include "ui/session/trace/module_weights.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

using nlohmann::json;
using As = UsedWeight::As;

/// Every row of the value through a map, [out, in]; `Number` is what the sums are made in.
template <class Number>
json mappedRows(const TraceRecord& record, const Tensor<const float>& map) {
    json rows = json::array();
    for (int r = 0; r < matrixRows(record); ++r) {
        const std::span<const float> row = matrixRow(record, 0, r);
        json mapped = json::array();
        for (int d = 0; d < map.rows(); ++d)
            mapped.push_back(static_cast<double>(std::inner_product(row.begin(), row.end(), map.row(d), Number{0})));
        rows.push_back(std::move(mapped));
    }
    return rows;
}

json additive(const TrainedModel& model, const Trace& trace, const TraceRecord& scores) {
    const Tensor<const float> toQuery = weightOf(model, scores, As::QueryMap),
                              toKey = weightOf(model, scores, As::KeyMap), energy = weightOf(model, scores, As::Energy);
    if (!toQuery || !toKey || !energy) return {};
    return {{"kind", "additive"},
            {"queries", mappedRows<double>(trace.at(scores.inputs[0]), toQuery)},
            {"keys", mappedRows<double>(trace.at(scores.inputs[1]), toKey)},
            {"energy", std::vector<double>(energy.row(0), energy.row(0) + energy.cols())}};
}

}  // namespace

json scoreRecord(const TrainedModel& model, const Trace& trace, const TraceRecord& scores) {
    const auto isThere = [&trace](const std::string& input) { return trace.find(input) != nullptr; };
    if (scores.inputs.size() < 2 || !std::ranges::all_of(scores.inputs, isThere)) return {};
    if (scores.operation == Operation::AdditiveScores) return additive(model, trace, scores);
    if (scores.operation != Operation::AttentionScores && scores.operation != Operation::DotScores) return {};
    const TraceRecord &queries = trace.at(scores.inputs[0]), &keys = trace.at(scores.inputs[1]);
    const Tensor<const float> map = weightOf(model, scores, As::KeyMap);
    const bool projected = queries.owner().kind == ModuleKind::Attention;
    json score{{"kind", "dot"},
               {"query", trace.indexOf(queries.name)},
               {"key", trace.indexOf(keys.name)},
               {"queryName", projected ? "q" : "s"},
               {"keyName", projected ? "k"
                           : map     ? "W h"
                                     : "h"}};
    if (map) score["keys"] = mappedRows<float>(keys, map);
    if (const std::optional<int> layer = layerDivisor(scores)) {
        score["root"] = matrixColumns(queries);
        score["layer"] = *layer;
    }
    if (scores.factor != 1) score["factor"] = scores.factor;
    if (scores.inputs.size() > 2) score["bias"] = trace.indexOf(scores.inputs[2]);
    return score;
}

}  // namespace headlight
