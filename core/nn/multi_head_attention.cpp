// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/multi_head_attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/nn/masks.h"

namespace headlight {

KeyValueCache::KeyValueCache(const Tensor<float>& keys, const Tensor<float>& values, int room, int filled)
    : key(keys), value(values), capacity(room), length(filled), places(static_cast<size_t>(keys.rows())) {
    std::iota(places.begin(), places.end(), 0);
}

void KeyValueCache::add(const Tensor<float>& keys, const Tensor<float>& values) {
    assert(length < capacity);
    for (int i = 0; i < keys.rows(); ++i) {
        // No other word lies there: words of this step alone lie in the rows of this step.
        const int row = i * capacity + length;
        std::copy_n(keys.row(i), keys.cols(), key.row(row));
        std::copy_n(values.row(i), values.cols(), value.row(row));
        places[static_cast<size_t>(row)] = row;
    }
    ++length;
}

void KeyValueCache::select(std::span<const int> from) {
    const size_t each = static_cast<size_t>(capacity);
    std::vector<int> selected(from.size() * each);
    for (size_t i = 0; i < from.size(); ++i)
        std::copy_n(places.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(from[i]) * each), length,
                    selected.begin() + static_cast<std::ptrdiff_t>(i * each));
    places = std::move(selected);
}

namespace {

Module attentionModule(const std::string& scope, const MultiHeadAttention::Options& options) {
    return {.kind = ModuleKind::Attention,
            .scope = scope,
            .place = options.place,
            .over = options.over,
            .heads = options.numHeads,
            .keyHeads = options.keyHeads > 0 ? options.keyHeads : options.numHeads,
            .width = options.headWidth > 0 ? options.headWidth : options.width / options.numHeads};
}

/// Is called between the parts of attention: scores become weights in the same memory, and weights are read at once.
template <class OnScores, class OnCapped, class OnWeights>
struct AttentionWatch {
    OnScores onScores;
    OnCapped onCapped;
    OnWeights onWeights;

    AttentionWatch(OnScores scores, OnCapped capped, OnWeights weights)
        : onScores(std::move(scores)), onCapped(std::move(capped)), onWeights(std::move(weights)) {}
    void watch(ops::AttentionInput<float>& given) {
        given.observer = this;
        given.onScores = [](void* self, const Tensor<float>& scores) {
            static_cast<AttentionWatch*>(self)->onScores(scores);
        };
        given.onCapped = [](void* self, const Tensor<float>& scores) {
            static_cast<AttentionWatch*>(self)->onCapped(scores);
        };
        given.onWeights = [](void* self, const Tensor<float>& weights) {
            static_cast<AttentionWatch*>(self)->onWeights(weights);
        };
    }
};

}  // namespace

MultiHeadAttention::MultiHeadAttention(ParameterSet& parameters, const std::string& fileScope,
                                       const std::string& traceScope, const Options& options)
    : m_module(parameters.addModule(attentionModule(traceScope, options))),
      m_scaled(options.scaled),
      m_scoreFactor(options.scoreFactor),
      m_scoreCap(options.scoreCap),
      m_window(options.window),
      m_inWeight(parameters.add(m_module, fileScope + ".in_proj_weight", {queryWidth() + 2 * keyWidth(), options.width},
                                Init::XavierUniform)),
      m_inBias(options.bias == Biases::All ? std::optional(parameters.add(m_module, fileScope + ".in_proj_bias",
                                                                          {queryWidth() + 2 * keyWidth()}, Init::Zeros))
                                           : std::nullopt),
      m_outProjection(parameters, m_module, fileScope + ".out_proj", queryWidth(), options.width, Init::XavierUniform,
                      options.outBias) {
    if (!options.headNorm) return;
    m_queryNorm.emplace(parameters, m_module, fileScope + ".q_norm", *options.headNorm);
    m_keyNorm.emplace(parameters, m_module, fileScope + ".k_norm", *options.headNorm);
}

int MultiHeadAttention::firstRow(Projection projection) const {
    return projection == ToQuery ? 0 : queryWidth() + (projection == ToKey ? 0 : keyWidth());
}

/// q, k, v from `first` to `last`, side by side.
Variable<float> MultiHeadAttention::project(ForwardContext& context, const Variable<float>& x, Projection first,
                                            Projection last) const {
    const int from = firstRow(first), rows = firstRow(last) + (last == ToQuery ? queryWidth() : keyWidth()) - from;
    const Variable<float> weight = context.parameter(m_inWeight).rowRange(from, rows);
    if (!m_inBias) return ops::linear(context.tape, x, weight, {});
    Variable<float> bias = context.parameter(*m_inBias);
    bias.value = {bias.value.data + from, {rows}};
    bias.first = static_cast<size_t>(from);
    return ops::linear(context.tape, x, weight, bias);
}

