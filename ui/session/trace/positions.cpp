// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/positions.h"

#include <algorithm>

#include "core/nn/sinusoids.h"

namespace headlight {

PositionTable sinusoids(int length, int width, double base) {
    return {length, width, sinusoidalTable(length, width, base)};
}

bool hasPositions(const ModelConfig& config) {
    return !config.recurrent() && (config.positionalEncoding == PositionalKind::Sinusoidal ||
                                   config.positionalEncoding == PositionalKind::Learned);
}

PositionTable positionsOf(const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    if (!hasPositions(config)) return {};
    const int width = config.embeddingWidth();
    if (config.positionalEncoding == PositionalKind::Sinusoidal) {
        PositionTable table{config.maxLength, width,
                            sinusoidalTable(config.maxLength + config.positionOffset, width, config.positionalBase,
                                            config.sinusoidLayout)};
        table.values.erase(table.values.begin(), table.values.begin() + config.positionOffset * width);
        return table;
    }
    const ParameterSet& weights = std::as_const(*model.network).parameters();
    const auto found = std::ranges::find_if(weights.entries(), [](const ParameterSet::Entry& entry) {
        return entry.module->kind == ModuleKind::Positions;
    });
    const Tensor<const float> learned = weights.value(static_cast<ParameterId>(found - weights.entries().begin()));
    const int unused = config.positionOffset;
    return {learned.rows() - unused, learned.cols(), {learned.row(unused), learned.data + learned.count()}};
}

std::vector<double> similarityByOffset(const PositionTable& table, int reach) {
    const auto product = [&](int a, int b) {
        double sum = 0;
        for (int d = 0; d < table.width; ++d)
            sum += static_cast<double>(table.at(a, d)) * static_cast<double>(table.at(b, d));
        return sum;
    };
    const auto mean = [&](int offset) {
        double sum = 0;
        int count = 0;
        for (int p = std::max(0, -offset); p < table.length && p + offset < table.length; ++p, ++count)
            sum += product(p, p + offset);
        return count == 0 ? 0 : sum / count;
    };
    const double own = mean(0);
    std::vector<double> result;
    for (int offset = -reach; offset <= reach; ++offset)
        result.push_back(own == 0 ? 0 : mean(offset) / own);
    return result;
}

std::shared_ptr<const TrainedModel> withoutPositions(const TrainedModel& model) {
    ModelConfig config = model.network->config();
    if (config.recurrent() || config.positionalCombine == PositionalCombine::Concat) return nullptr;
    config.positionalEncoding = PositionalKind::None;
    config.positionOffset = 0;
    auto result = std::make_shared<TrainedModel>(model);
    result->network = Model::make(config);
    ParameterSet& to = result->network->parameters();
    const ParameterSet& from = std::as_const(*model.network).parameters();
    for (const ParameterSet::Entry& entry : to.entries())
        std::copy_n(from.value(entry.name).data, entry.shape.count(), to.flat().data() + entry.offset);
    return result;
}

}  // namespace headlight
