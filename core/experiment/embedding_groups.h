// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/experiment/embedding_space.h"

namespace headlight {

/// Words of a table that point in similar directions.
struct EmbeddingGroups {
    static constexpr int none = -1;
    /// Of each row its group, from 0; none for special tokens and rows of zeros. Empty where there are no groups.
    std::vector<int> of;
    /// Of each group the rows nearest to its centre, the nearest first, at most namesEach of them.
    std::vector<std::vector<int>> nearest;
    std::vector<int> sizes;  ///< the largest group first
    double silhouette = 0;   ///< how well they are told apart, −1 to 1

    static constexpr size_t namesEach = 24;
    int count() const { return static_cast<int>(sizes.size()); }
};

/// Spherical k-means (Dhillon, Modha 2001) in the space of the embeddings, all numbers of them: by direction from the
/// mean of all words. The number of groups, fewest to most, is the one whose groups are told apart best, by the mean
/// silhouette (Rousseeuw 1987) of a sample. The same table gives the same groups. No groups for a table without words,
/// or with so few that groups say nothing. `progress` is told from 0 to 1 how far it is; where it answers false there
/// are none either.
inline constexpr int fewestGroups = 3, mostGroups = 8;
EmbeddingGroups embeddingGroups(const EmbeddingTable& table, const std::function<bool(double)>& progress = {});

}  // namespace headlight
