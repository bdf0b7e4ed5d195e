// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader sets, and the state of the stage in its place.
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/laboratory/equation_stage.h"
#include "ui/views/laboratory/number_edit.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

namespace {

constexpr double kSharpest = 0.01, kFlattest = 100;

}  // namespace

void QueryKeyValueView::connectControls() {
    connect(m_picture, &SegmentedControl::currentChanged, this, [this](int page) {
        showPage(static_cast<Page>(page));
        emit optionsChanged();
    });
    // Other matrices: what was changed in the ones before is gone.
    const auto loadOthers = [this] {
        m_edits.clear();
        load();
        emit optionsChanged();
    };
    connect(m_source, &SegmentedControl::currentChanged, this, [this, loadOthers](int which) {
        m_wantsHead = which == 1;
        loadOthers();
    });
    connect(m_reset, &Button::clicked, this, loadOthers);
    connect(m_block, &QComboBox::activated, this, [this, loadOthers] {
        m_wantedBlock = m_block->currentData().toString();
        loadOthers();
    });
    connect(m_head, &QComboBox::activated, this, [this, loadOthers](int head) {
        m_wantedHead = head + 1;
        loadOthers();
    });
    connect(m_scaled, &SegmentedControl::currentChanged, this, [this] {
        compute();
        emit optionsChanged();
    });
    connect(m_temperature, &QSlider::valueChanged, this, [this](int value) {
        m_sharpness = std::pow(10.0, static_cast<double>(value) / kStepsOfADecade);
        compute();
        emit optionsChanged();
    });
    connect(m_cell, &QDoubleSpinBox::valueChanged, this, &QueryKeyValueView::change);
    for (int i = 0; i < 6; ++i)
        connect(m_matrices[i], &MatrixView::cellClicked, this,
                [this, i](int row, int column) { choose(static_cast<Matrix>(i), row, column); });
    connect(m_planeScores, &MatrixView::cellClicked, this,
            [this](int row, int column) { choose(Scores, row, column); });
    connect(m_equation, &EquationStage::cellChosen, this, [this](const EquationStage::Cell& cell) {
        choose(static_cast<Matrix>(cell.matrix), cell.row, cell.column);
    });
    connect(m_equation, &EquationStage::numberChanged, this, [this](const EquationStage::Cell& cell, double value) {
        std::tie(m_pointed, m_row, m_column) = std::tuple(static_cast<Matrix>(cell.matrix), cell.row, cell.column);
        change(std::clamp(value, m_cell->minimum(), m_cell->maximum()));
    });
    connect(m_equation, &EquationStage::typingWanted, this, [this](const QString& first) {
        m_cell->setFocus(Qt::OtherFocusReason);
        m_cell->selectAll();
        if (auto* line = m_cell->findChild<QLineEdit*>(); line && !first.isEmpty()) line->setText(first);
    });
}

void QueryKeyValueView::choose(Matrix matrix, int row, int column) {
    m_beforeLight.reset();
    m_focus = QString::fromLatin1(matrixWord(matrix));
    m_focusCell = {row + 1, column + 1};
    point(matrix, row, column);
    emit optionsChanged();
}

bool QueryKeyValueView::lookAt(const NumberName* number, double value, Look look) {
    if (m_beforeLight) {
        const auto [matrix, row, column] = *std::exchange(m_beforeLight, {});
        point(matrix, row, column);
    }
    const int of = number && number->indices.size() == 2 ? matrixOf(number->name) : -1;
    if (of < 0 || !showsExample() || m_picture->currentIndex() == Kinds) return false;
    const auto matrix = static_cast<Matrix>(of);
    const int row = number->indices[0] - 1, column = number->indices[1] - 1;
    const auto [rows, columns] = sizeOf(matrix);
    if (row >= rows || column >= columns) return false;
    if (!isSameNumber(static_cast<double>(m_matrices[matrix]->data().value(row, column)), value)) return false;
    if (look == Look::Choose) {
        choose(matrix, row, column);
    } else {
        m_beforeLight = pointed();
        point(matrix, row, column);
    }
    return true;
}

/// The number that is pointed at.
void QueryKeyValueView::change(double value) {
    if (!editable(m_pointed)) return;
    m_edits[{m_pointed, m_row, m_column}] = static_cast<float>(value);
    applyEdits();
    compute();
    emit optionsChanged();
}

