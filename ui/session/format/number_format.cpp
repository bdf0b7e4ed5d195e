// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/number_format.h"

#include <QCoreApplication>
#include <cmath>

namespace headlight {
namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kInfinity(0x221E);

/// The spelling of what has no digits; empty for an ordinary number.
QString nonFinite(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value < 0 ? QString(kMinus) + kInfinity : QString(kInfinity);
    return {};
}

/// Takes the sign off, so that a value that rounds to zero keeps none.
QString withMinus(QString digits) {
    if (!digits.startsWith(u'-')) return digits;
    digits.remove(0, 1);
    for (const QChar c : digits) {
        if (c == u'e') break;
        if (c >= u'1' && c <= u'9') return kMinus + digits;
    }
    return digits;
}

}  // namespace

QString formatNumber(double value, int decimals) {
    QString special = nonFinite(value);
    return special.isEmpty() ? withMinus(QString::number(value, 'f', decimals)) : special;
}

int decimalsOf(double value) {
    int decimals = 0;
    for (; decimals < 5 && std::abs(value - std::round(value)) > 1e-6; value *= 10)
        ++decimals;
    return decimals;
}

QString formatSigned(double value, int decimals) {
    const QString digits = formatNumber(value, decimals);
    return value > 0 && digits != formatNumber(0, decimals) ? u'+' + digits : digits;
}

QString formatPrecise(double value) {
    QString special = nonFinite(value);
    if (!special.isEmpty()) return special;
    const double magnitude = std::abs(value);
    if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e6)) return formatScientific(value, 5);
    return withMinus(QString::number(value, 'g', 6));
}

QString formatScientific(double value, int decimals) {
    QString special = nonFinite(value);
    if (!special.isEmpty()) return special;
    if (value == 0) return QStringLiteral("0");
    const QString written = QString::number(value, 'e', decimals);
    const int at = static_cast<int>(written.indexOf(u'e'));
    const int rounded = written.mid(at + 1).toInt();  // Qt pads the exponent to two digits: 1.86e-03
    const QString sign = rounded < 0 ? QString(kMinus) : QString();
    return withMinus(written.left(at)) + u'e' + sign + QString::number(std::abs(rounded));
}

QString formatTimesPowerOfTen(double value, int decimals) {
    QString written = formatScientific(value, decimals);
    const qsizetype at = written.indexOf(u'e');
    if (at < 0) return written;
    QString exponent = written.mid(at + 1);
    exponent.replace(kMinus, u'-');
    QString digits = written.left(at);
    // 3.0 of 3·10⁸; of 2.96 it would be a rounding that nobody saw.
    const double exact = value / std::pow(10.0, exponent.toInt());
    if (std::abs(exact - std::round(exact)) < 1e-9) digits = digits.left(digits.indexOf(u'.'));
    const QString power = formatPowerOfTen(exponent.toInt());
    if (power == QStringLiteral("1")) return digits;
    return digits == QStringLiteral("1") ? power : digits + QChar(0x00B7) + power;
}

QString formatPowerOfTen(int exponent) {
    static constexpr char16_t digits[] = u"⁰¹²³⁴⁵⁶⁷⁸⁹";
    if (exponent == 0) return QStringLiteral("1");
    QString text = QStringLiteral("10");
    if (exponent < 0) text += QChar(0x207B);
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += QChar(digits[digit.digitValue()]);
    return text;
}

QString formatCount(qint64 value) {
    QString digits = QString::number(std::abs(value));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, u',');
    return value < 0 ? kMinus + digits : digits;
}

QString formatPercent(double value, int decimals) {
    QString special = nonFinite(value);
    return special.isEmpty() ? formatNumber(value * 100, decimals) + QStringLiteral(" %") : special;
}

QString formatPart(double share) {
    constexpr double kLeast = 0.0005;
    return share > 0 && share < kLeast ? QStringLiteral("< ") + formatPercent(0.001) : formatPercent(share);
}

QString unbrokenPercents(QString text) {
    return text.replace(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
}

QString formatLogProb(double value) {
    // Of what is nearly certain two decimals would say that it is certain.
    const int decimals = std::abs(value) < 0.1 ? 4 : 2;
    return QCoreApplication::translate("NumberFormat", "log P %1").arg(formatNumber(value, decimals));
}

}  // namespace headlight
