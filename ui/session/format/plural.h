// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headlight {

/// The English of what `tr("%n head(s)", nullptr, n)` gives: "1 head", "2 heads", "1 branch(es)" likewise. Where a
/// translation is installed, it has chosen its own form already, and there is nothing left in brackets.
inline QString plural(QString text, qint64 n) {
    for (const char* ending : {"(es)", "(s)"}) {
        const QString bracketed = QString::fromLatin1(ending);
        text.replace(bracketed, n == 1 ? QString() : bracketed.mid(1, bracketed.size() - 2));
    }
    return text;
}

}  // namespace headlight
