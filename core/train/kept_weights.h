// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/nn/parameter_set.h"

namespace headlight {

/// Which weights of a run are written, where it is not its last ones; the `train` options under the same names.
struct KeepOptions {
    int patience = 0;          ///< validations without a better loss after which the run ends; 0: it never does
    int average = 1;           ///< states at the last validations whose mean is written; 1: the last one
    long validateEvery = 500;  ///< steps between two validations; 0: none

    bool operator==(const KeepOptions&) const = default;
    bool choosesWeights() const { return patience > 0 || average > 1; }
    /// Whether the weights of that step are among those that are looked at; those of the last are in any case.
    bool isDue(long step) const { return validateEvery > 0 && step % validateEvery == 0; }
    /// Throws Error for values out of range, and for two ways to choose.
    void validate() const;
};

/// The weights of a run at a step.
struct StepWeights {
    long step = 0;
    std::shared_ptr<const std::vector<float>> flat;
};

/// All that is known of the validations of a run so far: what it goes on with where it was interrupted.
struct KeptState {
    double least = std::numeric_limits<double>::infinity();  ///< loss, of a run with patience
    long leastAt = 0;
    int since = 0;  ///< validations without a lesser one
    std::vector<StepWeights> weights = {};

    /// Those at that step; nothing where they are not kept.
    const std::vector<float>* at(long step) const;
};

/// The weights at the validations of a run, and which of them are to be written: those of the least loss, where the run
/// has patience (early stopping); or the mean of the last few (checkpoint averaging: Vaswani et al. 2017, section 6.1).
class KeptWeights {
public:
    /// `options` are valid; `state` is of a run with the same ones, or is left aside.
    explicit KeptWeights(const KeepOptions& options, KeptState state = {});

    /// After a validation.
    void keep(const ParameterSet& parameters, long step, double loss);
    /// Weights of that step, of a run without patience.
    void keep(StepWeights weights);
    bool patienceIsOver() const { return m_options.patience > 0 && m_state.since >= m_options.patience; }
    const KeptState& state() const { return m_state; }

    /// Puts the chosen ones in the place of those of `step`, the last, and says what was done: "the mean of …". Nothing
    /// where the last are those that are wanted.
    std::optional<std::string> choose(ParameterSet& parameters, long step) const;
    /// What choose() says of the weights of the least loss.
    static std::string sayLeast(long step);

private:
    KeepOptions m_options;
    KeptState m_state;
};

}  // namespace headlight
