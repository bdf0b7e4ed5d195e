// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QMessageBox>
#include <QPointer>
#include <QStackedWidget>
#include <QWidget>
#include <functional>

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

    /// The run of the task with the usual settings and seed comes to stand after exactly that step; a fresh one is
    /// begun where the present one is another. What the settings show is then that run's. TrainingRun::arrived() or
    /// notReached() follows with the number that this gives.
    int trainTo(const QString& task, int steps);
    int step() const;

    /// Whether a run that the reader made, and not a state that can be asked for again, would be lost with the window.
    bool hasUnsavedWork() const { return m_earlierWork || isWorkOfReader(); }
    /// Does it at once where nothing is lost, otherwise when the reader agrees; Cancel is what Enter means.
    void leave(const std::function<void()>& then);
    /// The question that waits for an answer, or nullptr.
    QMessageBox* question() const { return m_question; }

    QStringList tabs() const override;
    int currentTab() const override { return m_pages->currentIndex(); }
    QWidget* currentView() const override { return m_pages->currentWidget(); }
    void showTab(int index) override { m_pages->setCurrentIndex(index); }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void connectView();
    void connectRun();
    void reset();
    bool isWorkOfReader() const;
    void ask(const QString& question, const QString& yes, const std::function<void()>& then);
    void askToBeginAnew(const QString& yes, const std::function<void()>& then);
    void chooseSeed(int seed);
    void chooseTask(const QString& task);
    void lookInside();
    void openModel(const std::shared_ptr<const TrainedModel>& model, const QString& task);
    void resume(const RunsView::Beginning& beginning);
    void clear(const TrainingSetup& wanted);
    void start();
    void stepOnce();
    void forgetTimes();
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
    int m_timedFrom = 0;    ///< the step since which the time is taken
    bool m_byHand = false;  ///< the reader trained what stands there
    bool m_earlierWork = false;
    bool m_probeShown = false;
    QPointer<QMessageBox> m_question;
};

}  // namespace headlight
