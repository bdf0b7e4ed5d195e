// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/views/view.h"

class QHBoxLayout;
class QLabel;
class QStackedLayout;

namespace headlight {

class ArchitectureStage;
class Button;
class MutedMark;
class NumberPanel;
class Selection;
class ValuePanel;

/// The whole model from its modules down to one number: the drawing, the way to where the reader is, and beside it the
/// value that is looked at.
class ArchitectureView : public ViewWidget {
    Q_OBJECT
public:
    explicit ArchitectureView(Selection* selection, QWidget* parent = nullptr);

    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;
    /// Heads that count for nothing: marked, until the reader turns them on again.
    void setMuted(const QStringList& heads);
    /// Values recorded after this index are drawn as outlines; -1 shows all. Of that one itself a part `phase` is
    /// there.
    void setRevealed(int recordIndex, double phase = 1);

    ArchitectureStage* stage() const { return m_stage; }
    ValuePanel* value() const { return m_value; }
    NumberPanel* number() const { return m_number; }
    QLabel* leftOut() const { return m_leftOut; }
    /// The path's stations: "Model", "Encoder", "Layer 1", "Self-attention", "Scores".
    QStringList path() const;

signals:
    /// The reader wants to be where that record is computed.
    void stepWanted(int record);
    void allHeadsOnWanted();

private:
    QWidget* makeBar();
    QWidget* makePanel();
    void showPath();
    void showUnderWay();
    void hideVeiled();

    Selection* m_selection;
    bool m_isTold = false;  ///< what changes now is not the reader's doing
    std::shared_ptr<const Trace> m_trace;
    std::vector<NumberName> m_veiled;
    int m_revealed = -1;
    double m_phase = 1;
    QStackedLayout* m_pages;
    QHBoxLayout* m_path;
    std::vector<Button*> m_stations;
    MutedMark* m_muted;
    Button* m_out;
    Button* m_in;
    ArchitectureStage* m_stage;
    ValuePanel* m_value;
    NumberPanel* m_number;
    QLabel* m_leftOut;  ///< values that there is no block of, and why
};

/// A value to begin with, where the selection has none of this trace: the first attention's scores, or the first
/// layer's state. Used by every view of single values.
void chooseFirstValue(Selection& selection, const Trace& trace);

}  // namespace headlight
