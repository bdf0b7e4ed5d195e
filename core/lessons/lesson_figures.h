// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/io/trained_model.h"
#include "core/lessons/stage_state.h"
#include "core/trace/trace.h"

namespace headlight {

/// Rows of numbers, one after another.
struct FigureTable {
    int columns = 1;
    std::vector<double> values = {};
    std::vector<double> places = {};  ///< what its columns stand for; none: 1, 2, …
    int rows() const { return static_cast<int>(values.size()) / columns; }
};

/// What a step's views compute beside the trace: a search, merges, a score. Each is kept until what it follows from
/// changes.
class LessonFigures {
public:
    static bool has(const std::string& name);
    /// The fields of the state that one follows from; of a name that is none of these, none.
    static std::vector<const char*> followsFrom(const std::string& name);
    /// `hypotheses`: of the step's search, the best first: log P and score. `merges`: how often the pair of each of the
    /// step's merges stood in the text, and the pieces of the text behind it. `ngrams`: of 1 to `ngram` words of the
    /// model's translation how many are found in the references, and how many there are. `bleu`: its score.
    /// `gradient_reach`: how much of the gradient is left so many words back in the step's layer that reads, a column
    /// for each distance from 0 on. `learning_rate`: of a run with the step's settings, a column for its first step and
    /// fifty more. Throws Error where there is no such thing.
    const FigureTable& of(const std::string& name, const StageState& state, const TrainedModel& model);

private:
    struct Kept {
        StageState by;
        FigureTable table;
    };
    std::map<std::string, Kept> m_kept;
};

/// What each target word of a reading costs, with no smoothing and with ε; `mean`: the mean of these, one row. Throws
/// Error where the model has no target words.
FigureTable wordLosses(const TrainedModel& model, const Trace& trace, double smoothing, bool mean);

}  // namespace headlight
