// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QStackedWidget>
#include <QWidget>

#include "ui/shell/rooms.h"
#include "ui/views/train/runs_view.h"

namespace headlight {

class SentencesView;
class TrainingSettings;
class TrainingView;
class WeightsView;
struct TrainingSetup;
class Workbench;

/// Trains a fresh model beside the one that is open, and hands it over when the reader wants to look inside.
class TrainRoom : public QWidget, public Tabs {
    Q_OBJECT
public:
    TrainRoom(Workbench& workbench, QWidget* parent);

    TrainingView* view() const { return m_view; }
    TrainingSettings* settings() const { return m_settings; }
    WeightsView* weights() const { return m_weights; }
    SentencesView* sentences() const { return m_sentences; }
    RunsView* runs() const { return m_runs; }

    /// A fresh run of the task, if the present one is another or went further, that stops by itself.
    void trainTo(const QString& task, int steps);
    int step() const { return m_step; }

    QStringList tabs() const override;
    int currentTab() const override { return m_pages->currentIndex(); }
    QWidget* currentView() const override { return m_pages->currentWidget(); }
    void showTab(int index) override { m_pages->setCurrentIndex(index); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectRun();
    void reset();
    void resume(const RunsView::Beginning& beginning);
    void clear(const TrainingSetup& wanted);
    void start();
    void showFacts();
    void showTimes();
    TrainingSetup setup() const;

    Workbench& m_workbench;
    QStackedWidget* m_pages;
    TrainingView* m_view;
    TrainingSettings* m_settings;
    WeightsView* m_weights;
    SentencesView* m_sentences;
    RunsView* m_runs;
    QElapsedTimer m_sinceStart;
    qint64 m_playedMs = 0;  ///< of the stretches before the last pause
    int m_step = 0;
    int m_firstStep = 0;  ///< what was done before this run took over
    int m_steps = 0;      ///< of the run
    int m_stopAt = 0;     ///< 0: at the end of the run
    bool m_probeShown = false;
};

}  // namespace headlight
