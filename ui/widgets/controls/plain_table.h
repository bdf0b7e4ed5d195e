// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QTableWidget;

namespace headlight {

/// A table to be read, not written in: no grid, no frame, the first column at the left and as wide as it may be, the
/// others, numbers mostly, at the right.
QTableWidget* makePlainTable(const QStringList& columns, const QString& accessibleName);
/// Fills a row that is there; all but the first cell in the type of numbers.
void setPlainRow(QTableWidget* table, int row, const QStringList& cells);

}  // namespace headlight
