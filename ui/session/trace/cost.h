// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/io/trained_model.h"

namespace headlight {

/// How the layers of a convolution lie on one another.
enum class Layering {
    Dilated,  ///< each reaches k times as far as the one below (van den Oord et al. 2016)
    Plain     ///< all alike
};

/// What a layer of each kind costs for n words of d numbers (Vaswani et al. 2017, table 1; deck 001).
struct LayerCost {
    QString kind;
    double operations = 0;       ///< multiplications
    double sequentialSteps = 0;  ///< that cannot be done at once
    double pathLength = 0;       ///< from the first word to the last
    QString formula, inNumbers;  ///< of the operations: "n·d²", "100·1,000²"
    QString pathFormula;
};
/// RNN n·d², convolution of width k k·n·d², attention n²·d; and attention with its four projections, n²·d + 4·n·d².
/// Of attention the scores are counted, as the paper does: to mix the values takes as many again.
std::vector<LayerCost> layerCosts(int n, int d, int k, Layering layering);

/// Layers until the last of n words has heard of the first, where each place sees itself and the k − 1 before it, k at
/// least 2: ⌈log_k n⌉, or ⌈(n − 1)/(k − 1)⌉.
int convolutionLayers(int n, int k, Layering layering);
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

/// A translator of two LSTMs, as the decks have it. Keras adds one bias to a gate, PyTorch two.
struct LstmTranslator {
    int sourceWords = 0, targetWords = 0, embedding = 0, hidden = 0, biases = 1;
};
/// A matrix with its biases as columns more.
struct WeightBlock {
    QString name;
    bool decodes = false;
    long rows = 0, columns = 0;
    long count() const { return rows * columns; }
};
/// Embedding and LSTM of each side, and the layer over the target's words.
std::vector<WeightBlock> weightBlocks(const LstmTranslator& translator);
/// Of all of them together.
long parametersOf(const std::vector<WeightBlock>& blocks);

}  // namespace headlight
