// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// To a screen reader what is painted by hand is a picture, what holds controls together under a name a group (Qt calls
/// each of them a client area), and what is pressed through it is clicked. Before any widget is made: who tells its
/// parts itself comes after it, and is asked first.
void installPartRoles();

}  // namespace headlight
