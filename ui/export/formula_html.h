// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace headlight {

class Formula;

/// A formula as inline SVG, as large as text of `em` times the size around it, in the page's colours. Of the picture's
/// file, which may be a stranger's, only shapes are taken over: nothing that loads or runs.
QByteArray formulaHtml(const Formula& formula, double em);

}  // namespace headlight
