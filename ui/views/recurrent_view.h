// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/io/model_file.h"
#include "core/trace/trace.h"
#include "ui/session/recurrence.h"

class QLabel;
class QStackedLayout;

namespace headlight {

class ComboBox;
class MatrixView;
class UnrolledRnn;
class ValueStrips;

/// A recurrent network unrolled in time: states, the thought vector, attention on top of it, and the gates of the
/// chosen step.
class RecurrentView : public QWidget {
    Q_OBJECT
public:
    explicit RecurrentView(QWidget* parent = nullptr);

    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void chooseStep(int step);

    UnrolledRnn* unrolled() const { return m_unrolled; }
    ValueStrips* strips() const { return m_strips; }
    MatrixView* alignment() const { return m_alignment; }

private:
    QWidget* makeSide();
    void showLayer();
    void showStep(int step);
    void showAlignment();

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    Recurrence m_encoder, m_decoder;
    QStackedLayout* m_pages;
    QLabel* m_subtitle;
    ComboBox* m_layer;
    UnrolledRnn* m_unrolled;
    QLabel* m_stepTitle;
    ValueStrips* m_strips;
    QWidget* m_side;
    MatrixView* m_alignment;
    QLabel* m_explanation;
};

}  // namespace headlight
