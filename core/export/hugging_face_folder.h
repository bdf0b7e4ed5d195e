// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/safetensors.h"
#include "core/io/trained_model.h"

namespace headlight {

/// Writes a model as Hugging Face's programs keep one of its kind (docs/contracts.md, "Models for other programs"): the
/// way back of what core/import reads, by the same descriptions. A model that was imported keeps what else its
/// config.json said. `weights`: F32 or F16. → what its user should know of the tokenizer, "" where nothing. Throws
/// Error where none of the kinds computes what the model computes, saying which is nearest and what parts them, for a
/// weight that F16 cannot hold; and as NewFolder.
std::string writeHuggingFaceFolder(const TrainedModel& model, const std::string& path,
                                   safetensors::DType weights = safetensors::DType::F32);

}  // namespace headlight
