// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/experiment/free_running.h"

namespace headlight {

/// A decoder fed the truth and fed its own words, in words.
struct ForcingPicture {
    struct Step {
        QString reads, writes;
        bool readsTruth = true;  ///< what the reference has in the place before
        bool isRight = false;    ///< writes what the reference has in this place
        bool isHanded = false;   ///< reads the truth because the reader handed it in
        double right = -1;       ///< probability of the reference's word; −1: it has none in this place
    };
    std::vector<Step> forced, free;
    std::vector<QString> truth;  ///< with <eos>
    std::vector<double> apart;   ///< statesApart(), step by step, as long as both go on
    QString cell;                ///< what a step is computed by: "GRU"

    size_t steps() const { return std::max(forced.size(), free.size()); }
    bool empty() const { return truth.empty(); }
    /// The first step at which the free one reads something else than the truth; steps(): none.
    size_t firstWrongRead() const;
};
ForcingPicture forcingPicture(const TrainedModel& model, const TwoWays& ways);

/// The words that are likeliest at a step, the likeliest first, and the right one, wherever it stands.
struct LikelyWord {
    QString word;
    double probability = 0;
    bool isRight = false;
};
std::vector<LikelyWord> likelyWords(const TrainedModel& model, const DecoderRun& run, size_t step, int right,
                                    size_t most);

}  // namespace headlight
