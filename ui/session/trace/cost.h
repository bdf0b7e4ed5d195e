// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/io/trained_model.h"

namespace headlight {

/// What a layer of each kind costs for n words of d numbers (Vaswani et al. 2017, table 1; deck 001).
struct LayerCost {
    QString kind;
    double operations = 0;       ///< multiplications
    double sequentialSteps = 0;  ///< that cannot be done at once
    double pathLength = 0;       ///< between the first word and the last
};
/// RNN n·d², convolution of width k k·n·d², attention n²·d; and attention with its four projections, 2·n²·d + 4·n·d².
std::vector<LayerCost> layerCosts(double n, double d, double k);

/// A part of a model and its parameters, as Keras' summary has them.
struct ModulePart {
    QString name;
    QString shapes;  ///< of its tensors
    long parameters = 0;
};
std::vector<ModulePart> parametersByPart(const TrainedModel& model);

}  // namespace headlight
