// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/io/model_file.h"

namespace headlight {

/// "step 800 of 1,500 · BLEU 99.5 · loss 0.089": what its file says, and no more.
QString figuresOf(const TrainingStory& training);
/// On which sentences BLEU and loss were measured, in words; empty where its file has neither.
QString whatFiguresAreOf(const TrainingStory& training);
/// What it learned from: a built-in task, or files by their names; empty where its file does not say.
QString dataOf(const TrainingStory& training);
/// "64 wide · 64 a step · dropout 0.1".
QString settingsOf(const ModelCard& card);
/// Step and loss, as the window that trained it kept them; empty where it did not.
std::vector<QPointF> lossCurveOf(const TrainingStory& training);
/// How it differs from the paper's Transformer, or which cell it is of, and how its weights are saved where that is not
/// as F32; a line each.
QStringList factsOf(const ModelConfig& config, const TrainingStory& training);

}  // namespace headlight
