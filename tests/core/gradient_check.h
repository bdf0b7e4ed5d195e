// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients against central differences in double precision, for every operation of the tape.
#pragma once

#include <QTest>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <vector>

#include "core/autograd/tape.h"
#include "core/tensor/random.h"

namespace headlight {

inline Arena inputs;
inline Random numbers(7);

inline Variable<double> randomVariable(Shape shape) {
    static std::deque<GradientMemory<double>> memory;
    Variable<double> result{{inputs.allocate<double>(shape.count()), shape}};
    result.memory = &memory.emplace_back(
        GradientMemory<double>{.data = inputs.allocate<double>(shape.count()), .count = shape.count()});
    for (size_t i = 0; i < shape.count(); ++i)
        result.value.data[i] = numbers.normal();
    return result;
}

using Forward = std::function<Variable<double>(Tape<double>&)>;

/// A loss that treats no two outputs alike, so that a transposed or swapped gradient shows.
inline double weightOf(size_t i) {
    return std::sin(1.7 * static_cast<double>(i) + 0.3);
}

inline double lossOf(const Forward& forward) {
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Training);  // dropout is at work in both
    const Variable<double> y = forward(tape);
    double loss = 0;
    for (int r = 0; r < y.rows(); ++r)
        for (int c = 0; c < y.cols(); ++c)
            loss += y.value.at(r, c) * weightOf(static_cast<size_t>(r * y.cols() + c));
    return loss;
}

inline void checkGradients(const Forward& forward, const std::vector<Variable<double>>& variables) {
    for (const auto& v : variables) {
        std::fill_n(v.gradient().data, v.gradient().count(), std::numeric_limits<double>::quiet_NaN());
        v.memory->fresh = true;
    }
    // Twice over: the first pass sets what was never initialised, the second must add the same again.
    for (int pass = 0; pass < 2; ++pass) {
        Arena arena;
        Tape<double> tape(arena, Tape<double>::Mode::Training);
        const Variable<double> y = forward(tape);
        y.prepareGradient();
        for (int r = 0; r < y.rows(); ++r)
            for (int c = 0; c < y.cols(); ++c)
                y.gradient().at(r, c) = weightOf(static_cast<size_t>(r * y.cols() + c));
        tape.backward();
    }
    constexpr double h = 1e-5;
    for (size_t v = 0; v < variables.size(); ++v)
        for (size_t i = 0; i < variables[v].value.count(); ++i) {
            double& x = variables[v].value.data[i];
            const double kept = x;
            x = kept + h;
            const double above = lossOf(forward);
            x = kept - h;
            const double below = lossOf(forward);
            x = kept;
            const double expected = (above - below) / (2 * h), found = variables[v].gradient().data[i] / 2;
            const double error = std::abs(expected - found) / (1 + std::abs(expected));
            QVERIFY2(error < 1e-7, qPrintable(QString("variable %1, element %2: %3 by differences, %4 by the tape")
                                                  .arg(v)
                                                  .arg(i)
                                                  .arg(expected, 0, 'g', 10)
                                                  .arg(found, 0, 'g', 10)));
        }
}

}  // namespace headlight
