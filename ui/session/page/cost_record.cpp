// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/cost_record.h"

#include <nlohmann/json.hpp>

#include "ui/session/trace/cost.h"

namespace headlight {

using nlohmann::json;

json costRecord(const StageState& state, const TrainedModel* model) {
    json record{{"lab", "cost"},
                {"words", state.costWords},
                {"width", state.costWidth},
                {"kernel", state.costKernel},
                {"dilated", state.costDilated},
                {"translator", state.costModel == StageState::CostModel::Lstm},
                {"sizes", {state.costSource, state.costTarget, state.costEmbedding, state.costHidden}},
                {"biases", state.costBiases},
                {"parts", json::array()}};
    if (!model) return record;
    for (const ModulePart& part : parametersByPart(*model))
        record["parts"].push_back({{"name", part.name.toStdString()},
                                   {"shapes", part.shapes.toStdString()},
                                   {"parameters", part.parameters}});
    return record;
}

}  // namespace headlight
