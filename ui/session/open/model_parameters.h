// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/data/training_data.h"
#include "core/models/model.h"

namespace headlight {

/// The module of each tensor of a model, and its numbers.
using ModelParameters = std::vector<std::pair<ModuleRef, long>>;
ModelParameters parametersOf(const Model& model);

/// Of a source and of a target: the tokens that a translator has which learns from these, special ones among them.
/// Reads the corpus. Throws Error where it cannot be read.
std::array<int, 2> vocabularySizes(const TrainingData& data, uint64_t seed);

}  // namespace headlight
