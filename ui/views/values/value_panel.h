// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/lessons/lesson.h"
#include "core/trace/trace.h"
#include "ui/widgets/matrix/matrix_progress.h"
#include "ui/widgets/theme/color_scale.h"

class QLabel;
class QStackedWidget;

namespace headlight {

class Button;
class FittingCaption;
class MatrixView;
class PlainChart;
class SegmentedControl;
class Selection;

/// How the numbers of a value become colours: shares between 0 and 1, or signed numbers. Ids are names, of which a
/// larger one is not more: their scale has no end, so that none of them has a colour.
ColorScale scaleOf(const TraceRecord& value);

/// The value that is looked at, whole: its name, shape, formula, its numbers and colours, their histogram. Numbers can
/// be taken along as TSV or NumPy.
class ValuePanel : public QWidget {
    Q_OBJECT
public:
    explicit ValuePanel(Selection* selection, QWidget* parent = nullptr);

    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// As Staged::setVeil().
    void setVeil(const std::vector<NumberName>& veiled);
    /// Values recorded after this index are not shown; -1 shows all. `progress`: what is there of that one itself,
    /// while it is being computed.
    void setRevealed(int recordIndex, const std::optional<MatrixProgress>& progress = {});

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
    std::vector<NumberName> m_veiled;
    int m_revealed = -1;
    std::optional<MatrixProgress> m_progress;
    bool m_stale = true;  ///< what is looked at has changed while this was hidden

    QLabel* m_title;
    QLabel* m_shape;
    QLabel* m_where;
    QLabel* m_formula;
    QStackedWidget* m_pages;
    MatrixView* m_matrix;
    PlainChart* m_histogram;
    SegmentedControl* m_kind;
    FittingCaption* m_range;
    Button* m_copy;
};

}  // namespace headlight
