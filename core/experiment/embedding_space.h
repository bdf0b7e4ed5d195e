// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/io/trained_model.h"

namespace headlight {

/// Vectors with names: the words of a vocabulary, or positions.
struct EmbeddingTable {
    std::vector<std::string> names;  ///< as they are drawn
    std::vector<std::string> keys;   ///< the same as the vocabulary writes them
    int width = 0;
    std::vector<float> values;  ///< [names, width]
    bool ofWords = false;
    std::vector<int> specials = {};  ///< rows that stand for no text, and the unknown token's

    int count() const { return static_cast<int>(names.size()); }
    const float* row(int index) const {
        return values.data() + static_cast<size_t>(index) * static_cast<size_t>(width);
    }
};

/// The tokenizer whose words the rows of a weight stand for; null where they are positions, or kinds of segment.
const Tokenizer* wordsOf(const TrainedModel& model, const ParameterSet::Entry& entry);

/// The table of a weight of the model: `source_embedding`, `target_embedding`, `embedding`, `positions` (learned).
/// Empty where it has none of that name.
EmbeddingTable embeddingTable(const TrainedModel& model, const std::string& name);

/// Each vector's place in the plane of the two directions in which the table varies most (principal components), and
/// the share of the variance that each of them has. The sign of a direction is that of its largest part. `progress` is
/// told from 0 to 1 how far it is; where it answers false there are no points.
struct Plane {
    std::vector<std::array<float, 2>> points;
    std::array<double, 2> shares{};
};
Plane principalPlane(const EmbeddingTable& table, const std::function<bool(double)>& progress = {});

/// The cosine of the angle between one row of a table and each of them; 0 with a row of zeros.
std::vector<double> cosinesWith(Tensor<const float> table, int index);

/// The vectors most like one of them, by the cosine of their angle, the nearest first; itself left out.
struct Neighbour {
    int index = 0;
    double cosine = 0;
};
std::vector<Neighbour> nearestNeighbours(const EmbeddingTable& table, int index, int count);

}  // namespace headlight
