// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/workbench.h"

namespace headlight {

Workbench::Workbench(ThemeManager& manager) : theme(manager) {
    connect(&session, &Session::readingChanged, this,
            [this] { selection.setTrace(session.reading() ? session.reading()->trace : nullptr); });
}

}  // namespace headlight

#include "moc_workbench.cpp"
