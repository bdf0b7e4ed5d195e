// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// Makes number fields write numbers as formatNumber() does (0.195, 1,500), whatever the system's language: sets Qt's
/// default locale, which new widgets take over, and the C library's number format. Call it before widgets are made.
/// QLocale::system() still tells the reader's language.
void setNumberLocale();

}  // namespace headlight
