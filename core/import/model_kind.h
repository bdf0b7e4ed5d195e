// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/import/foreign_config.h"
#include "core/import/weight_plan.h"
#include "core/models/model_config.h"

namespace headlight {

/// A kind of model that other programs write: how its configuration is one of ours, and its tensors our weights. One
/// file of core/import/kinds each; model_kind.cpp lists them.
struct ModelKind {
    const char* name;  ///< `model_type` of its config.json

    /// The name by which weights() asks for a tensor: without a prefix that some files have, new names for old.
    std::string (*canonicalName)(const std::string& name, const ForeignConfig& config);
    /// Throws Error for what the engine does not compute.
    ModelConfig (*config)(const ForeignConfig& config, const WeightFiles& files);
    /// Says for every weight of such a model where it comes from.
    void (*weights)(const ModelConfig& config, const ForeignConfig& foreign, const ParameterSet& parameters,
                    WeightPlan& plan);
};

/// All that there are.
std::span<const ModelKind* const> modelKinds();
/// Throws Error where there is none of the name that `config` gives, naming those there are.
const ModelKind& kindOf(const ForeignConfig& config);

/// `name` without `prefix` at its head.
std::string withoutPrefix(const std::string& name, const std::string& prefix);
/// `decoder.layers.3.`: a layer's scope.
std::string layerScope(const std::string& stack, int layer);

}  // namespace headlight
