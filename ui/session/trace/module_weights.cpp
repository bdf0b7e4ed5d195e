// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/module_weights.h"

#include "ui/session/trace/value_region.h"

namespace headlight {

using As = UsedWeight::As;

Tensor<const float> weightOf(const TrainedModel& model, const TraceRecord& record, As as) {
    const ParameterSet& weights = std::as_const(*model.network).parameters();
    const UsedWeight* const used = record.weight(as);
    if (!used || used->parameter < 0 || static_cast<size_t>(used->parameter) >= weights.entries().size()) return {};
    return weights.value(used->parameter);
}

int weightRow(const TraceRecord& record, As as, const ValueCell& cell) {
    const UsedWeight* const used = record.weight(as);
    return used ? used->firstRow + cell.head * matrixColumns(record) + cell.column : -1;
}

std::optional<LinearWeights> linearWeights(const TrainedModel& model, const TraceRecord& record,
                                           const ValueCell& cell) {
    const Tensor<const float> weight = weightOf(model, record, As::Matrix), bias = weightOf(model, record, As::Bias);
    const int row = weightRow(record, As::Matrix, cell);
    if (!weight || row >= weight.rows()) return {};
    LinearWeights result;
    result.weight.assign(weight.row(row), weight.row(row) + weight.cols());
    if (bias) result.bias = static_cast<double>(bias.data[weightRow(record, As::Bias, cell)]);
    return result;
}

}  // namespace headlight
