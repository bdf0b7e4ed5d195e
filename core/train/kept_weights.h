// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
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

/// The weights at the validations of a run, and which of them are to be written: those of the least loss, where the run
/// has patience (early stopping); or the mean of the last few (checkpoint averaging: Vaswani et al. 2017, section 6.1).
class KeptWeights {
public:
    /// `options` are valid.
    explicit KeptWeights(const KeepOptions& options);

    /// After a validation.
    void keep(const ParameterSet& parameters, long step, double loss);
    bool patienceIsOver() const { return m_options.patience > 0 && m_since >= m_options.patience; }

    /// Puts the chosen ones in the place of those of `step`, the last, and says what was done: "the mean of …". Nothing
    /// where the last are those that are wanted.
    std::optional<std::string> choose(ParameterSet& parameters, long step) const;
    /// What choose() says of the weights of the least loss.
    static std::string sayLeast(long step);

private:
    KeepOptions m_options;
    double m_least = std::numeric_limits<double>::infinity();
    long m_leastAt = 0;
    int m_since = 0;
    std::vector<std::vector<float>> m_states;
};

}  // namespace headlight