MultiHeadAttention::Projected MultiHeadAttention::projectAll(ForwardContext& context, const Value& x,
                                                             const Value& memory) const {
    const int q = queryWidth(), k = keyWidth();
    if (x.variable.value.data == memory.variable.value.data) {
        const Variable<float> qkv = project(context, x.variable, ToQuery, ToValue);
        return {{qkv.columns(0, q)}, {qkv.columns(q, k)}, {qkv.columns(q + k, k)}};
    }
    const Variable<float> query = project(context, x.variable, ToQuery, ToQuery);
    const Variable<float> kv = project(context, memory.variable, ToKey, ToValue);
    return {{query}, {kv.columns(0, k)}, {kv.columns(k, k)}};
}

Origin MultiHeadAttention::projected(Part part, Projection projection) const {
    const int row = firstRow(projection);
    Origin origin{m_module, part, Operation::Linear, {{UsedWeight::As::Matrix, m_inWeight, row}}};
    if (m_inBias) origin.weights.push_back({UsedWeight::As::Bias, *m_inBias, row});
    return origin;
}

void MultiHeadAttention::recordProjected(ForwardContext& context, Projected& all, const std::string& x,
                                         const std::string& memory, const AttentionShape& shape) const {
    const int h = m_module->heads, kv = m_module->keyHeads, q = shape.queries, k = shape.keys, dk = headWidth();
    const std::vector<Axis> queryAxes{Axis::Head, shape.queryAxis, Axis::Feature};
    const std::vector<Axis> keyAxes{Axis::Head, shape.keyAxis, Axis::Feature};
    context.record(all.query, name("q"), projected(Part::Query, ToQuery), queryAxes, {h, q, dk}, {x});
    context.record(all.key, name("k"), projected(Part::Key, ToKey), keyAxes, {kv, k, dk}, {memory});
    context.record(all.value, name("v"), projected(Part::Value, ToValue), keyAxes, {kv, k, dk}, {memory});
}

void MultiHeadAttention::recordPrepared(ForwardContext& context, Value& value, const AttentionShape& shape,
                                        const Origin& origin) const {
    if (!context.tracing()) return;
    const bool isQuery = origin.part == Part::NormedQuery || origin.part == Part::RotatedQuery;
    const char* const part = origin.operation == Operation::Rotation ? (isQuery ? "q_rotated" : "k_rotated")
                             : isQuery                               ? "q_normed"
                                                                     : "k_normed";
    const std::string from = value.name;
    context.record(value, name(part), origin, {Axis::Head, isQuery ? shape.queryAxis : shape.keyAxis, Axis::Feature},
                   {isQuery ? m_module->heads : m_module->keyHeads, isQuery ? shape.queries : shape.keys, headWidth()},
                   {from});
}

void MultiHeadAttention::prepare(ForwardContext& context, Projected& all, const AttentionShape& shape,
                                 const ops::Rotation<float>& rotation) const {
    if (m_queryNorm) {
        all.query.variable = m_queryNorm->forward(context, all.query.variable);
        recordPrepared(context, all.query, shape, m_queryNorm->made(Part::NormedQuery));
        all.key.variable = m_keyNorm->forward(context, all.key.variable);
        recordPrepared(context, all.key, shape, m_keyNorm->made(Part::NormedKey));
    }
    if (!rotation) return;
    all.query.variable = ops::rotate(context.tape, all.query.variable, rotation);
    recordPrepared(context, all.query, shape, {m_module, Part::RotatedQuery, Operation::Rotation});
    all.key.variable = ops::rotate(context.tape, all.key.variable, rotation);
    recordPrepared(context, all.key, shape, {m_module, Part::RotatedKey, Operation::Rotation});
}

ops::AttentionInput<float> MultiHeadAttention::input(const Variable<float>& query, const Variable<float>& key,
                                                     const Variable<float>& value, const Tensor<float>& mask) const {
    ops::AttentionInput<float> result{.query = query, .key = key, .value = value, .mask = mask};
    result.numHeads = m_module->heads;
    result.numKeyHeads = m_module->keyHeads;
    result.scaled = m_scaled;
    result.scoreFactor = static_cast<float>(m_scoreFactor);
    result.scoreCap = static_cast<float>(m_scoreCap);
    return result;
}

