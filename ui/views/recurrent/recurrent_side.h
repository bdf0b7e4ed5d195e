// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <memory>

#include "core/io/trained_model.h"
#include "core/lessons/stage_state.h"
#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/session/open/length_curves.h"
#include "ui/session/open/settling.h"
#include "ui/views/view.h"
#include "ui/widgets/controls/panel.h"

class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace headlight {

class Button;
class MatrixView;
class PlainChart;
class SegmentedControl;

/// What the recurrent view knows beside the unrolled network: where attention looks, how far back the gradient of the
/// chosen word reaches, and how the translation fares as sentences grow.
class RecurrentSide : public Panel {
    Q_OBJECT
public:
    enum class Page { Alignment, Gradient, Length };

    explicit RecurrentSide(QWidget* parent = nullptr);

    /// Who is told while the way back is on its way; null: nobody.
    void setSettling(Settling* settling);
    void setVeil(const std::vector<NumberName>& veiled);
    /// What StageState calls the open model.
    void setModelKey(const QString& key) { m_modelKey = key; }
    /// Measures those that are not measured yet; what the reader measured stays.
    void measure(const StageTexts& models);
    /// Those of which there is a curve, as StageState calls them; none while one is measured.
    StageTexts measured() const;
    bool isBusy() const { return m_wayBack.isBusy(); }
    /// Null: there is nothing to show.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// Row of the logits that is chosen; -1: the chosen step writes nothing (the encoder's).
    void showStep(int row);
    void showPage(Page page);
    /// What the state of the stage says of it: `auto` and `none` are not pages. Asked for by name it stays, however
    /// narrow the stage is.
    void setSide(StageSide side);
    StageSide side() const { return m_side; }

    MatrixView* alignment() const { return m_alignment; }
    PlainChart* gradient() const { return m_gradient; }
    PlainChart* lengths() const { return m_lengthChart; }
    Button* measureButton() const { return m_measure; }
    const LengthCurves& curves() const { return *m_curves; }

signals:
    /// A row of the alignment, which is a step of the decoder.
    void rowChosen(int row);
    /// The reader turned to another page.
    void sideChosen();

private:
    QVBoxLayout* addPage(const QString& title, QLabel* explanation);
    Page ownPage() const;
    void fillAlignment();
    void showGradient();
    void showNorms(const std::vector<double>& norms);
    void showLengths();

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<NumberName> m_veiled;
    int m_row = -1;
    StageSide m_side = StageSide::Auto;
    LengthCurves* m_curves;
    QString m_modelKey;
    StageTexts m_measured;
    QPointer<Settling> m_settling;
    Settling::Work m_measures;
    SegmentedControl* m_choice;
    QStackedWidget* m_pages;
    QLabel* m_alignmentText;
    MatrixView* m_alignment;
    QLabel* m_gradientText;
    PlainChart* m_gradient;
    QLabel* m_lengthText;
    PlainChart* m_lengthChart;
    QLabel* m_legend;
    Button* m_measure;
    Background m_wayBack{this};
};

}  // namespace headlight
