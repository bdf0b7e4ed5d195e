// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/optimizer.h"

#include <cmath>

#include "core/tensor/kernels.h"

namespace headlight {

namespace {
constexpr double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
}

Optimizer::Optimizer(OptimizerKind kind, size_t size) : m_kind(kind) {
    if (kind == OptimizerKind::Adam) {
        m_first.resize(size);
        m_second.resize(size);
    }
}

void Optimizer::step(WorkerPool& pool, std::span<float> weights, std::span<const float> gradient, double learningRate,
                     double gradientScale) {
    ++m_steps;
    if (m_kind == OptimizerKind::Sgd) {
        const float rate = static_cast<float>(-learningRate * gradientScale);
        pool.runBlocks(weights.size(), [&](size_t first, size_t count) {
            kernels<float>().axpy(count, rate, gradient.data() + first, weights.data() + first);
        });
        return;
    }
    const double t = static_cast<double>(m_steps);
    const AdamStep step{.learningRate = static_cast<float>(learningRate),
                        .beta1 = static_cast<float>(beta1),
                        .beta2 = static_cast<float>(beta2),
                        .epsilon = static_cast<float>(epsilon),
                        .gradientScale = static_cast<float>(gradientScale),
                        .correction1 = static_cast<float>(1 - std::pow(beta1, t)),
                        .correction2 = static_cast<float>(1 - std::pow(beta2, t))};
    pool.runBlocks(weights.size(), [&](size_t first, size_t count) {
        adam(count, step, gradient.data() + first, m_first.data() + first, m_second.data() + first,
             weights.data() + first);
    });
}

}  // namespace headlight
