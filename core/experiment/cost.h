// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

namespace headlight {

/// How the layers of a convolution lie on one another.
enum class Layering {
    Dilated,  ///< each reaches k times as far as the one below (van den Oord et al. 2016)
    Plain     ///< all alike
};

/// Layers until the last of n words has heard of the first, where each place sees itself and the k − 1 before it, k at
/// least 2: ⌈log_k n⌉, or ⌈(n − 1)/(k − 1)⌉.
int convolutionLayers(int n, int k, Layering layering);

/// What one layer takes for n words of d numbers (Vaswani et al. 2017, table 1).
struct LayerWork {
    double operations = 0;       ///< multiplications
    double sequentialSteps = 0;  ///< that cannot be done at once
    double pathLength = 0;       ///< from the first word to the last
};
/// RNN n·d², convolution of width k k·n·d², attention n²·d: of attention the scores alone, as the paper counts them.
/// Then attention with its four projections, n²·d + 4·n·d², and with the mixing of its values as well,
/// 2·n²·d + 4·n·d².
std::array<LayerWork, 5> layerWork(int n, int d, int k, Layering layering);

/// A translator of two LSTMs, as Keras sums it up. Keras adds one bias to a gate, PyTorch two.
struct LstmTranslator {
    int sourceWords = 0, targetWords = 0, embedding = 0, hidden = 0, biases = 1;
};
/// A matrix with its biases as columns more.
struct WeightSize {
    long rows = 0, columns = 0;
    long count() const { return rows * columns; }
};
/// The source's embedding and LSTM, the target's embedding and LSTM, and the layer over the target's words.
std::array<WeightSize, 5> weightSizes(const LstmTranslator& translator);

}  // namespace headlight
