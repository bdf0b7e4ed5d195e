// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/views/train/training_facts.h"
#include "ui/widgets/controls/panel.h"

class QLabel;
class QSpinBox;

namespace headlight {

class Button;
class ComboBox;
class FittingCaption;
class Slider;

/// The controls of a training run: what to train on, start and pause, one batch at a time, the seed, and how far it is.
class TrainingBar : public Panel {
    Q_OBJECT
public:
    enum class Extent {
        Whole,
        Running  ///< what a run is steered with, without what it is begun with
    };
    explicit TrainingBar(QWidget* parent = nullptr, Extent extent = Extent::Whole);

    /// Beside the controls of the run.
    void addTools(QWidget* tools);
    void setTasks(const std::vector<TrainingTask>& tasks);
    QString taskName() const;
    void setTask(const QString& name);
    /// See TrainingView.
    void setOwnData(const QString& title);
    int seed() const;
    /// Without a signal: nobody chose it.
    void setSeed(int seed);
    static constexpr int usualSeed = 42;
    void setState(TrainingState state);
    void setProgress(int step, int total);
    /// "2.9 s elapsed, about 7 s left"; remaining below 0: not known; elapsed below 0: there is nothing to tell.
    /// Where there is no room for both, the time that is left is left out.
    void setTimes(double elapsed, double remaining);
    /// What is being done to make a run ready, the fullest text first, with a way to give it up; none: nothing is.
    void setPreparing(const QStringList& texts);
    Button* cancelButton() const { return m_cancel; }
    /// In the place of the times, the fullest first; none: the times again.
    void setNote(const QStringList& texts);
    QLabel* times() const;

signals:
    void startRequested();
    void pauseRequested();
    /// What is being made ready is no longer wanted.
    void cancelRequested();
    void stepRequested();
    void resetRequested();
    void seedChanged(int seed);
    void taskChanged(const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showTimes();

    TrainingState m_state = TrainingState::Idle;
    ComboBox* m_task;
    Button* m_start;
    Button* m_step;
    Button* m_reset;
    Button* m_cancel;
    QSpinBox* m_seed;
    QLabel* m_count;
    Slider* m_progress;
    FittingCaption* m_times;
    QStringList m_timeTexts, m_note;  ///< the fullest first
};

}  // namespace headlight
