// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QMessageBox>
#include <QPointer>
#include <QStackedWidget>
#include <QWidget>
#include <functional>

#include "ui/session/open/settling.h"
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
class TrainRoom : public Room, public Staged {
    Q_OBJECT
public:
    TrainRoom(Workbench& workbench, QWidget* parent);

    TrainingView* view() const { return m_view; }
    TrainingSettings* settings() const { return m_settings; }
    WeightsView* weights() const { return m_weights; }
    SentencesView* sentences() const { return m_sentences; }
    RunsView* runs() const { return m_runs; }

    int step() const;

    /// A run that the reader made counts, not a state that can be asked for again.
    bool hasUnsavedWork() const override { return m_earlierWork || isWorkOfReader(); }
    /// Cancel is what Enter means.
    void leave(const std::function<void()>& then) override;
    /// The question that waits for an answer, or nullptr.
    QMessageBox* question() const { return m_question; }

    std::vector<View> views() const override;
    ViewName currentView() const override;
    void showView(ViewName view) override;
    QWidget* viewWidget() override { return m_pages->currentWidget(); }
    std::vector<Staged*> staged() override { return {this}; }
    /// Where the state names a step, the run of its task and seed comes to rest there, exactly; a fresh one is begun
    /// where the present one is another.
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

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
    int trainTo(const StageState& state);
    void prepareFor(const StageState& state);
    void openModelOf(const StageState& state);
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
    bool m_byState = false;           ///< a state asked for what the run is doing
    int m_wish = 0, m_modelWish = 0;  ///< what the run was asked for by a state; 0: nothing
    int m_frame = 0;                  ///< of the film, by its step, as the state asks for it; 0: none
    Settling::Work m_prepares, m_trains;
    QPointer<QMessageBox> m_question;
};

}  // namespace headlight
