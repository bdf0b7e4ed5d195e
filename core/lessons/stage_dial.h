// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/lessons/stage_state.h"

namespace headlight {

/// A number in a lesson's sentence that the reader drags, and the stage's setting of that name follows:
/// `{{sharpness from 0.1 to 5 by 0.1}}`. After the explorable explanations of Bret Victor (2011).
struct StageDial {
    std::string field;  ///< of StageState, as visitFields() names it
    double least = 0, most = 0;
    double by = 0;  ///< values are its multiples, or one of the two ends
    bool operator==(const StageDial&) const = default;

    /// Digits behind the point that its values need.
    int decimals() const;
    /// The value so many steps from another, within the range.
    double turned(double from, double steps) const;
};

/// Is a text between two braces meant as one?
bool isDialText(const std::string& text);
/// Without `by`, whole numbers go by one, and others by a power of ten of which there are twenty to two hundred in the
/// range. Throws Error that says what is wrong: the field is no number of the stage, or the range is none of it.
StageDial parseDial(const std::string& text);

/// As the address of a link, `dial:sharpness/0.1/5/0.1`, and back; empty where it is none.
std::string dialTarget(const StageDial& dial);
std::optional<StageDial> parseDialTarget(const std::string& target);

/// The number of the stage that bears this name; nothing where the field is none.
std::optional<double> numberOf(const StageState& state, const std::string& field);
/// Sets it, a whole one rounded; what is no number stays as it is.
void setNumber(StageState& state, const std::string& field, double value);

}  // namespace headlight
