// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headlight {

/// A text where there is one line for it: its line breaks are written `↵`, as everywhere on the stage.
inline QString onOneLine(QString text) {
    return text.replace(u'\n', u'↵');
}

}  // namespace headlight
