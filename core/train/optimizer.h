// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/platform/worker_pool.h"

namespace headlight {

enum class OptimizerKind { Adam, Sgd };

/// What Adam does with a gradient. By default as Vaswani et al. 2017, section 5.3.
struct AdamOptions {
    double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
    double weightDecay = 0;  ///< weights shrink by learning rate · this at each step (Loshchilov, Hutter 2019)
    bool operator==(const AdamOptions&) const = default;
};

/// Changes the weights against their gradient, as flat arrays. SGD is plain.
class Optimizer {
public:
    Optimizer(OptimizerKind kind, size_t size, const AdamOptions& adam = {});

    /// `gradientScale` multiplies the gradient first (clipping). The pool's threads share the weights.
    void step(WorkerPool& pool, std::span<float> weights, std::span<const float> gradient, double learningRate,
              double gradientScale);

    OptimizerKind kind() const { return m_kind; }
    long steps() const { return m_steps; }
    /// The running means of the gradient and of its square (Adam; empty for SGD), for a checkpoint.
    std::vector<float>& firstMoment() { return m_first; }
    std::vector<float>& secondMoment() { return m_second; }
    const std::vector<float>& firstMoment() const { return m_first; }
    const std::vector<float>& secondMoment() const { return m_second; }
    void setSteps(long steps) { m_steps = steps; }

private:
    OptimizerKind m_kind;
    AdamOptions m_adam;
    std::vector<float> m_first, m_second;
    long m_steps = 0;
};

}  // namespace headlight
