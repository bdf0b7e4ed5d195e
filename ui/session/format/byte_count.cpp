// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/byte_count.h"

#include <QCoreApplication>
#include <array>
#include <cmath>

#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

constexpr double kUnitStep = 1000;
constexpr std::array kByteUnits{" B", " kB", " MB", " GB", " TB"};
constexpr std::array kCountUnits{"", " k", " M", " B", " T"};

/// The unit in which it has three digits at most.
size_t byteUnitOf(qint64 bytes) {
    size_t unit = 0;
    for (double left = static_cast<double>(bytes); std::round(left) >= kUnitStep && unit + 1 < kByteUnits.size();
         left /= kUnitStep)
        ++unit;
    return unit;
}

QString inByteUnit(qint64 bytes, size_t unit) {
    constexpr double oneDigit = 9.95;
    const double value = static_cast<double>(bytes) / std::pow(kUnitStep, static_cast<double>(unit));
    return formatNumber(value, unit == 0 || value >= oneDigit ? 0 : 1);
}

}  // namespace

QString formatBytes(qint64 bytes) {
    const size_t unit = byteUnitOf(bytes);
    return inByteUnit(bytes, unit) + QLatin1String(kByteUnits.at(unit));
}

QString formatRoundCount(qint64 count) {
    const size_t unit = byteUnitOf(count);
    return inByteUnit(count, unit) + QLatin1String(kCountUnits.at(unit));
}

QString formatBytesOf(qint64 bytes, qint64 total) {
    if (total <= 0) return formatBytes(bytes);
    return QCoreApplication::translate("ByteCount", "%1 of %2")
        .arg(inByteUnit(bytes, byteUnitOf(total)), formatBytes(total));
}

}  // namespace headlight
