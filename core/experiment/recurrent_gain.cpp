// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/recurrent_gain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace headlight {

Tensor<const float> recurrentWeights(const TrainedModel& model, CellPlace place) {
    const ParameterSet& weights = std::as_const(*model.network).parameters();
    const char* const stack = place.stack == Stack::Encoder   ? "encoder"
                              : place.stack == Stack::Decoder ? "decoder"
                                                              : "rnn";
    const std::string name = std::string(stack) + ".weight_hh_l" + std::to_string(place.layer);
    const auto isIt = [&](const ParameterSet::Entry& entry) { return entry.name == name; };
    if (std::ranges::none_of(weights.entries(), isIt)) throw Error("the model has no weights " + name);
    return weights.value(name);
}

double largestSingularValue(const Tensor<const float>& matrix) {
    const int rows = matrix.rows(), columns = matrix.cols();
    constexpr int kMost = 2000;
    constexpr double kClose = 1e-9;
    // A beginning that lies along no axis and is the same every time.
    std::vector<double> vector(static_cast<size_t>(columns)), image(static_cast<size_t>(rows));
    for (int i = 0; i < columns; ++i)
        vector[static_cast<size_t>(i)] = 1 + std::sin(i + 1.0) / 2;
    double value = 0;
    for (int pass = 0; pass < kMost; ++pass) {
        const double length = std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
        if (!(length > 0)) return 0;
        for (double& number : vector)
            number /= length;
        for (int row = 0; row < rows; ++row)
            image[static_cast<size_t>(row)] =
                std::inner_product(vector.begin(), vector.end(), matrix.row(row), 0.0, std::plus(),
                                   [](double a, float b) { return a * static_cast<double>(b); });
        const double before =
            std::exchange(value, std::sqrt(std::inner_product(image.begin(), image.end(), image.begin(), 0.0)));
        std::ranges::fill(vector, 0.0);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                vector[static_cast<size_t>(column)] +=
                    image[static_cast<size_t>(row)] * static_cast<double>(matrix.row(row)[column]);
        if (std::abs(value - before) <= kClose * value) break;
    }
    return value;
}

GainReach untrainedReach(const TrainedModel& model, const Corpus& corpus, CellPlace place, double factor, size_t most,
                         const StillWanted& wanted) {
    constexpr int seed = 1;
    TrainedModel untrained = model;
    untrained.network = Model::make(model.network->config());
    untrained.network->initialize(seed);
    return {gradientReach(untrained, corpus, place, most, wanted, factor),
            std::abs(factor) * largestSingularValue(recurrentWeights(untrained, place))};
}

}  // namespace headlight
