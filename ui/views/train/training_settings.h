// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/training_run.h"

namespace headlight {

class ComboBox;
class LabelledSlider;

/// What is to be trained, and how. Changes hold from the next reset on.
class TrainingSettings : public QWidget {
    Q_OBJECT
public:
    explicit TrainingSettings(QWidget* parent = nullptr);

    /// Model and options; the task and the seed are the room's.
    void apply(TrainingSetup& setup) const;
    /// As they are before anybody has touched them.
    void restoreUsual();
    int steps() const;
    ComboBox* model() const { return m_model; }
    LabelledSlider* forcingStart() const { return m_forcingStart; }
    LabelledSlider* forcingEnd() const { return m_forcingEnd; }
    LabelledSlider* stepsSlider() const { return m_steps; }

signals:
    /// A fresh run with these settings is wanted.
    void runRequested();

private:
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
    std::vector<std::pair<LabelledSlider*, int>> m_usual;
};

}  // namespace headlight
