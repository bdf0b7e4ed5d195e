// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/experiment/prompt.h"
#include "core/nn/intervention.h"

namespace headlight {

/// Hypotheses that go on where the search answers changes.
constexpr int answeringBeam = 4;

/// A text that it finds.
struct FoundText {
    QString text;
    double now = 0;                     ///< log P
    std::optional<double> before = {};  ///< where it was found before
    bool operator==(const FoundText&) const = default;
};

/// What the search makes of a sentence under changes, the best first, beside what it found without them; of a model
/// that is not searched nothing. Throws Error as translate().
std::vector<FoundText> findTexts(const TrainedModel& model, const QString& source, std::span<const MutedHead> muted,
                                 std::span<const Intervention> changes, const std::vector<FoundText>& before = {});

}  // namespace headlight
