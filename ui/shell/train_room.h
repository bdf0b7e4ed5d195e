// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QMessageBox>
#include <QPointer>
#include <QStackedWidget>
#include <QWidget>
#include <functional>
#include <optional>

#include "ui/session/open/data_choice.h"
#include "ui/session/open/run_keeper.h"
#include "ui/session/open/settling.h"
#include "ui/shell/rooms.h"
#include "ui/views/train/runs_view.h"
#include "ui/views/view.h"

class QLabel;

namespace headlight {

class DataView;
class SentencesView;
class TrainingHeadsView;
class TrainingSettings;
class TrainingView;
class WeightsView;
struct TrainingSetup;

/// Trains a fresh model beside the one that is open, and hands it over when the reader wants to look inside.
class TrainRoom : public ViewRoom, public Staged {
    Q_OBJECT
public:
    TrainRoom(Workbench& workbench, QWidget* parent);

    TrainingView* view() const { return m_view; }
    TrainingHeadsView* heads() const { return m_heads; }
    DataView* data() const { return m_data; }
    DataChoice& choice() { return m_choice; }
    TrainingSettings* settings() const { return m_settings; }
    WeightsView* weights() const { return m_weights; }
    SentencesView* sentences() const { return m_sentences; }
    RunsView* runs() const { return m_runs; }

    int step() const;
    void setVeil(const std::vector<NumberName>& veiled) override;

    /// A run that the reader made counts, not a state that can be asked for again.
    bool hasUnsavedWork() const override { return m_earlierWork || isUnsaved(); }
    /// Save, Discard or Cancel, which is what Enter means.
    void leave(const std::function<void()>& then) override;
    /// The question that waits for an answer, or nullptr.
    QMessageBox* question() const { return m_question; }

    /// The model that the film shows. Without a name the run's own file, or a new one.
    void save();
    void saveAs();
    void keepModel();
    RunKeeper& keeper() { return m_keeper; }
    /// The run that an earlier window left, paused where it stood; false where there is none.
    bool bringBack();

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
    void connectKeeper();
    void connectRun();
    void connectReaders();
    void connectPreparation();
    void showPreparation(const TrainingPreparation& at);
    void reset();
    bool isWorkOfReader() const;
    bool isRunOf(const StageState& state) const;
    bool isUnsaved() const;
    void setByHand(bool byHand);
    void ask(const QString& question, const QString& yes, const std::function<void()>& then);
    void beginFresh(const TrainingSetup& setup);
    void begin(const TrainingSetup& setup, const QString& description, const RunsView::Beginning& before = {});
    void trainOn(const QString& path);
    void showSaveButtons();
    void showRate();
    void showSavedRuns();
    int shownStep() const;
    void askToBeginAnew(const QString& yes, const std::function<void()>& then);
    void chooseSeed(int seed);
    void chooseTask(const QString& task);
    void chooseFiles(const QString& title, const std::function<void(const QStringList&)>& open);
    void beginWithSettings();
    void showData();
    void countWords();
    void showSetup(const TrainingSetup& setup);
    int trainTo(const StageState& state);
    void chooseDataOf(const StageState& state);
    void prepareFor(const StageState& state);
    void openModelOf(const StageState& state);
    void holdReaderOf(const StageState& state);
    void missReader(const QString& why);
    void makeRunAgain();
    void offerRunAgain();
    void holdAgainst(const std::vector<TrainingCheckpoint>& kept);
    void connectHeads();
    void lookInside();
    void openModel(const std::shared_ptr<const TrainedModel>& model, const QString& task, const QString& probe);
    void resume(const RunsView::Beginning& beginning);
    void clear(const TrainingSetup& wanted);
    void start();
    void stepOnce();
    void forgetTimes();
    void showFacts();
    void nameModel();
    void showTimes();
    TrainingSetup setup() const;

    QLabel* m_inTraining;  ///< whose weights, sentences and runs are seen: not those of the open model
    DataChoice m_choice;
    TrainingView* m_view;
    TrainingHeadsView* m_heads;
    TrainingSettings* m_settings;
    DataView* m_data;
    WeightsView* m_weights;
    SentencesView* m_sentences;
    RunsView* m_runs;
    QElapsedTimer m_sinceStart;
    qint64 m_playedMs = 0;  ///< of the stretches before the last pause
    int m_timedFrom = 0;    ///< the step since which the time is taken
    RunKeeper m_keeper;
    bool m_byHand = false;       ///< the reader trained what stands there
    bool m_broughtBack = false;  ///< by a window before this one
    bool m_earlierWork = false;
    bool m_givenUp = false;          ///< the run was, while it was made ready: none is begun until the reader says so
    QElapsedTimer m_sincePreparing;  ///< what takes no time is not told of
    bool m_probeShown = false;
    bool m_byState = false;           ///< a state asked for what the run is doing
    int m_wish = 0, m_modelWish = 0;  ///< what the run was asked for by a state; 0: nothing
    /// A step that a link wants a sentence to be read by: its key, and what the run was asked for; 0: nothing.
    QString m_readerKey;
    int m_readerReach = 0, m_readerCopy = 0;
    std::shared_ptr<const TrainedModel> m_again;  ///< whose run is made again; null: none
    QString m_againName;
    int m_frame = 0;  ///< of the film, by its step, as the state asks for it; 0: none
    Settling::Work m_prepares, m_trains;
    QPointer<QMessageBox> m_question;
    std::optional<TrainingData> m_counted;  ///< the built-in task whose words were counted last
    Background m_wordCount{this};           ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
