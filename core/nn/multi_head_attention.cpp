// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/multi_head_attention.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void KeyValueCache::copyRows(std::span<const int> parents, KeyValueCache& to) const {
    const size_t filled = static_cast<size_t>(length) * static_cast<size_t>(key.cols());
    for (size_t i = 0; i < parents.size(); ++i) {
        const int from = parents[i] * capacity, at = static_cast<int>(i) * capacity;
        std::copy_n(key.row(from), filled, to.key.row(at));
        std::copy_n(value.row(from), filled, to.value.row(at));
    }
    to.length = length;
}

MultiHeadAttention::MultiHeadAttention(ParameterSet& parameters, const std::string& fileScope,
                                       const std::string& traceScope, const Options& options)
    : m_module(parameters.addModule({.kind = ModuleKind::Attention,
                                     .scope = traceScope,
                                     .place = options.place,
                                     .over = options.over,
                                     .heads = options.numHeads,
                                     .width = options.width / options.numHeads})),
      m_width(options.width),
      m_numHeads(options.numHeads),
      m_scaled(options.scaled),
      m_inWeight(parameters.add(m_module, fileScope + ".in_proj_weight", {3 * m_width, m_width}, Init::XavierUniform)),
      m_inBias(parameters.add(m_module, fileScope + ".in_proj_bias", {3 * m_width}, Init::Zeros)),
      m_outProjection(parameters, m_module, fileScope + ".out_proj", m_width, m_width) {}

/// `parts` of q, k, v beginning with `first`, side by side: [N, parts·d].
Variable<float> MultiHeadAttention::project(ForwardContext& context, const Variable<float>& x, Projection first,
                                            int parts) const {
    const Variable<float> weight = context.parameter(m_inWeight).rowRange(first * m_width, parts * m_width);
    Variable<float> bias = context.parameter(m_inBias);
    const size_t offset = static_cast<size_t>(first) * static_cast<size_t>(m_width);
    bias.value = {bias.value.data + offset, {parts * m_width}};
    if (bias.gradient) bias.gradient = {bias.gradient.data + offset, {parts * m_width}};
    return ops::linear(context.tape, x, weight, bias);
}

Origin MultiHeadAttention::projected(Part part, Projection projection) const {
    const int row = projection * m_width;
    return {m_module,
            part,
            Operation::Linear,
            {{UsedWeight::As::Matrix, m_inWeight, row}, {UsedWeight::As::Bias, m_inBias, row}}};
}

double MultiHeadAttention::scoreScale() const {
    return m_scaled ? 1 / std::sqrt(static_cast<double>(m_module->width)) : 1;
}

std::vector<int> MultiHeadAttention::mutedHeads(const ForwardContext& context) const {
    std::vector<int> heads;
    for (const MutedHead& muted : context.mutedHeads)
        if (muted.block == m_module->scope) heads.push_back(muted.head);
    return heads;
}

