// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/operation_motion.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// Shares of the time that a row or a cell has.
constexpr double kTravel = 0.3;                 ///< of a row that is filled: until the mark is there
constexpr double kSlide = 0.2, kDropped = 0.9;  ///< of a score: until the rows meet; until every product is in
constexpr double kRise = 0.35, kCounted = 0.6;  ///< of a softmax: until the bars stand; until they are added up
constexpr double kFade = 0.3,
                 kFallen = 0.9;  ///< of a mixture: until the values are as strong as their weights; have fallen
constexpr double kGrown = 0.5,
                 kWords = 0.73;  ///< of a search: until the branches are there; the words (240 ms are left)

/// How far something is that goes on from `begin` to `end`.
double part(double phase, double begin, double end) {
    return std::clamp((phase - begin) / (end - begin), 0.0, 1.0);
}

/// Whole things, and how far the next one is. A phase that was added up is a little less than it should be.
struct Counted {
    int whole = 0;
    double more = 0;
};
Counted countedOf(double phase, int count) {
    constexpr double kLittle = 1e-9;
    const double at = std::clamp(phase, 0.0, 1.0) * count;
    const int whole = std::min(count, static_cast<int>(std::floor(at + kLittle)));
    return {whole, std::max(0.0, at - whole)};
}

int rowsOf(size_t numbers, int columns) {
    return columns > 0 ? static_cast<int>(numbers / static_cast<size_t>(columns)) : 0;
}

double at(std::span<const float> matrix, int row, int column, int columns) {
    return static_cast<double>(
        matrix[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)]);
}

}  // namespace

FillMotion FillMotion::at(int rows, int columns, double phase) {
    const auto [row, within] = countedOf(phase, rows);
    FillMotion motion;
    motion.row = row;
    if (row < rows) {
        motion.travel = part(within, 0, kTravel);
        motion.column = countedOf(part(within, kTravel, 1), columns).whole;
    }
    motion.filled = static_cast<long>(row) * columns + motion.column;
    return motion;
}

ScoreMotion ScoreMotion::at(std::span<const float> queries, std::span<const float> keys, int width, double phase) {
    const int rows = rowsOf(queries.size(), width), columns = rowsOf(keys.size(), width);
    const auto [cell, within] = countedOf(phase, rows * columns);
    ScoreMotion motion;
    motion.filled = cell;
    motion.row = columns > 0 ? cell / columns : 0;
    motion.column = columns > 0 ? cell % columns : 0;
    if (motion.row >= rows) return motion;
    motion.slide = part(within, 0, kSlide);
    motion.fill = part(within, kDropped, 1);
    const Counted dropped = countedOf(part(within, kSlide, kDropped), width);
    motion.products = dropped.whole;
    motion.falling = dropped.more;
    for (int i = 0; i < motion.products; ++i)
        motion.sum += headlight::at(queries, motion.row, i, width) * headlight::at(keys, motion.column, i, width);
    return motion;
}

SoftmaxMotion SoftmaxMotion::at(std::span<const float> scores, std::span<const float> weights,
                                std::span<const float> mask, int columns, double phase) {
    const int rows = rowsOf(scores.size(), columns);
    const auto [row, within] = countedOf(phase, rows);
    SoftmaxMotion motion;
    motion.row = row;
    if (row >= rows) return motion;
    motion.rise = part(within, 0, kRise);
    motion.counted = countedOf(part(within, kRise, kCounted), columns).whole;
    motion.shrink = part(within, kCounted, 1);
    double most = 0;
    for (int i = 0; i < columns; ++i) {
        const size_t cell = static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(i);
        const bool isMasked = cell < mask.size() && std::isinf(mask[cell]);
        motion.powers.push_back(isMasked ? 0 : std::exp(headlight::at(scores, row, i, columns)));
        most = std::max(most, motion.powers.back());
        if (i < motion.counted) motion.sum += motion.powers.back();
    }
    for (int i = 0; i < columns; ++i) {
        const double power = most > 0 ? motion.powers[static_cast<size_t>(i)] / most * motion.rise : 0;
        motion.heights.push_back(std::lerp(power, headlight::at(weights, row, i, columns), motion.shrink));
    }
    return motion;
}

MixMotion MixMotion::at(std::span<const float> weights, std::span<const float> values, int keys, double phase) {
    const int rows = rowsOf(weights.size(), keys), width = keys > 0 ? static_cast<int>(values.size()) / keys : 0;
    const auto [row, within] = countedOf(phase, rows);
    MixMotion motion;
    motion.row = row;
    if (row >= rows) return motion;
    motion.fade = part(within, 0, kFade);
    const Counted fallen = countedOf(part(within, kFade, kFallen), keys);
    motion.added = fallen.whole;
    motion.falling = fallen.more;
    motion.sum.assign(static_cast<size_t>(width), 0);
    for (int key = 0; key < keys; ++key) {
        const double weight = headlight::at(weights, row, key, keys);
        motion.strengths.push_back(std::lerp(1.0, weight, motion.fade));
        for (int i = 0; key < motion.added && i < width; ++i)
            motion.sum[static_cast<size_t>(i)] += weight * headlight::at(values, key, i, width);
    }
    return motion;
}

BranchMotion BranchMotion::at(double phase) {
    const double left = 1 - part(phase, kWords, 1);
    return {part(phase, 0, kGrown), part(phase, kGrown * 0.8, kWords), 1 - left * left};
}

}  // namespace headlight
