// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/cost.h"

namespace headlight {

int convolutionLayers(int n, int k, Layering layering) {
    if (layering == Layering::Plain) return (n - 1 + k - 2) / (k - 1);
    int layers = 0;
    for (long seen = 1; seen < n; seen *= k)
        ++layers;
    return layers;
}

std::array<LayerWork, 5> layerWork(int n, int d, int k, Layering layering) {
    const double words = n, width = d, layers = convolutionLayers(n, k, layering);
    const double scores = words * words * width, projections = 4 * words * width * width;
    return {{{words * width * width, words, words},
             {k * words * width * width, 1, layers},
             {scores, 1, 1},
             {scores + projections, 1, 1},
             {2 * scores + projections, 1, 1}}};
}

std::array<WeightSize, 5> weightSizes(const LstmTranslator& of) {
    const WeightSize lstm{4L * of.hidden, static_cast<long>(of.embedding) + of.hidden + of.biases};
    return {
        {{of.sourceWords, of.embedding}, lstm, {of.targetWords, of.embedding}, lstm, {of.targetWords, of.hidden + 1L}}};
}

}  // namespace headlight