void QueryKeyValueView::showOptions(const StageState& state) {
    const bool here = state.view == ViewName::QueryKeyValue;
    const bool model =
        state.queryKeyValue.matrices == QueryKeyValueOptions::Matrices::Model || state.queryKeyValue.batch;
    {
        const QSignalBlocker quietScaled(m_scaled);
        m_wantsHead = model;
        m_scaled->setCurrentIndex(state.queryKeyValue.scaled ? 0 : 1);
        m_apart = state.queryKeyValue.apart;
        m_wantedSecond = QString::fromStdString(state.queryKeyValue.batchSecond);
        m_second->setModified(false);
        m_sentence = here ? std::max(1, state.sentence) : 1;
        m_batchCell = here && state.queryKeyValue.batch ? state.cell : StageCell();
        showPage(state.queryKeyValue.batch   ? Batch
                 : state.queryKeyValue.angle ? Angle
                 : state.queryKeyValue.kinds ? Kinds
                 : state.queryKeyValue.apart ? Apart
                                             : Equation);
    }
    setSharpness(state.queryKeyValue.sharpness);
    m_wantedBlock = here && model ? QString::fromStdString(state.block) : QString();
    m_focusBlock = here && model ? QString::fromStdString(state.focus.substr(0, state.focus.rfind('.'))) : QString();
    m_wantedHead = here && model ? std::max(1, state.head) : 1;
    m_edits.clear();
    for (const std::string& text : state.queryKeyValue.numbers)
        if (const auto edit = numberEditFrom(text))
            m_edits[{static_cast<Matrix>(edit->matrix), edit->row, edit->column}] = edit->value;
    const bool pointed = here && !model && matrixOf(state.focus) >= 0;
    m_focus = pointed ? QString::fromStdString(state.focus) : QString();
    m_focusCell = pointed ? state.cell : StageCell();
    std::tie(m_pointed, m_row, m_column) = std::tuple(Scores, 0, 1);
    m_equation->forgetPlace();
    chooseBlock();
    load();
}

void QueryKeyValueView::tellOptions(StageState& state) const {
    const bool here = state.view == ViewName::QueryKeyValue, model = m_wantsHead;
    state.queryKeyValue.kinds = m_picture->currentIndex() == Kinds;
    state.queryKeyValue.angle = m_picture->currentIndex() == Angle;
    state.queryKeyValue.batch = m_picture->currentIndex() == Batch;
    state.queryKeyValue.batchSecond = m_wantedSecond.toStdString();
    state.queryKeyValue.apart = m_apart;
    state.queryKeyValue.matrices =
        model ? QueryKeyValueOptions::Matrices::Model : QueryKeyValueOptions::Matrices::Example;
    state.queryKeyValue.scaled = m_scaled->currentIndex() == 0;
    state.queryKeyValue.sharpness = m_sharpness;
    state.queryKeyValue.numbers.clear();
    for (const auto& [place, value] : m_edits) {
        const auto [matrix, row, column] = place;
        state.queryKeyValue.numbers.push_back(textOf({matrix, row, column, value}));
    }
    if (!here) return;
    state.sentence = m_sentence;
    if (model) {
        state.block = m_wantedBlock.toStdString();
        state.head = m_wantedHead;
        if (state.queryKeyValue.batch) state.cell = m_batchCell;
    } else if (!m_focus.isEmpty()) {
        state.focus = m_focus.toStdString();
        state.cell = m_focusCell;
    }
}

void QueryKeyValueView::setSharpness(double sharpness) {
    m_sharpness = std::clamp(sharpness, kSharpest, kFlattest);
    const QSignalBlocker quiet(m_temperature);
    m_temperature->setValue(static_cast<int>(std::lround(kStepsOfADecade * std::log10(m_sharpness))));
}

/// A number that is as it was is not an edit; one outside of these matrices waits for those that have it.
void QueryKeyValueView::applyEdits() {
    const QueryKeyValue* const from = &m_original;
    const std::vector<float>* originals[] = {&from->query, &from->key, &from->value};
    std::erase_if(m_edits, [&](const auto& edit) {
        const auto [matrix, row, column] = edit.first;
        const auto [rows, columns] = sizeOf(matrix);
        if (row >= rows || column >= columns) return false;
        const size_t at = cellIndex(row, column, m_input.width);
        (*editable(matrix))[at] = edit.second;
        return (*originals[matrix])[at] == edit.second;
    });
}

/// What these matrices do not have is not pointed at.
void QueryKeyValueView::pointAsWanted() {
    if (showsExample() && !m_focus.isEmpty() && m_focusCell.valid()) {
        m_pointed = static_cast<Matrix>(matrixOf(m_focus.toStdString()));
        m_row = m_focusCell.row - 1;
        m_column = m_focusCell.column - 1;
    }
    const auto [rows, columns] = sizeOf(m_pointed);
    m_row = std::clamp(m_row, 0, rows - 1);
    m_column = std::clamp(m_column, 0, columns - 1);
}

}  // namespace headlight
