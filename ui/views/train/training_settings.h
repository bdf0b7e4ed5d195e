// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/training_run.h"
#include "ui/views/staged.h"

namespace headlight {

class ComboBox;
class LabelledSlider;

/// What is to be trained, and how. Changes hold from the next reset on.
class TrainingSettings : public QWidget, public Staged {
    Q_OBJECT
public:
    explicit TrainingSettings(QWidget* parent = nullptr);

    /// Model and options; the task and the seed are the room's.
    void apply(TrainingSetup& setup) const;
    int steps() const;
    /// The settings are `key=value`, under the names of headlight-cli train's options (`d_model=32`); the learning rate
    /// is told as a multiple of the usual one (`learning_rate=x2.5`). Only what is not as at first is told.
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    ComboBox* model() const { return m_model; }
    LabelledSlider* forcingStart() const { return m_forcingStart; }
    LabelledSlider* forcingEnd() const { return m_forcingEnd; }
    LabelledSlider* stepsSlider() const { return m_steps; }

signals:
    /// The reader chose otherwise.
    void optionsChanged();
    /// A fresh run with these settings is wanted.
    void runRequested();

private:
    struct Values;
    Values values() const;
    void setValues(const Values& values);
    void showNumbers();

    ComboBox* m_model;
    LabelledSlider* m_width;
    LabelledSlider* m_layers;
    LabelledSlider* m_heads;
    LabelledSlider* m_steps;
    ComboBox* m_schedule;
    LabelledSlider* m_rate;
    LabelledSlider* m_smoothing;
    LabelledSlider* m_dropout;
    LabelledSlider* m_forcingStart;
    LabelledSlider* m_forcingEnd;
};

}  // namespace headlight
