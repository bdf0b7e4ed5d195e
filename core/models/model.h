// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/models/model_config.h"
#include "core/nn/parameter_set.h"

namespace headlight {

struct ForwardContext;
namespace ops {
struct CrossEntropyOptions;
struct CrossEntropyResult;
}  // namespace ops

/// What a model trains on, as ids: a sentence and its translation; a window of text (no source); a sentence and its
/// label (one id as the target). No <bos>, no <eos>.
struct Example {
    std::vector<int> source;
    std::vector<int> target;
};

/// What all models share: a configuration, and weights under the names of the model file.
class Model {
public:
    virtual ~Model() = default;

    const ModelConfig& config() const { return m_config; }
    ParameterSet& parameters() { return m_parameters; }
    const ParameterSet& parameters() const { return m_parameters; }
    void initialize(uint64_t seed) { m_parameters.initialize(seed); }
    virtual std::unique_ptr<Model> clone() const = 0;

    /// The loss of the examples under teacher forcing, and its way back where the tape trains. Padding is left out.
    virtual ops::CrossEntropyResult loss(ForwardContext& context, std::span<const Example* const> examples,
                                         ops::CrossEntropyOptions options) const = 0;
    /// Tokens of an example that loss() counts.
    virtual long targetTokens(const Example& example) const = 0;

    /// What the model is made of, as its modules told when they were made.
    const std::vector<ModuleRef>& modules() const { return m_parameters.modules(); }
    /// Scopes of all attention blocks in the order of computation.
    std::vector<std::string> attentionBlocks() const;
    /// The most heads that one of them has; 0 where there is none.
    int attentionHeads() const;

    /// The model that the configuration describes; throws Error where it does not validate. Weights are zeros.
    static std::unique_ptr<Model> make(const ModelConfig& config);

protected:
    /// Throws Error where the configuration does not validate.
    explicit Model(const ModelConfig& config);
    Model(const Model&) = default;
    Model& operator=(const Model&) = default;

    /// Must the examples be computed one after another, as changes of values tell their words apart?
    static bool oneByOne(const ForwardContext& context, std::span<const Example* const> examples);
    ops::CrossEntropyResult lossOneByOne(ForwardContext& context, std::span<const Example* const> examples,
                                         const ops::CrossEntropyOptions& options) const;

    ModelConfig m_config;
    ParameterSet m_parameters;
};

}  // namespace headlight
