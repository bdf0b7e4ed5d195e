// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/masking.h"

#include <limits>
#include <numeric>

#include "core/tensor/kernels.h"

namespace headlight {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float maskedScore(float score, MaskingWay way) {
    switch (way) {
        case MaskingWay::AddMinusInfinity:
            return score - infinity;
        case MaskingWay::AddMinusABillion:
            return score - 1e9F;
        case MaskingWay::MultiplyMinusInfinity:
            return score * -infinity;
        case MaskingWay::AfterSoftmax:
            return score;
    }
    return score;
}

}  // namespace

MaskedAttention maskedAttention(const std::vector<float>& scores, const std::vector<char>& blocked, int rows,
                                int columns, MaskingWay way) {
    MaskedAttention result{scores, {}, {}};
    for (size_t i = 0; i < scores.size(); ++i)
        if (blocked[i]) result.scores[i] = maskedScore(scores[i], way);
    result.weights = result.scores;
    kernels<float>().softmaxRows(rows, columns, nullptr, result.weights.data());
    if (way == MaskingWay::AfterSoftmax)
        for (size_t i = 0; i < blocked.size(); ++i)
            if (blocked[i]) result.weights[i] = 0;
    for (int row = 0; row < rows; ++row) {
        const auto first = result.weights.begin() + static_cast<std::ptrdiff_t>(row) * columns;
        result.sums.push_back(std::accumulate(first, first + columns, 0.0));
    }
    return result;
}

std::vector<char> paddingMaskOf(int rows, int columns, int words) {
    std::vector<char> blocked;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            blocked.push_back(column >= words ? 1 : 0);
    return blocked;
}

std::vector<char> causalMaskOf(int rows, int columns) {
    std::vector<char> blocked;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            blocked.push_back(column > row ? 1 : 0);
    return blocked;
}

std::vector<char> windowMaskOf(int rows, int columns, int window) {
    std::vector<char> blocked;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            blocked.push_back(column > row || row - column >= window ? 1 : 0);
    return blocked;
}

}  // namespace headlight
