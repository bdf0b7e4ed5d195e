// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// Teaches Qt's accessibility layer that a BeamTree is a tree of words. Safe to call often.
void installBeamTreeAccessibility();

}  // namespace headlight
