// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// Tells Qt's accessibility layer that a QChartView is a chart: one picture, with the name it was given or else the
/// title of its card, and nothing inside. Without it there is a nameless scroll area with a nameless view in it. Safe
/// to call often.
void installChartAccessibility();

}  // namespace headlight
