// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/cost_record.h"

#include <nlohmann/json.hpp>

#include "ui/session/trace/cost.h"

namespace headlight {

using nlohmann::json;

json costRecord(const StageState& state, const TrainedModel* model) {
    json record{{"lab", "cost"},
                {"words", state.cost.words},
                {"width", state.cost.width},
                {"kernel", state.cost.kernel},
                {"dilated", state.cost.dilated},
                {"translator", state.cost.model == CostOptions::Model::Lstm},
                {"sizes", {state.cost.source, state.cost.target, state.cost.embedding, state.cost.hidden}},
                {"biases", state.cost.biases},
                {"parts", json::array()}};
    if (!model) return record;
    for (const ModulePart& part : parametersByPart(*model))
        record["parts"].push_back({{"name", part.name.toStdString()},
                                   {"shapes", part.shapes.toStdString()},
                                   {"parameters", part.parameters}});
    return record;
}

}  // namespace headlight
