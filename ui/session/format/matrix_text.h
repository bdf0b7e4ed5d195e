// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <span>
#include <vector>

namespace headlight {

/// A text as one cell of a table with tabs: a tab or a line break inside of it would begin another.
QString toCell(QString text);

/// A matrix as text, for spreadsheets: the names of the columns in the first line, those of the rows before each line.
/// Numbers have nine significant digits, which a float survives. `absent` is empty or one flag a cell: nothing stands
/// there.
QString toTsv(const QStringList& rows, const QStringList& columns, std::span<const float> values,
              std::span<const char> absent = {});
/// The same as a line of Python: np.array([[…], […]], dtype=np.float32).
QString toNumPy(int rows, int columns, std::span<const float> values);

/// How many of the finite numbers fall into each of `bins` equal parts of their range.
struct Histogram {
    double low = 0, high = 1;
    std::vector<int> counts;
    int notFinite = 0;
};
Histogram histogramOf(std::span<const float> values, int bins);

}  // namespace headlight
