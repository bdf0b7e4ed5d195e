// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/spreadsheet.h"

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QStringList>

#include "ui/session/format/matrix_text.h"

namespace headlight {

namespace {

/// The rows below an entry of a list, and those below each of them.
void addRows(const QAbstractItemModel& model, const QModelIndex& parent, QString& text) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column)
            cells << toCell(model.index(row, column, parent).data().toString());
        text += cells.join(u'\t') + u'\n';
        addRows(model, model.index(row, 0, parent), text);
    }
}

}  // namespace

QString spreadsheetOf(const QWidget& widget) {
    if (const auto* const sheet = dynamic_cast<const Spreadsheet*>(&widget)) return sheet->spreadsheet();
    const auto* const view = qobject_cast<const QAbstractItemView*>(&widget);
    if (!view || !view->model() || view->model()->rowCount(view->rootIndex()) == 0) return {};
    const QAbstractItemModel& model = *view->model();
    QStringList names;
    for (int column = 0; column < model.columnCount(); ++column) {
        const QVariant name = model.headerData(column, Qt::Horizontal);
        // What nobody has named Qt counts, which is no name.
        names << (name.userType() == QMetaType::Int ? QString() : toCell(name.toString()));
    }
    QString text = names.join(u'\t') + u'\n';
    if (text.trimmed().isEmpty()) text.clear();
    addRows(model, view->rootIndex(), text);
    return text;
}

}  // namespace headlight
