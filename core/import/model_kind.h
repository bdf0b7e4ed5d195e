// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "core/import/foreign_config.h"
#include "core/import/weight_plan.h"
#include "core/models/model_config.h"

namespace headlight {

/// A kind of model that other programs write: how its configuration is one of ours, and its tensors our weights. One
/// file of core/import/kinds each; model_kind.cpp lists them.
struct ModelKind {
    const char* name;   ///< `model_type` of its config.json
    const char* title;  ///< as it is called: a proper name, in every language
    /// Ours, that such a model can be, by its head; none where it may be any.
    std::array<std::string_view, 3> architectures;
    bool isAnyProgram() const { return architectures.front().empty(); }

    /// The name by which weights() asks for a tensor, of one without what wraps a model (withoutWrappers()): without
    /// the kind's own prefix, new names for old. Null: they are its names.
    std::string (*canonicalName)(const std::string& name, const ForeignConfig& config);
    /// The other way: the name that the kind's own program gives it today.
    std::string (*fileName)(const std::string& canonical);
    /// Throws Error for what the engine does not compute.
    ModelConfig (*config)(const ForeignConfig& config, const WeightFiles& files);
    /// The other way: a config.json of this kind with the model's sizes. Of a model that is not of this kind it says
    /// something else, as config() then tells. Null where there is no such file: `pytorch`.
    nlohmann::json (*describe)(const ModelConfig& config);
    /// Says for every weight of such a model where it comes from; and so, where it goes to.
    void (*weights)(const ModelConfig& config, const ForeignConfig& foreign, const ParameterSet& parameters,
                    WeightPlan& plan);
};

/// All that there are.
std::span<const ModelKind* const> modelKinds();
/// "gpt2, bert, …": those that configurations of other programs name.
std::string namesOfKinds();
/// Throws Error where there is none of the name that `config` gives, naming those there are.
const ModelKind& kindOf(const ForeignConfig& config);

/// The model's configuration in our words, and what all kinds say alike: every token that ends a text.
ModelConfig readConfig(const ModelKind& kind, const ForeignConfig& foreign, const WeightFiles& files);
/// The other way, of a kind that has one.
nlohmann::json describeConfig(const ModelKind& kind, const ModelConfig& config);

/// Width, depth, heads, inner width, words and positions under the names that most kinds have for them, from
/// `hidden_size` to `max_position_embeddings`.
nlohmann::json describeSizes(const ModelConfig& config);
/// The name under which a config.json has an activation function.
const char* activationName(ops::Activation activation);
/// `prefix` before `name`, where it does not begin with one of `outside`.
std::string withPrefix(const std::string& prefix, const std::string& name, std::initializer_list<const char*> outside);
/// `name` without what programs around a model put before all of its names: `module.` (DataParallel), `_orig_mod.`
/// (torch.compile), `base_model.model.` (PEFT), `model.` and `transformer.` (where the model is a part of another
/// module, or has a head), however they are combined. No kind's canonical name begins with one of them.
std::string withoutWrappers(std::string name);
/// `name` without `prefix` at its head.
std::string withoutPrefix(const std::string& name, const std::string& prefix);
/// `decoder.layers.3.`: a layer's scope.
std::string layerScope(const std::string& stack, int layer);

}  // namespace headlight
