// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/matrix_text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

QString digits(float value) {
    return QString::number(static_cast<double>(value), 'g', 9);
}

}  // namespace

QString toCell(QString text) {
    return text.replace(u'\t', u' ').replace(u'\n', u' ');
}

QString toTsv(const QStringList& rows, const QStringList& columns, std::span<const float> values,
              std::span<const char> absent) {
    QString text;
    for (const QString& column : columns)
        text += u'\t' + toCell(column);
    text += u'\n';
    size_t at = 0;
    for (const QString& row : rows) {
        text += toCell(row);
        for (qsizetype i = 0; i < columns.size(); ++i, ++at)
            text += u'\t' + (!absent.empty() && absent[at] ? QString() : digits(values[at]));
        text += u'\n';
    }
    return text;
}

QString toNumPy(int rows, int columns, std::span<const float> values) {
    const auto number = [](float value) {
        if (std::isnan(value)) return QStringLiteral("np.nan");
        if (std::isinf(value)) return value > 0 ? QStringLiteral("np.inf") : QStringLiteral("-np.inf");
        return digits(value);
    };
    QStringList lines;
    size_t at = 0;
    for (int r = 0; r < rows; ++r) {
        QStringList line;
        for (int c = 0; c < columns; ++c)
            line << number(values[at++]);
        lines << QStringLiteral("[%1]").arg(line.join(QStringLiteral(", ")));
    }
    return QStringLiteral("np.array([%1], dtype=np.float32)").arg(lines.join(QStringLiteral(",\n          ")));
}

Histogram histogramOf(std::span<const float> values, int bins) {
    Histogram result;
    result.counts.resize(static_cast<size_t>(bins));
    bool any = false;
    for (const float value : values) {
        if (!std::isfinite(value)) {
            ++result.notFinite;
            continue;
        }
        const auto number = static_cast<double>(value);
        result.low = any ? std::min(result.low, number) : number;
        result.high = any ? std::max(result.high, number) : number;
        any = true;
    }
    if (!any) return result;
    if (result.high == result.low) result.high = result.low + 1;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        const double share = (static_cast<double>(value) - result.low) / (result.high - result.low);
        ++result.counts[std::min(static_cast<size_t>(bins) - 1, static_cast<size_t>(share * bins))];
    }
    return result;
}

}  // namespace headlight