ops::AttentionInput<float> MultiHeadAttention::input(const Variable<float>& query, const KeyValueCache& cache,
                                                     const Tensor<float>& mask) const {
    ops::AttentionInput<float> result = input(query, {cache.key, {}}, {cache.value, {}}, mask);
    result.keys = cache.length;
    result.keyStride = cache.capacity;
    result.keyRows = cache.places.data();
    return result;
}

double MultiHeadAttention::scoreScale() const {
    return (m_scaled ? 1 / std::sqrt(static_cast<double>(headWidth())) : 1) * m_scoreFactor;
}

std::vector<int> MultiHeadAttention::mutedHeads(const ForwardContext& context) const {
    std::vector<int> heads;
    for (const MutedHead& muted : context.mutedHeads)
        if (muted.block == m_module->scope) heads.push_back(muted.head);
    return heads;
}

/// The mask; a copy, where it is to be changed, as all layers of a stack share one.
Tensor<float> MultiHeadAttention::ownMask(const ForwardContext& context,
                                          const ops::AttentionInput<float>& given) const {
    if (!context.changes(name("mask"))) return given.mask;
    const Tensor<float> own = context.tape.allocate({given.batch, given.queries, given.keys});
    if (given.mask)
        std::copy_n(given.mask.data, own.count(), own.data);
    else
        std::fill_n(own.data, own.count(), 0.0f);
    return own;
}

Value MultiHeadAttention::forward(ForwardContext& context, const Value& x, const Value& memory,
                                  const Tensor<float>& mask, const AttentionShape& shape,
                                  const AttentionPlaces& places) const {
    Projected all = projectAll(context, x, memory);
    if (context.tracing()) recordProjected(context, all, x.name, memory.name, shape);
    prepare(context, all, shape, rotationOf(places));

    ops::AttentionInput<float> given = input(all.query.variable, all.key.variable, all.value.variable, mask);
    given.batch = shape.batch;
    given.queries = shape.queries;
    given.keys = given.keyStride = shape.keys;
    given.bias = places.bias.variable;
    given.dropout = context.dropout;
    given.seed = context.nextSeed();
    const std::vector<int> muted = mutedHeads(context);
    given.mutedHeads = muted;

    const int h = m_module->heads, q = shape.queries, k = shape.keys;
    Value scores, capped, maskValue, weights;
    std::vector<Axis> matrixAxes;
    const auto recordMask = [&] {
        maskValue.variable.value = {given.mask.data, {shape.batch * q, k}};
        context.record(maskValue, name("mask"), {m_module, Part::Mask, Operation::Mask},
                       {shape.queryAxis, shape.keyAxis}, {q, k}, {});
    };
    AttentionWatch watch{[&](const Tensor<float>& view) {
                             std::vector<std::string> inputs{all.query.name, all.key.name};
                             if (places.bias.variable.value) inputs.push_back(places.bias.name);
                             scores.variable.value = view;
                             context.record(scores, name("scores"),
                                            {m_module, Part::Scores, Operation::AttentionScores, {}, scoreScale()},
                                            matrixAxes, {h, q, k}, std::move(inputs));
                             capped = scores;
                             if (m_scoreCap == 0) recordMask();
                         },
                         [&](const Tensor<float>& view) {
                             capped.variable.value = view;
                             context.record(capped, name("scores_capped"),
                                            {m_module, Part::CappedScores, Operation::SoftCap, {}, m_scoreCap},
                                            matrixAxes, {h, q, k}, {scores.name});
                             recordMask();
                         },
                         [&](const Tensor<float>& view) {
                             weights.variable.value = view;
                             context.record(weights, name("weights"), {m_module, Part::Weights, Operation::Softmax},
                                            matrixAxes, {h, q, k}, {capped.name, maskValue.name});
                         }};
    if (context.tracing()) {
        matrixAxes = {Axis::Head, shape.queryAxis, shape.keyAxis};
        given.mask = ownMask(context, given);
        watch.watch(given);
    }

    const Variable<float> joined = ops::attention(context.tape, given).context;
    Value concat{joined};
    if (context.tracing()) {
        Value heads{joined};
        context.record(heads, name("heads"), {m_module, Part::Heads, Operation::WeightedSum},
                       {Axis::Head, shape.queryAxis, Axis::Feature}, {h, q, headWidth()},
                       {weights.name, all.value.name});
        context.record(concat, name("concat"), {m_module, Part::Concat, Operation::Concat}, shape.queryAxis,
                       {heads.name});
    }
    Value output{m_outProjection.forward(context, joined)};
    if (context.tracing())
        context.record(output, name("output"), m_outProjection.made(Part::Output), shape.queryAxis, {concat.name});
    return output;
}

