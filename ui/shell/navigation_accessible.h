// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

class SegmentedControl;

/// Is that row of choices the tabs of ViewTabs or of ViewGroup?
bool isNavigation(const SegmentedControl& tabs);
/// Tells Qt's accessibility layer what the ways through the window are: those tabs are page tabs in a tab list, and the
/// buttons of the rail are the items of a list. Without it a checkable button is a check box. Safe to call often.
void installNavigationAccessibility();

}  // namespace headlight
