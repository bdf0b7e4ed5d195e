// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// A screen reader is told the value that is written beside a slider, where Qt tells the place of its handle.
void installSliderAccessibility();

}  // namespace headlight