Value MultiHeadAttention::forward(ForwardContext& context, const Value& x, const Value& memory,
                                  const Tensor<float>& mask, const AttentionShape& shape) const {
    const bool self = x.variable.value.data == memory.variable.value.data;
    const auto name = [&](const char* part) { return join(m_module->scope, part); };
    Value query, key, value;
    if (self) {
        const Variable<float> qkv = project(context, x.variable, ToQuery, 3);
        query.variable = qkv.columns(0, m_width);
        key.variable = qkv.columns(m_width, m_width);
        value.variable = qkv.columns(2 * m_width, m_width);
    } else {
        query.variable = project(context, x.variable, ToQuery, 1);
        const Variable<float> kv = project(context, memory.variable, ToKey, 2);
        key.variable = kv.columns(0, m_width);
        value.variable = kv.columns(m_width, m_width);
    }

    ops::AttentionInput<float> input{
        .query = query.variable, .key = key.variable, .value = value.variable, .mask = mask};
    input.batch = shape.batch;
    input.queries = shape.queries;
    input.keys = input.keyStride = shape.keys;
    input.numHeads = m_numHeads;
    input.scaled = m_scaled;
    input.dropout = context.dropout;
    input.seed = context.nextSeed();
    const std::vector<int> muted = mutedHeads(context);
    input.mutedHeads = muted;

    const int h = m_numHeads, dk = m_width / m_numHeads, q = shape.queries, k = shape.keys;
    Value scores, maskValue;
    std::vector<Axis> matrixAxes;
    if (context.tracing()) {
        matrixAxes = {Axis::Head, shape.queryAxis, shape.keyAxis};
        const std::vector<Axis> queryAxes{Axis::Head, shape.queryAxis, Axis::Feature};
        const std::vector<Axis> keyAxes{Axis::Head, shape.keyAxis, Axis::Feature};
        context.record(query, name("q"), projected(Part::Query, ToQuery), queryAxes, {h, q, dk}, {x.name});
        context.record(key, name("k"), projected(Part::Key, ToKey), keyAxes, {h, k, dk}, {memory.name});
        context.record(value, name("v"), projected(Part::Value, ToValue), keyAxes, {h, k, dk}, {memory.name});
    }
    // Scores become weights in the same memory, so the tracer must see them in between.
    const auto recordScores = [&](const Tensor<float>& view) {
        scores.variable.value = view;
        context.record(scores, name("scores"), {m_module, Part::Scores, Operation::AttentionScores, {}, scoreScale()},
                       matrixAxes, {h, q, k}, {query.name, key.name});
        maskValue.variable.value = {mask.data, {q, k}};
        context.record(maskValue, name("mask"), {m_module, Part::Mask, Operation::Mask},
                       {shape.queryAxis, shape.keyAxis}, {q, k}, {});
    };
    if (context.tracing()) {
        input.observer = const_cast<void*>(static_cast<const void*>(&recordScores));
        input.onScores = [](void* observer, const Tensor<float>& view) {
            (*static_cast<decltype(recordScores)*>(observer))(view);
        };
    }

    const auto [joined, weightMatrix] = ops::attention(context.tape, input);
    Value concat{joined};
    if (context.tracing()) {
        Value weights{{weightMatrix, {}}}, heads{joined};
        context.record(weights, name("weights"), {m_module, Part::Weights, Operation::Softmax}, matrixAxes, {h, q, k},
                       {scores.name, maskValue.name});
        context.record(heads, name("heads"), {m_module, Part::Heads, Operation::WeightedSum},
                       {Axis::Head, shape.queryAxis, Axis::Feature}, {h, q, dk}, {weights.name, value.name});
        context.record(concat, name("concat"), {m_module, Part::Concat, Operation::Concat}, shape.queryAxis,
                       {heads.name});
    }
    Value output{m_outProjection.forward(context, joined)};
    if (context.tracing())
        context.record(output, name("output"), m_outProjection.made(Part::Output), shape.queryAxis, {concat.name});
    return output;
}

Variable<float> MultiHeadAttention::stepSelf(ForwardContext& context, const Variable<float>& x,
                                             KeyValueCache& cache) const {
    const int batch = x.rows();
    assert(cache.length < cache.capacity);
    const Variable<float> qkv = project(context, x, ToQuery, 3);
    for (int b = 0; b < batch; ++b) {
        const int row = b * cache.capacity + cache.length;
        std::copy_n(qkv.value.row(b) + m_width, m_width, cache.key.row(row));
        std::copy_n(qkv.value.row(b) + 2 * m_width, m_width, cache.value.row(row));
    }
    ++cache.length;

    ops::AttentionInput<float> input{
        .query = qkv.columns(0, m_width), .key = {cache.key, {}}, .value = {cache.value, {}}, .mask = {}};
    input.batch = batch;
    input.queries = 1;
    input.keys = cache.length;
    input.keyStride = cache.capacity;
    input.numHeads = m_numHeads;
    input.scaled = m_scaled;
    const std::vector<int> muted = mutedHeads(context);
    input.mutedHeads = muted;
    return m_outProjection.forward(context, ops::attention(context.tape, input).context);
}

KeyValueCache MultiHeadAttention::projectMemory(ForwardContext& context, const Variable<float>& memory,
                                                int keys) const {
    const Variable<float> kv = project(context, memory, ToKey, 2);
    return {kv.value.columns(0, m_width), kv.value.columns(m_width, m_width), keys, keys};
}

ops::AttentionOutput<float> MultiHeadAttention::stepCross(ForwardContext& context, const Variable<float>& x,
                                                          const KeyValueCache& memory,
                                                          const Tensor<float>& mask) const {
    ops::AttentionInput<float> input{
        .query = project(context, x, ToQuery, 1), .key = {memory.key, {}}, .value = {memory.value, {}}, .mask = mask};
    input.batch = mask.shape.dim(0);
    input.queries = mask.shape.dim(1);
    input.keys = memory.length;
    input.keyStride = memory.capacity;
    input.numHeads = m_numHeads;
    input.scaled = m_scaled;
    const std::vector<int> muted = mutedHeads(context);
    input.mutedHeads = muted;
    const auto [joined, weights] = ops::attention(context.tape, input);
    return {m_outProjection.forward(context, joined), weights};
}

}  // namespace headlight
