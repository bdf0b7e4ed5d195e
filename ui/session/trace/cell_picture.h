// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/experiment/cell_figures.h"
#include "core/experiment/cell_parts.h"

namespace headlight {

/// What the view of a cell shows: one layer of an open reading in one direction, one of its words and one of its
/// units, in the order in which the units stand. Everything drawn and said is read from here.
class CellPicture {
public:
    /// A column of the picture: which panel it stands in, and what stands before it in the amber bar.
    struct Column {
        CellColumn::Kind kind;
        QString symbol;     ///< as paint::math() takes it
        QString operation;  ///< `×`, `=`, `+`, `tanh`; empty: nothing
        int panel = 0;
        QString gate = {};  ///< σ or tanh, where W x + U h + b enters from below; else empty
    };
    struct Panel {
        QString title, caption;
    };
    /// A layer of a stack, in one direction.
    struct Place {
        QString name;
        ModuleRef layer;
    };

    CellPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);

    Cell cell() const { return m_model->network->config().cell; }
    const TrainedModel& model() const { return *m_model; }
    const std::vector<Place>& places() const { return m_places; }
    int place() const { return m_place; }
    void setPlace(int place);
    /// Index in places() of that layer (as StageState counts) in the stack that reads that step of the unrolled
    /// network (from 0); -1: there is none.
    int placeOf(int layer, int step) const;
    /// As StageState counts the layer: those that read from last to first behind the others.
    int stateLayer() const;
    /// Of the unrolled network, from 0: the encoder's steps come first.
    int step() const { return firstStep() + m_word; }
    int firstStep() const;
    int steps() const;

    int words() const { return m_parts->words(); }
    int word() const { return m_word; }
    void setWord(int word);
    const QStringList& tokens() const { return m_tokens; }
    QString token() const { return m_tokens.value(m_word); }

    int units() const { return m_parts->units(); }
    int unit() const { return m_unit; }
    void setUnit(int unit);
    /// Of the present word, sorted or as stored: the unit of each row.
    const std::vector<int>& order() const { return m_order; }
    int rowOf(int unit) const;
    bool canSort() const { return cell() != Cell::Rnn; }
    void setSorted(bool sorted);
    bool isSorted() const { return m_isSorted && canSort(); }

    const std::vector<Column>& layout() const { return m_layout; }
    const std::vector<Panel>& panels() const { return m_panels; }
    /// In the order of layout().
    const std::vector<CellColumn>& columns() const { return m_columns; }
    /// Of the present unit.
    double value(CellColumn::Kind kind) const;
    const std::vector<GateSum>& sums() const { return m_sums; }
    const std::vector<CellParts::Moment>& story() const { return m_story; }

    /// Symbol of what the unit keeps (c or h), of its gate (f or z) and of what it writes.
    QString memorySymbol() const;
    QString shareSymbol() const;
    QString writtenSymbol() const;
    static QString gateSymbol(const GateSum& sum, Cell cell);
    /// The equations of the present unit, each with its numbers and its result.
    struct Equation {
        QString formula, numbers;
        double result;
    };
    std::vector<Equation> equations() const;
    /// What decides at this word, in words filled from the sums.
    QString verdict() const;
    /// How the rows are ordered, in a sentence.
    QString orderText() const;
    CellPlace cellPlace() const;

private:
    void refresh();
    void lay();

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<Place> m_places;
    int m_place = 0, m_word = 0, m_unit = 0;
    bool m_isSorted = false;
    std::unique_ptr<CellParts> m_parts;
    QStringList m_tokens;
    std::vector<Column> m_layout;
    std::vector<Panel> m_panels;
    std::vector<CellColumn> m_columns;
    std::vector<int> m_order;
    std::vector<GateSum> m_sums;
    std::vector<CellParts::Moment> m_story;
};

}  // namespace headlight
