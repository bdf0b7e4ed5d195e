// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/query_key_value.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/autograd/operations.h"
#include "core/autograd/recurrent.h"
#include "core/error.h"

namespace headlight {

QueryKeyValueResult attend(const QueryKeyValue& given, bool scaled, double temperature,
                           const std::vector<char>& blocked) {
    QueryKeyValue in = given;
    const auto divisor = static_cast<float>(temperature);
    for (float& number : in.query)
        number /= divisor;
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    const auto matrix = [&](std::vector<float>& numbers, int rows) {
        return Variable<float>{{numbers.data(), {rows, in.width}}};
    };
    ops::AttentionInput<float> input{.query = matrix(in.query, in.queries),
                                     .key = matrix(in.key, in.keys),
                                     .value = matrix(in.value, in.keys),
                                     .mask = {}};
    input.queries = in.queries;
    input.keys = input.keyStride = in.keys;
    input.scaled = scaled;
    std::vector<float> mask;
    mask.reserve(blocked.size());
    for (const char flag : blocked)
        mask.push_back(flag ? -std::numeric_limits<float>::infinity() : 0.0F);
    if (!mask.empty()) input.mask = {mask.data(), {1, in.queries, in.keys}};
    QueryKeyValueResult result;
    input.observer = &result.scores;
    input.onScores = [](void* scores, const Tensor<float>& view) {
        static_cast<std::vector<float>*>(scores)->assign(view.data, view.data + view.count());
    };
    const auto [context, weights] = ops::attention(tape, input);
    result.weights.assign(weights.data, weights.data + weights.count());
    result.output.assign(context.value.data, context.value.data + context.value.count());
    return result;
}

QueryKeyValueResult attendBy(const QueryKeyValue& given, ScoreKind kind, const std::vector<char>& blocked) {
    QueryKeyValue in = given;
    const int d = in.width;
    if (kind == ScoreKind::General) {
        for (int key = 0; key < in.keys; ++key)
            for (int i = 0; i < d; ++i) {
                const auto row = static_cast<size_t>(key) * static_cast<size_t>(d);
                const float own = given.key[row + static_cast<size_t>(i)],
                            before = given.key[row + static_cast<size_t>((i + d - 1) % d)];
                in.key[row + static_cast<size_t>(i)] = before + own / 2;
            }
    }
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    const auto matrix = [d](std::vector<float>& numbers, int rows) {
        return Variable<float>{{numbers.data(), {rows, d}}};
    };
    const Variable<float> query = matrix(in.query, in.queries), key = matrix(in.key, in.keys),
                          value = matrix(in.value, in.keys);
    const ops::AlignmentShape shape{1, in.queries, in.keys};
    std::vector<float> ones(static_cast<size_t>(d), 1.0F);
    const float scale = kind == ScoreKind::Scaled ? 1 / std::sqrt(static_cast<float>(d)) : 1;
    const Variable<float> scores = kind == ScoreKind::Additive
                                       ? ops::additiveScores(tape, query, key, matrix(ones, 1), shape)
                                       : ops::dotScores(tape, query, key, scale, shape);
    QueryKeyValueResult result;
    result.scores.assign(scores.value.data, scores.value.data + scores.value.count());
    std::vector<float> mask(result.scores.size());
    for (size_t i = 0; i < blocked.size(); ++i)
        mask[i] = blocked[i] ? -std::numeric_limits<float>::infinity() : 0.0F;
    const Tensor<float> closed(mask.data(), {1, in.queries, in.keys});
    const ops::AlignmentOutput<float> output = ops::attend(tape, scores, value, closed, shape);
    result.weights.assign(output.weights.value.data, output.weights.value.data + output.weights.value.count());
    result.output.assign(output.context.value.data, output.context.value.data + output.context.value.count());
    return result;
}

long scoreParameters(ScoreKind kind, int query, int key, int hidden) {
    switch (kind) {
        case ScoreKind::Dot:
        case ScoreKind::Scaled:
            return 0;
        case ScoreKind::General:
            return static_cast<long>(query) * key;
        case ScoreKind::Additive:
            return static_cast<long>(hidden) * (query + key + 1);
    }
    return 0;
}

ScoreAngle scoreAngle(const QueryKeyValue& input, int query, int key) {
    const auto row = [&](const std::vector<float>& of, int at) {
        return of.data() + static_cast<size_t>(at) * static_cast<size_t>(input.width);
    };
    const float* const q = row(input.query, query);
    const float* const k = row(input.key, key);
    const auto dot = [&](const float* left, const float* right) {
        return std::inner_product(left, left + input.width, right, 0.0, std::plus(),
                                  [](float a, float b) { return static_cast<double>(a) * static_cast<double>(b); });
    };
    return {std::sqrt(dot(q, q)), std::sqrt(dot(k, k)), dot(q, k)};
}

QueryKeyValue workedExample() {
    const std::vector<float> words{.3F, .5F, .2F, .1F, .4F, .5F, .1F, .2F, .2F, .6F,
                                   .5F, .6F, .1F, .2F, .3F, .1F, .2F, .6F, .5F, .2F};
    return {5, 5, 4, words, words, words};
}

QueryKeyValue headOf(const Trace& trace, const std::string& block, int head) {
    const auto find = [&](Part part) -> const TraceRecord* {
        for (const TraceRecord& record : trace.records())
            if (record.is(ModuleKind::Attention, part) && record.owner().scope == block) return &record;
        return nullptr;
    };
    // As they are compared: where norms and positions change them, changed.
    const auto lastOf = [&](std::initializer_list<Part> parts) -> const TraceRecord& {
        for (const Part part : parts)
            if (const TraceRecord* const found = find(part)) return *found;
        throw Error("the trace has no queries, keys and values of a block " + block);
    };
    const TraceRecord &q = lastOf({Part::RotatedQuery, Part::NormedQuery, Part::Query}),
                      &k = lastOf({Part::RotatedKey, Part::NormedKey, Part::Key}), &v = lastOf({Part::Value});
    // Neighbouring heads may share their keys and values.
    const auto numbers = [&](const TraceRecord& record) {
        const std::span<const float> own = record.head(head * record.dim(0) / q.dim(0));
        return std::vector<float>(own.begin(), own.end());
    };
    return {q.dim(1), k.dim(1), q.dim(2), numbers(q), numbers(k), numbers(v)};
}

}  // namespace headlight
