// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/nn/context.h"

namespace headlight {

/// The small modules. Each makes its weights as it is built, under PyTorch's names below a scope of the model file, and
/// computes in forward().

/// torch.nn.Linear: y = x Wᵀ + b. Shape: [N, in] → [N, out].
class Linear {
public:
    Linear(ParameterSet& parameters, const std::string& scope, int in, int out, Init weight = Init::XavierUniform);
    /// Shares `weight` with another module (tied embeddings); the bias is its own.
    Linear(ParameterSet& parameters, const std::string& scope, ParameterId weight);
    Variable<float> forward(ForwardContext& context, const Variable<float>& x) const;

private:
    ParameterId m_weight;
    ParameterId m_bias;
};

/// torch.nn.LayerNorm over the last axis. Shape: [N, d] → [N, d].
class LayerNorm {
public:
    LayerNorm(ParameterSet& parameters, const std::string& scope, int width, float epsilon);
    Variable<float> forward(ForwardContext& context, const Variable<float>& x) const;

private:
    ParameterId m_weight;
    ParameterId m_bias;
    float m_epsilon;
};

/// torch.nn.Embedding, times `scale`. Shape: [N] ids → [N, width].
class Embedding {
public:
    Embedding(ParameterSet& parameters, const std::string& scope, int vocabulary, int width, float scale,
              Init init = Init::EmbeddingNormal);
    Variable<float> forward(ForwardContext& context, std::span<const int> ids) const;
    ParameterId weight() const { return m_weight; }

private:
    ParameterId m_weight;
    float m_scale;
};

/// FFN(x) = f(x W₁ᵀ + b₁) W₂ᵀ + b₂ (Vaswani et al. 2017, equation 2). Shape: [N, d] → [N, d].
/// Traced: hidden, activation, output.
class FeedForward {
public:
    FeedForward(ParameterSet& parameters, const std::string& fileScope, std::string traceScope, int width, int hidden,
                ops::Activation activation);
    Value forward(ForwardContext& context, const Value& x, Axis tokens) const;

private:
    std::string m_scope;
    Linear m_linear1;
    Linear m_linear2;
    ops::Activation m_activation;
};

}  // namespace headlight