KeyValueCache MultiHeadAttention::makeCache(ForwardContext& context, int rows, int capacity) const {
    const Shape shape{rows * capacity, keyWidth()};
    return {context.tape.allocate(shape), context.tape.allocate(shape), capacity, 0};
}

Variable<float> MultiHeadAttention::stepSelf(ForwardContext& context, const Variable<float>& x, KeyValueCache& cache,
                                             const AttentionPlaces& places) const {
    const int q = queryWidth(), k = keyWidth();
    const Variable<float> qkv = project(context, x, ToQuery, ToValue);
    Variable<float> query = qkv.columns(0, q), key = qkv.columns(q, k);
    const Tensor<float> value = qkv.value.columns(q + k, k);
    const auto change = [&](const char* part, const Tensor<float>& rows, int heads) {
        if (context.intervening()) context.change(name(part), rows, heads);
    };
    change("q", query.value, m_module->heads);
    change("k", key.value, m_module->keyHeads);
    change("v", value, m_module->keyHeads);
    if (m_queryNorm) {
        query = m_queryNorm->forward(context, query);
        key = m_keyNorm->forward(context, key);
        change("q_normed", query.value, m_module->heads);
        change("k_normed", key.value, m_module->keyHeads);
    }
    if (const ops::Rotation<float>& rotation = rotationOf(places)) {
        query = ops::rotate(context.tape, query, rotation);
        key = ops::rotate(context.tape, key, rotation);
        change("q_rotated", query.value, m_module->heads);
        change("k_rotated", key.value, m_module->keyHeads);
    }
    cache.add(key.value, value);

    ops::AttentionInput<float> given = input(query, cache, {});
    if (m_window > 0 && cache.length > m_window) given.mask = stepMask(context, x.rows(), cache.length);
    given.batch = x.rows();
    given.queries = 1;
    given.bias = places.bias.variable;
    return attendInStep(context, given).context;
}

Tensor<float> MultiHeadAttention::stepMask(const ForwardContext& context, int rows, int keys) const {
    const Tensor<float> result = context.tape.allocate({rows, 1, keys}), one = windowMask(context.tape, keys, m_window);
    for (int r = 0; r < rows; ++r)
        std::copy_n(one.data, keys, result.data + static_cast<std::ptrdiff_t>(r) * keys);
    return result;
}

ops::AttentionOutput<float> MultiHeadAttention::attendInStep(ForwardContext& context,
                                                             ops::AttentionInput<float> given) const {
    const std::vector<int> muted = mutedHeads(context);
    given.mutedHeads = muted;
    AttentionWatch watch{[&](const Tensor<float>& scores) {
                             context.change(name("scores"), scores);
                             if (given.mask)
                                 context.change(name("mask"), {given.mask.data, {given.mask.rows(), given.keys}});
                         },
                         [&](const Tensor<float>& scores) { context.change(name("scores_capped"), scores); },
                         [&](const Tensor<float>& weights) { context.change(name("weights"), weights); }};
    if (context.intervening()) {
        given.mask = ownMask(context, given);
        watch.watch(given);
    }
    ops::AttentionOutput<float> result = ops::attention(context.tape, given);
    const Tensor<float>& joined = result.context.value;
    if (context.intervening()) {
        context.change(name("heads"), joined, m_module->heads);
        context.change(name("concat"), joined);
    }
    result.context = m_outProjection.forward(context, result.context);
    if (context.intervening()) context.change(name("output"), result.context.value);
    return result;
}

KeyValueCache MultiHeadAttention::projectMemory(ForwardContext& context, const Variable<float>& memory,
                                                int keys) const {
    const Tensor<float> kv = project(context, memory, ToKey, ToValue).value;
    const Tensor<float> key = kv.columns(0, keyWidth()), value = kv.columns(keyWidth(), keyWidth());
    if (context.intervening()) {
        context.change(name("k"), key, m_module->keyHeads);
        context.change(name("v"), value, m_module->keyHeads);
    }
    return {key, value, keys, keys};
}

ops::AttentionOutput<float> MultiHeadAttention::stepCross(ForwardContext& context, const Variable<float>& x,
                                                          const KeyValueCache& memory,
                                                          const Tensor<float>& mask) const {
    const Variable<float> query = project(context, x, ToQuery, ToQuery);
    if (context.intervening()) context.change(name("q"), query.value, m_module->heads);
    ops::AttentionInput<float> given = input(query, memory, mask);
    given.batch = mask.shape.dim(0);
    given.queries = mask.shape.dim(1);
    return attendInStep(context, given);
}

}  // namespace headlight
