// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/trace/recurrence.h"
#include "ui/views/view.h"

class QLabel;
class QScrollArea;
class QStackedLayout;

namespace headlight {

class ComboBox;
class RecurrentSide;
class Settling;
class UnrolledRnn;
class ValueStrips;

/// A recurrent network unrolled in time: states, the thought vector, attention on top of it, the gates of the
/// chosen step. An encoder that reads both ways is shown one way at a time.
class RecurrentView : public ViewWidget {
    Q_OBJECT
public:
    explicit RecurrentView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override;
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// Where attention looks can be predicted here.
    void setVeil(const std::vector<NumberName>& veiled) override;
    /// From 0.
    void chooseStep(int step);
    /// Of encoder and decoder together.
    int steps() const { return m_encoder.steps() + m_decoder.steps(); }
    /// From 0.
    void chooseLayer(int layer);

    UnrolledRnn* unrolled() const { return m_unrolled; }
    ValueStrips* strips() const { return m_strips; }
    RecurrentSide* side() const { return m_side; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fillLayers(const ModelConfig& config);
    void showLayer();
    void showStep(int step);
    void bringIntoSight();
    void walkTo(int step);

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    Recurrence m_encoder, m_decoder;
    std::vector<NumberName> m_veiled;
    int m_wantedLayer = 1;
    int m_wantedStep = 0;  ///< 0: one that is worth a look
    QStackedLayout* m_pages;
    QLabel* m_subtitle;
    ComboBox* m_layer;
    QScrollArea* m_area = nullptr;
    UnrolledRnn* m_unrolled;
    QLabel* m_stepTitle;
    ValueStrips* m_strips;
    RecurrentSide* m_side;
    QTimer m_walk;  ///< through the network, word by word
    int m_walkEnd = 0;
};

}  // namespace headlight
