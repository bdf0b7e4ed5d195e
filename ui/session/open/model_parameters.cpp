// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/model_parameters.h"

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"

namespace headlight {

ModelParameters parametersOf(const Model& model) {
    ModelParameters all;
    for (const ParameterSet::Entry& entry : model.parameters().entries())
        all.emplace_back(entry.module, static_cast<long>(entry.shape.count()));
    return all;
}

std::array<int, 2> vocabularySizes(const TrainingData& data, uint64_t seed) {
    // The smallest model that has words of both sides.
    const nlohmann::json smallest{
        {"architecture", "transformer"}, {"d_model", 2},           {"d_ff", 1}, {"num_heads", 1},
        {"num_encoder_layers", 1},       {"num_decoder_layers", 1}};
    const TrainedModel model = newModel(smallest, data.words(), data.splits(seed).train, seed);
    return {model.source->vocabulary().size(), model.target->vocabulary().size()};
}

}  // namespace headlight
