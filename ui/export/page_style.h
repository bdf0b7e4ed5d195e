// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace headlight {

/// The colours of both themes as CSS variables (`--nowline`, `--sequential0` … `--sequential8`): as the reader's system
/// has it, until `data-theme` on the root says otherwise.
QByteArray pageColors();

}  // namespace headlight
