// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <vector>

#include "core/experiment/loss_of_words.h"
#include "core/lessons/lesson.h"

namespace headlight {

/// What of the loss of a sentence a lesson hides until the reader has predicted it. Words of the target and of the
/// vocabulary count from 0. What follows from a hidden number is hidden with it: of a share its cost, of a cost the
/// mean.
class LossVeil {
public:
    LossVeil() = default;
    LossVeil(std::vector<NumberName> veiled, const std::vector<WordCost>& costs);

    bool hidesLogit(int index, int word) const;
    /// p, and p − q with it.
    bool hidesShare(int index, int word) const;
    /// What the target's word costs there.
    bool hidesCost(int index) const;
    /// And perplexity, which is e to the power of it.
    bool hidesMean() const { return m_hidesMean; }

private:
    bool hides(std::initializer_list<const char*> names, const std::vector<int>& at) const;
    int row(int index) const { return m_places[static_cast<size_t>(index)].row; }

    struct Place {
        int row, target;
    };
    std::vector<NumberName> m_veiled;
    std::vector<Place> m_places;
    bool m_hidesMean = false;
};

}  // namespace headlight
