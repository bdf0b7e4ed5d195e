// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/claim.h"
#include "core/lessons/lesson_numbers.h"

namespace headlight {

/// Why the claim is not true of what the stage shows there, with the values that it names; empty: it holds. Throws
/// Error where a value is none of the model's.
std::string whyNotHeld(const Claim& claim, const LessonScene& scene, LessonNumbers& numbers);

}  // namespace headlight
