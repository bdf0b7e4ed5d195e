// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace headlight {

/// What shows numbers in rows and columns, and lets them be taken to a spreadsheet.
class Spreadsheet {
public:
    /// A line for each row, tabs between its cells, names first. Empty: there is nothing to take now.
    virtual QString spreadsheet() const = 0;

protected:
    ~Spreadsheet() = default;
};

/// The text of a widget that is a Spreadsheet, a table or a list; empty: it is none, or has no rows.
QString spreadsheetOf(const QWidget& widget);

}  // namespace headlight
