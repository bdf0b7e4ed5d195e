// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

#include "ui/session/open/heads_probe.h"
#include "ui/session/open/training_setup.h"

namespace headlight {

struct TrainingMail;
class TrainingWorker;

/// A training run on a thread of its own, played, paused, stepped and brought to a step from the window.
///
/// The run tells of itself in a mailbox that the window empties 30 times a second: points are kept, so that curves have
/// no holes; of two probe frames that wait, both are kept too, for they are few. No lock is held while a step computes.
/// What is asked for is done by the run's thread: where it stops does not depend on when the mailbox is emptied.
class TrainingRun : public QObject {
    Q_OBJECT
public:
    using Facts = TrainingFacts;

    explicit TrainingRun(QObject* parent = nullptr);
    /// Waits for what the threads are computing just now.
    ~TrainingRun() override;

    /// Makes ready anew, paused before step 1 (or where `setup.from` was kept). Returns at once: what ran before ends
    /// by itself, and nothing of it is told any more.
    void reset(const TrainingSetup& setup);
    /// Gives up what is being made ready; there is no run then.
    void cancelPreparation();
    void start();
    void pause();
    void stepOnce();

    /// The run comes to stand after exactly that step, whether it has to go on or back for it; all that is told of it
    /// is then what a run tells that was trained to that step at once. arrived() follows with the number that this
    /// gives (from 1 on), or notReached(); of a wish that another trainTo() replaced, neither.
    int trainTo(int step);

    /// A copy of the model as it was after a step that the run has told of; modelCopied() follows, and where weights
    /// must be computed again, modelOnItsWay() before. Another request takes its place.
    void requestModel(int step);
    /// As it is where the run stands.
    void requestModel() { requestModel(-1); }
    void forgetRequest();
    /// The same to be written, with its figures: modelToSave() follows with the number that this gives. It outlasts the
    /// requests of those who want to look.
    int requestModelToSave(int step);

    /// Goes through the steps behind `after` up to `upTo` once more, one reading of the film's sentence each; readings
    /// follow with replayed(). Another replay takes its place.
    void replay(int after, int upTo);
    void forgetReplay();

    /// From the step on that comes next the learning rate is the plan's times this; rateTurned() follows. It is written
    /// into the run's options, and what was told of later steps, where the run has gone back, no longer holds.
    void setRateFactor(double factor);
    /// Every so often, and wherever it comes to rest, the run tells where it stands (standTold); 0: it does not.
    void keepStandEvery(int milliseconds);

    /// Returns true if the run's thread has done all that was wished for, whether or not it has been told already.
    bool isIdle() const;
    /// Returns true if everything that the thread has found out so far has been told.
    bool isAllTold() const;
    /// Returns true while a run that another one replaced has not ended its last step.
    bool isWindingDown() const;

    TrainingState state() const { return m_state; }
    /// Where the run ends: with the last step of its setup, or before, where its options have patience and it was over.
    int lastStep() const { return m_end; }
    /// The step that was told last: where the run stands.
    int step() const { return m_step; }
    /// What was prepared: known once prepared() was emitted.
    const Facts& facts() const { return m_facts; }
    const TrainingSetup& setup() const { return m_setup; }

signals:
    /// While it is made ready.
    void preparing(const headlight::TrainingPreparation& at);
    void prepared();
    void stateChanged(headlight::TrainingState state, const QString& message);
    /// All that was told of later steps is to be forgotten, and so are the frames of steps where the run only rested.
    void cutBack(int step);
    void pointsAdded(const std::vector<headlight::TrainingPoint>& points);
    void validated(const std::vector<headlight::ValidationPoint>& points);
    void framesAdded(const std::vector<headlight::ProbeFrame>& frames);
    /// All heads at a step. One that rests is told last, and is to be forgotten with the next.
    void headsAdded(const std::vector<headlight::HeadsFrame>& frames);
    void weightsAdded(const std::vector<headlight::WeightsFrame>& frames);
    void sentencesAdded(const std::vector<headlight::SentencesFrame>& frames);
    void checkpointsAdded(const std::vector<headlight::TrainingCheckpoint>& checkpoints);
    /// `left`: steps that have still to be computed again.
    void modelOnItsWay(int step, int left);
    void modelCopied(std::shared_ptr<const headlight::TrainedModel> model);
    void requestForgotten();
    /// `left`: steps that are still to be gone through; 0: that was all.
    void replayed(const std::vector<headlight::HeadsFrame>& readings, int left);
    void modelToSave(const headlight::ModelToSave& model, int wish);
    /// facts() has the new rates, and setup() the changes.
    void rateTurned();
    void standTold(const headlight::TrainingCheckpoint& stand);
    /// Everything up to that step has been told.
    void arrived(int step, int wish);
    /// It failed, or somebody took the run over; `why` is a line for the reader.
    void notReached(int step, int wish, const QString& why);

private:
    void leaveWorker();
    void collect();
    void tell(const TrainingMail& mail);
    void giveUp(const QString& why);

    TrainingSetup m_setup;
    TrainingState m_state = TrainingState::Idle;
    QString m_message;  ///< of the failure
    Facts m_facts;
    QTimer m_timer;
    int m_step = 0;
    int m_end = 0;
    int m_run = 0;         ///< counts the runs: nothing is told of an old one
    int m_wishes = 0;      ///< counts what was asked of them
    int m_wish = 0;        ///< of trainTo() that is not answered yet; 0: none
    int m_wantedStep = 0;  ///< of that
    int m_copy = 0;        ///< the model that is wanted; 0: none
    int m_replay = 0;      ///< the steps that are gone through again; 0: none
    int m_save = 0;        ///< the one to be written; 0: none
    int m_standMs = 0;
    bool m_isPrepared = false;  ///< facts() are of this run

    std::unique_ptr<TrainingWorker> m_worker;
    std::vector<std::unique_ptr<TrainingWorker>> m_leaving;  ///< told to stop; collected when they have
};

}  // namespace headlight
