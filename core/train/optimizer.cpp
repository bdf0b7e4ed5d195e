// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/optimizer.h"

#include <cmath>

#include "core/tensor/kernels.h"

namespace headlight {

Optimizer::Optimizer(OptimizerKind kind, size_t size, const AdamOptions& adam) : m_kind(kind), m_adam(adam) {
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
                        .beta1 = static_cast<float>(m_adam.beta1),
                        .beta2 = static_cast<float>(m_adam.beta2),
                        .epsilon = static_cast<float>(m_adam.epsilon),
                        .gradientScale = static_cast<float>(gradientScale),
                        .correction1 = static_cast<float>(1 - std::pow(m_adam.beta1, t)),
                        .correction2 = static_cast<float>(1 - std::pow(m_adam.beta2, t)),
                        .kept = static_cast<float>(1 - learningRate * m_adam.weightDecay)};
    pool.runBlocks(weights.size(), [&](size_t first, size_t count) {
        adam(count, step, gradient.data() + first, m_first.data() + first, m_second.data() + first,
             weights.data() + first);
    });
}

}  // namespace headlight
