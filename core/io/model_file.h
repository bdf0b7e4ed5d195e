// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/safetensors.h"
#include "core/io/trained_model.h"
#include "core/train/kept_weights.h"
#include "core/train/train_options.h"

namespace headlight {

class Trainer;

/// Writes CONTRACTS, section 2: one safetensors file with PyTorch's names. Equal models give equal bytes. `weights`:
/// F32, or F16, which takes half the room. Throws Error, for a weight that is not a number or that F16 cannot hold as
/// well; what stood in the file before then stays.
void saveModel(const TrainedModel& model, const std::string& path,
               safetensors::DType weights = safetensors::DType::F32);
/// Makes of the weights what will be read of a file that saves them so. Throws Error where F16 cannot hold one; they
/// are then as they were.
void roundWeights(TrainedModel& model, safetensors::DType weights);

/// What a file says of its model, without the weights.
struct ModelCard {
    ModelConfig config;
    TrainingStory training = {};
};
/// Throws Error as loadModel(), but does not look at the tensors.
ModelCard readModelCard(const std::string& path);

/// Throws Error for a file that is not a Headlight model, is of a newer version, or lacks, adds or resizes a tensor.
TrainedModel loadModel(const std::string& path);

/// A model in the middle of its training: the same file, with the optimizer's tensors (`optimizer.first.…`,
/// `optimizer.second.…`), the step, and the weights among which the run chooses (`kept.STEP.…`) added.
void saveCheckpoint(const TrainedModel& model, Trainer& trainer, const std::string& path, const KeptState& kept = {});

/// The same of a state that a trainer with these options was in.
void saveCheckpoint(const TrainedModel& model, const TrainOptions& options, const TrainerState& state,
                    const std::string& path, const KeptState& kept = {});

/// A model in the middle of its training, and what its trainer knew.
struct Checkpoint {
    TrainedModel model;
    TrainerState trainer;
    KeptState kept = {};
};
/// Throws Error as loadModel(), and for a file that is no checkpoint.
Checkpoint loadCheckpoint(const std::string& path);

/// Puts weights, optimizer and step back, and tells what was kept of validations. Throws Error where the checkpoint is
/// of other sizes, vocabulary, options or seed.
KeptState resumeFromCheckpoint(TrainedModel& model, Trainer& trainer, const std::string& path);

}  // namespace headlight
