// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/model_kind.h"

namespace headlight {

// MarianMT, BART and mBART are one program with other settings: they share the names of their tensors and most of what
// their config.json says.

std::string bartLikeFileName(const std::string& canonical);
/// Sizes and switches that all have. Where norms stand before the sublayers each stack ends with one.
ModelConfig bartLikeConfig(const ForeignConfig& foreign, NormOrder order);
/// The other way.
nlohmann::json describeBartLike(const ModelConfig& config);
/// Words, layers and head; not the positions.
void bartLikeWeights(const ModelConfig& config, WeightPlan& plan);

}  // namespace headlight
