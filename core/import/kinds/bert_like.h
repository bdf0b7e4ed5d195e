// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/model_kind.h"

namespace headlight {

// BERT and what came of it: one program, which stands below one of three heads.

inline constexpr std::array<std::string_view, 3> bertLikeArchitectures{"masked-language-model", "encoder-classifier",
                                                                       "encoder"};

/// The tensors that tell which head there is, by their names.
struct BertLikeHead {
    const char* words;    ///< the head that fills in words
    const char* pooler;   ///< what a classifier reads, and what a model without a head may have
    PoolerKind function;  ///< of it
};

/// The architecture, its words or labels, and what all have alike; sizes are the kind's own.
ModelConfig bertLikeConfig(const ForeignConfig& foreign, const WeightFiles& files, const BertLikeHead& head);
/// Throws Error for a decoder, and for positions that are told in another way; `models` is what the message calls them.
void requireBertLayers(const ForeignConfig& foreign, const char* models);
/// The sizes that BERT and those after it name alike: all but the width and how many positions there are.
void takeBertSizes(const ForeignConfig& foreign, ModelConfig& config);
/// A config.json with all of them, and what depends on the head; `className` is what its classes' names begin with.
nlohmann::json describeBertSizes(const ModelConfig& config, const char* kind, const char* className);
/// The class of its program that has the head, behind the kind's name: `ForMaskedLM`, `ForPreTraining` (ELECTRA's).
const char* headClass(const ModelConfig& config);
/// What depends on the head; a classifier's pad id is of its labels, and its words' stays what it was.
void describeHead(const ModelConfig& config, nlohmann::json& json);
/// Words, positions, types and layers under BERT's names.
void bertLikeLayers(const ModelConfig& config, WeightPlan& plan);
/// What stands above the layers of a model that does not fill in words; `pooler` is called so in its file.
void headWeights(const ModelConfig& config, const std::string& pooler, WeightPlan& plan);

}  // namespace headlight
