// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/safetensors.h"
#include "core/io/trained_model.h"

namespace headlight {

/// Writes a model as a folder of plain PyTorch (docs/contracts.md, "Models for other programs"): its weights as
/// model.safetensors, which is a model file of ours; config.json, the tokenizers and the story of its training; and
/// Python that computes, uses and goes on training it with python3-torch and the standard library alone. Throws Error
/// as NewFolder and saveModel(); nothing is left then.
void writePyTorchFolder(const TrainedModel& model, const std::string& path,
                        safetensors::DType weights = safetensors::DType::F32);

}  // namespace headlight
