// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace headlight {

struct Theme;

/// Colours of groups that mean nothing but "together", chosen so that colour-blind eyes tell any two of them apart, and
/// from the amber of what is looked at.
inline constexpr int groupColors = 8;
/// `group` from 0; beyond groupColors they begin anew.
QColor groupColor(const Theme& theme, int group);

}  // namespace headlight
