// SPDX-License-Identifier: GPL-3.0-or-later
// The value that is looked at, of both sides, and their difference.
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/compare/change_list.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/views/compare/fed_table.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

namespace {

using Kind = Comparison::Kind;

MatrixData matrixOf(const TrainedModel& model, const Trace& trace, const TraceRecord& record, int head) {
    MatrixData matrix;
    const std::span<const float> numbers = matrixValues(record, headOf(record, head));
    matrix.rows = matrixRows(record);
    matrix.columns = matrixColumns(record);
    matrix.values.assign(numbers.begin(), numbers.end());
    matrix.rowLabels = rowNames(model, trace, record);
    matrix.columnLabels = columnNames(model, trace, record);
    matrix.masked = maskedCells(trace, record);
    return matrix;
}

/// B − A; `other`: cells of words that are not the same.
MatrixData differenceOf(const MatrixData& one, const MatrixData& two, const std::vector<char>& other) {
    MatrixData apart = one;
    apart.leftOut = other;
    for (size_t i = 0; i < one.values.size(); ++i) {
        apart.values[i] = two.values[i] - one.values[i];
        if (!one.masked.empty() && !two.masked.empty()) apart.masked[i] = one.masked[i] || two.masked[i] ? 1 : 0;
    }
    return apart;
}

/// Of both values, all their heads, and of the difference where it is one: so that as far is as dark in all three.
ColorScale oneScale(const TraceRecord& left, const TraceRecord* right, const MatrixData& apart) {
    std::vector<float> all = left.values;
    if (right) all.insert(all.end(), right->values.begin(), right->values.end());
    for (size_t i = 0; i < apart.values.size(); ++i)
        if ((apart.leftOut.empty() || !apart.leftOut[i]) && (apart.masked.empty() || !apart.masked[i]))
            all.push_back(apart.values[i]);
    return ColorScale::scores(all);
}

}  // namespace

/// The value that is looked at, of the open model.
const TraceRecord* CompareView::value() const {
    const auto& reading = m_comparison->first().reading();
    return reading ? reading->trace->find(m_selection->value().toStdString()) : nullptr;
}

/// The values of the module that is looked at, in the order of computation.
void CompareView::fillParts(const TraceRecord& value) {
    QStringList names, titles;
    for (const TraceRecord& record : m_comparison->first().reading()->trace->records()) {
        if (record.owner().scope != value.owner().scope) continue;
        if (record.operation == Operation::Input || record.operation == Operation::Mask) continue;
        names << QString::fromStdString(record.name);
        titles << valueTitle(record);
    }
    const QSignalBlocker quiet(m_parts);
    if (names != m_partNames) m_parts->setItems(titles);
    m_partNames = names;
    m_parts->setCurrentIndex(static_cast<int>(names.indexOf(QString::fromStdString(value.name))));
    m_parts->setVisible(names.size() > 1);
}

void CompareView::showValue() {
    const TraceRecord* const left = value();
    const bool ready = m_comparison->isReady();
    // Frames of what is on its way stay; of what nobody has chosen there are none.
    const bool isThere = m_comparison->kind() != Kind::Model || !m_comparison->modelPath().isEmpty();
    for (QWidget* part : {m_mapCard, m_matrixRow, static_cast<QWidget*>(m_sentence), static_cast<QWidget*>(m_fed)})
        part->setVisible(isThere);
    for (MatrixView* matrix : m_matrices)
        matrix->setVisible(left && ready);
    m_map->setCurrent(left);
    showLines();
    if (!left || !ready) {
        m_parts->hide();
        m_title->setText(tr("Compare"));
        m_note->setText(!left ? tr("Type a sentence above to compare two readings of it.")
                        : m_comparison->kind() == Kind::Positions
                            ? tr("This model keeps its positions beside the words: they cannot be left out.")
                        : !m_comparison->problem().isEmpty() ? m_comparison->problem()
                        : m_comparison->isGone()
                            ? tr("That model of a run is not held any more. Drag its bead here from Train, Runs.")
                        : m_comparison->kind() == Kind::Model && m_comparison->modelPath().isEmpty()
                            ? tr("No other model is at hand. Choose one on the left.")
                            : tr("Reading …"));
        return;
    }
    const Session &a = m_comparison->first(), &b = m_comparison->second();
    const Trace &first = *a.reading()->trace, &second = *b.reading()->trace;
    const TraceRecord* const right = counterpart(first, *left, second);
    const int head = m_selection->head();
    fillParts(*left);
    const QString scope = scopeTitle(*left), value = valueTitle(*left);
    m_title->setText(scope.isEmpty() ? value : tr("%1: %2").arg(scope, value));
    MatrixData one = matrixOf(*a.model(), first, *left, head);
    MatrixData two = right ? matrixOf(*b.model(), second, *right, head) : MatrixData();
    const std::vector<HandChange>& made = m_comparison->made();
    const bool isTouched =
        right && std::ranges::any_of(made, [&](const HandChange& each) { return actsOn(each, *right); });
    if (isTouched)
        for (int row = 0; row < two.rows; ++row)
            for (int column = 0; column < two.columns; ++column)
                two.marked.push_back(isChanged(made, *right, headOf(*right, head), row, column) ? 1 : 0);
    const bool sameShape = right && one.rows == two.rows && one.columns == two.columns;
    const std::vector<char> other = sameShape ? incomparable(first, *left, second) : std::vector<char>();
    MatrixData apart = sameShape ? differenceOf(one, two, other) : MatrixData();
    const bool isShare = left->operation == Operation::Softmax || left->operation == Operation::Gate;
    if (isShare) {
        one.scale = two.scale = ColorScale::weights();
        apart.scale = {ColorScale::Kind::Diverging, 1};
    } else {
        one.scale = two.scale = apart.scale = oneScale(*left, right, apart);
    }
    const QString why = right ? QString() : whyLeftOut(second, left->part);
    QString scales =
        isShare ? tr("A and B on one scale, the difference from −1 to 1.") : tr("One scale for all three.");
    if (!other.empty()) scales.prepend(tr("Hatched: they read other words there. "));
    if (isTouched) scales.prepend(tr("A dot: put in by hand. "));
    m_note->setText(!why.isEmpty() ? tr("B: %1").arg(why)
                    : !right       ? tr("The other model computes no such value.")
                    : !sameShape   ? tr("Their shapes differ, %1 and %2: there is no difference cell by cell.")
                                       .arg(shapeText(*left), shapeText(*right))
                    : matrixHeads(*left) > 1 ? tr("Head %1. %2").arg(head + 1).arg(scales)
                                             : scales);
    m_cards[First]->setTitle(tr("A"));
    m_cards[First]->setCaption(a.modelName());
    m_cards[Second]->setTitle(tr("B"));
    m_cards[Second]->setCaption(m_comparison->title());
    m_cards[Difference]->setTitle(tr("B − A"));
    m_matrices[First]->setData(std::move(one));
    m_matrices[Second]->setData(std::move(two));
    m_matrices[Difference]->setData(std::move(apart));
    m_matrices[Second]->setVisible(right);
    m_matrices[Difference]->setVisible(sameShape);
    showNumber();
}

