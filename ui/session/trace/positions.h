// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/io/trained_model.h"

namespace headlight {

/// A table of positions, row by row: sinusoids of the reader's choice, or what a model has learned.
struct PositionTable {
    int length = 0, width = 0;
    std::vector<float> values;

    float at(int position, int dimension) const {
        return values[static_cast<size_t>(position) * static_cast<size_t>(width) + static_cast<size_t>(dimension)];
    }
};

PositionTable sinusoids(int length, int width, double base);
/// Does a model of this shape know where a word stands by a table?
bool hasPositions(const ModelConfig& config);
/// The model's own table: its learned one, or its sinusoids. Empty where it has no positions.
PositionTable positionsOf(const TrainedModel& model);

/// PE_p · PE_{p+k} for k from −reach to reach, over the number it has at k = 0; the mean over all p for which both are
/// in the table (of sinusoids it is the same for every p).
std::vector<double> similarityByOffset(const PositionTable& table, int reach);

/// The same model told nothing of positions: the weights as they are, the encoding left out. Null where its shape does
/// not allow that (positions beside the embedding).
std::shared_ptr<const TrainedModel> withoutPositions(const TrainedModel& model);

}  // namespace headlight
