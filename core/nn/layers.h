// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/nn/context.h"
#include "core/nn/kinds.h"

namespace headlight {

/// The small modules. Each makes its weights as it is built, for the module of the model that it is a part of, under
/// PyTorch's names below a scope of the model file, and computes in forward(). `made` says of a value what it was made
/// with, where one is recorded.

/// torch.nn.Linear: y = x Wᵀ + b. Shape: [N, in] → [N, out].
class Linear {
public:
    Linear(ParameterSet& parameters, ModuleRef module, const std::string& scope, int in, int out,
           Init weight = Init::XavierUniform, Biases bias = Biases::All);
    /// Shares `weight` with another module (tied embeddings); the bias is its own.
    Linear(ParameterSet& parameters, ModuleRef module, const std::string& scope, ParameterId weight,
           Biases bias = Biases::All);
    Variable<float> forward(ForwardContext& context, const Variable<float>& x) const;
    Origin made(Part part, Operation operation = Operation::Linear) const;

private:
    ModuleRef m_module;
    ParameterId m_weight;
    std::optional<ParameterId> m_bias;
};

/// torch.nn.LayerNorm or torch.nn.RMSNorm over the last axis. Shape: [N, d] → [N, d]. An RMS norm that is narrower than
/// its input is of each head: [N, heads·width] → the same.
class Norm {
public:
    struct Options {
        int width = 0;
        float epsilon = 1e-5f;
        NormKind kind = NormKind::Layer;
        Biases bias = Biases::All;  ///< of a layer norm
        bool fromOne = false;       ///< of an RMS norm: it scales by 1 + weight, which starts at zero (Gemma)
    };
    Norm(ParameterSet& parameters, ModuleRef module, const std::string& scope, const Options& options);
    Variable<float> forward(ForwardContext& context, const Variable<float>& x) const;
    Origin made(Part part) const;
    const ModuleRef& module() const { return m_module; }
    /// The residual sum that stands with it.
    Origin madeSum() const { return {m_module, Part::Residual, Operation::Add}; }

private:
    ModuleRef m_module;
    NormKind m_kind;
    ParameterId m_weight;
    std::optional<ParameterId> m_bias;
    float m_epsilon;
    bool m_fromOne;
};

/// torch.nn.Embedding, times `scale`. Shape: [N] ids → [N, width].
class Embedding {
public:
    struct Options {
        std::string fileScope;
        std::string traceName;  ///< `encoder.embedding`
        std::string idsName;    ///< `source.ids`
        int vocabulary = 0;
        int width = 0;
        float scale = 1;
        Init init = Init::EmbeddingNormal;
        Stack stack = Stack::Only;               ///< that reads with it
        std::optional<ParameterId> shared = {};  ///< its weight, where another has it
        Part ids = Part::Ids, rows = Part::Embedding;
    };
    Embedding(ParameterSet& parameters, const Options& options);
    /// Traced: the ids, and their rows.
    Value forward(ForwardContext& context, std::span<const int> ids, Axis tokens) const;
    ParameterId weight() const { return m_weight; }
    const ModuleRef& module() const { return m_module; }

private:
    std::string recordIds(ForwardContext& context, std::span<const int> ids, Axis tokens) const;

    ModuleRef m_module;
    std::string m_idsName;
    ParameterId m_weight;
    float m_scale;
    Part m_idsPart, m_rowsPart;
};

/// FFN(x) = f(x W₁ᵀ + b₁) W₂ᵀ + b₂ (Vaswani et al. 2017, equation 2); gated, (f(x W₁ᵀ + b₁) ⊙ (x W_upᵀ + b_up)) W₂ᵀ +
/// b₂ (Shazeer 2020). Shape: [N, d] → [N, d]. Traced: hidden, activation, up and gated (where it is), output.
class FeedForward {
public:
    struct Options {
        std::string fileScope;
        std::string traceScope;
        int width = 0;
        int hidden = 0;
        ops::Activation activation = ops::Activation::Relu;
        ModulePlace place = {};
        bool gated = false;
        Biases bias = Biases::All;
    };
    FeedForward(ParameterSet& parameters, const Options& options);
    Value forward(ForwardContext& context, const Value& x, Axis tokens) const;

private:
    /// What went through the activation, times the second map of x.
    Value gate(ForwardContext& context, const Value& x, const Value& active, Axis tokens) const;

    ModuleRef m_module;
    Linear m_linear1;
    std::optional<Linear> m_linearUp;
    Linear m_linear2;
    ops::Activation m_activation;
};

}  // namespace headlight
