// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/matrix_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <map>

#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {
namespace {

/// One number. It has no QObject behind it; the table makes and keeps it.
class MatrixCell : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    MatrixCell(MatrixView* view, MatrixView::Cell cell) : m_view(view), m_cell(cell) {}

    bool isValid() const override { return m_cell.row < m_view->data().rows && m_cell.column < m_view->data().columns; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view->window()->windowHandle(); }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text) const override { return m_view->describe(m_cell); }
    void setText(QAccessible::Text, const QString&) override {}
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QRect rect() const override {
        const QRect inside = m_view->cellRect(m_cell).toRect();
        return {m_view->viewport()->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = true;
        state.selected = isSelected();
        state.readOnly = true;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    bool isSelected() const override { return m_view->locked() == m_cell; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_cell.column; }
    int rowIndex() const override { return m_cell.row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    MatrixView* m_view;
    MatrixView::Cell m_cell;
};

class MatrixTable : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit MatrixTable(MatrixView* view) : QAccessibleWidget(view, QAccessible::Table), m_view(view) {}
    ~MatrixTable() override {
        for (const auto& [index, id] : m_cells)
            QAccessible::deleteAccessibleInterface(id);
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableInterface) return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        return cellAt(index / columnCount(), index % columnCount());
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        auto* cell = const_cast<QAccessibleInterface*>(child)->tableCellInterface();
        return cell ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override {
        if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
        auto& id = m_cells[{row, column}];
        if (id == 0) id = QAccessible::registerAccessibleInterface(new MatrixCell(m_view, {row, column}));
        return QAccessible::accessibleInterface(id);
    }
    int selectedCellCount() const override { return m_view->locked().valid() ? 1 : 0; }
    QList<QAccessibleInterface*> selectedCells() const override {
        const MatrixView::Cell cell = m_view->locked();
        return cell.valid() ? QList{cellAt(cell.row, cell.column)} : QList<QAccessibleInterface*>{};
    }
    QString columnDescription(int column) const override { return m_view->data().columnLabels.value(column); }
    QString rowDescription(int row) const override { return m_view->data().rowLabels.value(row); }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    int columnCount() const override { return m_view->data().columns; }
    int rowCount() const override { return m_view->data().rows; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    MatrixView* m_view;
    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<MatrixView*>(object);
    return view ? new MatrixTable(view) : nullptr;
}

}  // namespace

void installMatrixAccessibility() {
    QAccessible::installFactory(makeInterface);  // Qt takes each once
}

}  // namespace headlight
