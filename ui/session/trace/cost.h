// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/experiment/cost.h"
#include "core/io/trained_model.h"

namespace headlight {

/// What a layer of each kind costs, and how it is said.
struct LayerCost : LayerWork {
    QString kind;
    QString formula, inNumbers;  ///< of the operations: "n·d²", "100·1,000²"
    QString pathFormula;
};
/// The first four of layerWork().
std::vector<LayerCost> layerCosts(int n, int d, int k, Layering layering);

/// How far apart the places are that a layer sees, the lowest being 1.
int spacingOf(int layer, int k, Layering layering);
/// At which place, counted from 0, the message of the first word is in each layer, from the words themselves (0) up.
std::vector<int> convolutionWay(int n, int k, Layering layering);

/// A part of a model and its parameters, as Keras' summary has them.
struct ModulePart {
    QString name;
    QString shapes;  ///< of its tensors
    long parameters = 0;
};
std::vector<ModulePart> parametersByPart(const TrainedModel& model);

/// A matrix of a translator of two LSTMs.
struct WeightBlock : WeightSize {
    QString name;
    bool decodes = false;
};
/// Embedding and LSTM of each side, and the layer over the target's words.
std::vector<WeightBlock> weightBlocks(const LstmTranslator& translator);
/// Of all of them together.
long parametersOf(const std::vector<WeightBlock>& blocks);

}  // namespace headlight
