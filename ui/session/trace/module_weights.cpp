// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/module_weights.h"

#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

/// A weight matrix by name, and where in it the rows of a module begin.
struct Place {
    std::string weight, bias;
    int firstRow = 0;
};

Place attentionPlace(const TraceRecord& record, int head) {
    std::string module = "transformer." + scopeOf(record.name);
    // PyTorch's name for attention to the encoder.
    if (const size_t at = module.find("cross_attn"); at != std::string::npos) module.replace(at, 10, "multihead_attn");
    const std::string part = record.name.substr(record.name.rfind('.') + 1);
    if (part == "output") return {module + ".out_proj.weight", module + ".out_proj.bias"};
    const int width = matrixColumns(record), block = part == "q" ? 0 : part == "k" ? 1 : 2;
    const int model = width * matrixHeads(record);
    return {module + ".in_proj_weight", module + ".in_proj_bias", block * model + head * width};
}

Place placeOf(const ParameterSet& weights, const TraceRecord& record, int head) {
    const std::string& name = record.name;
    if (name == "logits") {
        for (const std::string module : {"generator", "classifier"})
            if (weights.value(module + ".weight")) return {module + ".weight", module + ".bias"};
        // Tied: the words' vectors are the weights as well.
        return {weights.value("target_embedding.weight") ? "target_embedding.weight" : "embedding.weight",
                "generator.bias"};
    }
    if (name == "decoder.attentional") return {"combine.weight", "combine.bias"};
    if (name == "encoder.output" || name == "encoder.state") return {"bridge.weight", "bridge.bias"};
    const std::string scope = scopeOf(name);
    if (!scope.ends_with(".ffn")) return attentionPlace(record, head);
    const std::string layer = "transformer." + scope.substr(0, scope.size() - 4);
    const std::string linear = layer + (name.ends_with("hidden") ? ".linear1" : ".linear2");
    return {linear + ".weight", linear + ".bias"};
}

}  // namespace

std::optional<LinearWeights> linearWeights(const TrainedModel& model, const Trace& trace, const TraceRecord& record,
                                           const ValueCell& cell) {
    const ParameterSet& weights = std::as_const(*model.network).parameters();
    const Place place = placeOf(weights, record, cell.head);
    const Tensor<const float> weight = weights.value(place.weight), bias = weights.value(place.bias);
    const int row = place.firstRow + cell.column;
    if (!weight || row >= weight.rows()) return {};
    LinearWeights result;
    result.weight.assign(weight.row(row), weight.row(row) + weight.cols());
    if (bias) result.bias = static_cast<double>(bias.data[row]);
    result.inputs = record.inputs;
    // Both directions of an encoder go through the bridge; its state is their last words' (which has one row, and is
    // left alone here: it is made of two different rows).
    if (place.weight == "bridge.weight") {
        if (record.name == "encoder.state") return {};
        const std::string reverse = scopeOf(record.inputs.front()) + ".reverse.hidden";
        if (trace.find(reverse)) result.inputs.push_back(reverse);
    }
    return result;
}

}  // namespace headlight
