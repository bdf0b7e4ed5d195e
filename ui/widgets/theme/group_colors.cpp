// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/group_colors.h"

#include <array>

#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// At least 14 apart in OKLab times 100 for all eyes (tests/ui/test_colour_blind.cpp), and 3:1 on the surface.
constexpr std::array<QRgb, groupColors> kGroupsLight = {0xFF3399EE, 0xFFBB3311, 0xFF112299, 0xFF885588,
                                                        0xFFDD7755, 0xFF660000, 0xFF2244EE, 0xFF110033};
constexpr std::array<QRgb, groupColors> kGroupsDark = {0xFF11CCAA, 0xFFFF8800, 0xFFBB88FF, 0xFFCC1111,
                                                       0xFF118899, 0xFFEEEE33, 0xFFAA00EE, 0xFF99FFDD};

}  // namespace

QColor groupColor(const Theme& theme, int group) {
    return QColor::fromRgb((theme.isDark ? kGroupsDark : kGroupsLight)[static_cast<size_t>(group) % groupColors]);
}

}  // namespace headlight
