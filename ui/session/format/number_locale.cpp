// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/number_locale.h"

#include <QLocale>
#include <clocale>

namespace headlight {

void setNumberLocale() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    std::setlocale(LC_NUMERIC, "C");
}

}  // namespace headlight
