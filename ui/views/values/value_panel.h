// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

class QLabel;
class QStackedWidget;

namespace headlight {

class Button;
class MatrixView;
class PlainChart;
class SegmentedControl;
class Selection;

/// The value that is looked at, whole: its name, shape, formula, its numbers and colours, their histogram. Numbers can
/// be taken along as TSV or NumPy.
class ValuePanel : public QWidget {
    Q_OBJECT
public:
    explicit ValuePanel(Selection* selection, QWidget* parent = nullptr);

    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// Values recorded after this index are not shown; -1 shows all.
    void setRevealed(int recordIndex);

    MatrixView* matrix() const { return m_matrix; }
    PlainChart* histogram() const { return m_histogram; }
    QString title() const;
    void copyTsv() const;
    void copyNumPy() const;
    /// Numbers or how they are distributed.
    void showHistogram(bool shown);
    bool showsHistogram() const;

signals:
    /// The reader chose numbers or histogram.
    void kindChosen();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showNumber();
    const TraceRecord* record() const;
    int head() const;

    Selection* m_selection;
    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    int m_revealed = -1;
    bool m_stale = true;  ///< what is looked at has changed while this was hidden

    QLabel* m_title;
    QLabel* m_shape;
    QLabel* m_where;
    QLabel* m_formula;
    QStackedWidget* m_pages;
    MatrixView* m_matrix;
    PlainChart* m_histogram;
    SegmentedControl* m_kind;
    QLabel* m_range;
    Button* m_copy;
};

}  // namespace headlight
