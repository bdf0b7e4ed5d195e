// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headlight {

/// Bytes to two digits or more, in units of a thousand: 340 B, 170 kB, 8.6 MB, 17 MB, 1.2 GB.
QString formatBytes(qint64 bytes);
/// How much of it is there: "7.3 of 17 MB". 0 of a total: how much there is.
QString formatBytesOf(qint64 bytes, qint64 total);

/// A count to two digits or more, in units of a thousand: 850, 22 k, 70 M, 1.1 B.
QString formatRoundCount(qint64 count);

}  // namespace headlight
