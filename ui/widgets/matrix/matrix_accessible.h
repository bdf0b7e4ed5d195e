// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// Teaches Qt's accessibility layer that a MatrixView is a table of numbers. Safe to call often.
void installMatrixAccessibility();

}  // namespace headlight
