// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headlight {

/// How the program writes numbers: U+2212 for minus, a decimal point whatever the locale, no negative zero. Not a
/// number and the infinities read NaN, ∞ and −∞.

/// Fixed decimals: 2 in cells, 3 in tables and sums, 4 in worked arithmetic.
QString formatNumber(double value, int decimals = 2);
/// As many decimals as it takes to write a round number in full, five at most: 2 for 0.05.
int decimalsOf(double value);
/// As formatNumber, with a plus sign in front of what is above zero.
QString formatSigned(double value, int decimals = 2);
/// What a hover shows: 6 significant digits.
QString formatPrecise(double value);
/// Learning rates: 1.86e−3.
QString formatScientific(double value, int decimals = 2);
/// Numbers of any size in a text or a picture: 1.3·10⁷; 3·10⁸ and 10⁸ where nothing is rounded away.
QString formatTimesPowerOfTen(double value, int decimals = 1);
/// 10⁻⁴, and 1 for 10⁰: of axes.
QString formatPowerOfTen(int exponent);
/// Counts, with comma groups: 178,305.
QString formatCount(qint64 value);
/// A share of 1 as a percentage: 0.993 is "99.3 %".
QString formatPercent(double value, int decimals = 1);
/// A part of a whole: what is there but rounds to nothing is "< 0.1 %".
QString formatPart(double share);
/// A text for lines that wrap: its percentages stay with their signs. Numbers themselves are written with a plain
/// space, as they are copied, exported and compared.
QString unbrokenPercents(QString text);
/// A natural logarithm of a probability: "log P −0.68".
QString formatLogProb(double value);

}  // namespace headlight