/// What would be put in at the chosen number.
void CompareView::showPlace() {
    const TraceRecord* const left = value();
    const ValueCell cell = m_selection->number();
    const MatrixData& shown = m_matrices[First]->data();
    if (m_comparison->kind() != Kind::Changes || !left || !cell.valid() || cell.row >= shown.rows ||
        cell.column >= shown.columns || !m_matrices[First]->isVisibleTo(this))
        return m_changes->clearPlace();
    HandChange number{.name = left->name};
    if (left->shape.size() > 2) number.indices = {headOf(*left, m_selection->head()) + 1};
    number.indices.insert(number.indices.end(), {cell.row + 1, cell.column + 1});
    const MatrixData& other = m_matrices[Second]->data();
    const bool both = cell.row < other.rows && cell.column < other.columns;
    number.number = (both ? other : shown).value(cell.row, cell.column);
    m_changes->setPlace(
        number, tr("%1, “%2”, “%3”")
                    .arg(m_title->text(), shown.rowLabels.value(cell.row), shown.columnLabels.value(cell.column)));
}

void CompareView::showNumber() {
    showPlace();
    const TraceRecord* const looked = value();
    const ValueCell locked = m_selection->number();
    if (looked && locked.valid() && m_row != locked.row &&
        hasFedRows(*m_comparison->first().reading()->trace, *looked)) {
        m_row = locked.row;
        showFedRow();
    } else if (m_lineRow != locked.row) {
        showLines();
    }
    const ValueCell cell = m_selection->shownNumber();
    const auto holds = [&](const MatrixData& matrix) {
        return cell.valid() && cell.row < matrix.rows && cell.column < matrix.columns;
    };
    for (MatrixView* matrix : m_matrices)
        matrix->setLocked(holds(matrix->data()) ? MatrixView::Cell{cell.row, cell.column} : MatrixView::Cell{});
    const MatrixData& apart = m_matrices[Difference]->data();
    if (!holds(apart) || m_matrices[Difference]->isHidden())
        return m_sentence->setText(tr("Point at a cell to read both."));
    const auto at = [&](Side side) {
        return static_cast<double>(m_matrices[side]->data().value(cell.row, cell.column));
    };
    if (apart.isLeftOut(cell.row, cell.column))
        return m_sentence->setText(tr("“%1”, “%2”:  A %3,  B %4,  but of other words")
                                       .arg(apart.rowLabels.value(cell.row), apart.columnLabels.value(cell.column),
                                            formatNumber(at(First), 3), formatNumber(at(Second), 3)));
    m_sentence->setText(tr("“%1”, “%2”:  A %3,  B %4,  difference %5")
                            .arg(apart.rowLabels.value(cell.row), apart.columnLabels.value(cell.column),
                                 formatNumber(at(First), 3), formatNumber(at(Second), 3),
                                 formatSigned(at(Difference), 3)));
}

QString CompareView::sentence() const {
    return m_sentence->text();
}

}  // namespace headlight
