// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/task.h"
#include "core/models/model_config.h"

namespace headlight {

struct ModelOutline;

/// What a model is, in a line: "Transformer, 2 + 2 layers, 4 heads"; "LSTM, additive attention".
QString describeModel(const ModelConfig& config);

/// What is known of a model before it is open: "GPT-NeoX, 6 layers × 8 heads, 70 M parameters".
QString describeOutline(const ModelOutline& outline);

/// "LSTM".
QString cellName(Cell cell);

/// "scaled dot"; "none".
QString attentionName(AttentionKind kind);

/// "Vietnamese to English".
QString taskTitle(const Task& task);
/// The title of the built-in task that a model was trained on ("Vietnamese to English"), or an empty string.
QString taskTitle(const TrainingStory& training);

}  // namespace headlight
