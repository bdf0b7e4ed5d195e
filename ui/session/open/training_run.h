// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/io/trained_model.h"
#include "core/train/trainer.h"
#include "ui/session/open/training_model.h"

namespace headlight {

/// What is to be trained.
struct TrainingSetup {
    QString task = QStringLiteral("vi-en");
    ModelConfig config;  ///< vocabulary sizes are filled in from the task
    TrainOptions options;
    QString probe;                                ///< a source sentence; empty: the task's example
    std::optional<TrainingCheckpoint> from = {};  ///< of a run of this setup: it is gone on with
};

/// A training run on a thread of its own, played, paused and stepped from the window.
///
/// The run tells of itself in a mailbox that the window empties 30 times a second: points are kept, so that curves have
/// no holes; of two probe frames that wait, both are kept too, for they are few. No lock is held while a step computes.
class TrainingRun : public QObject {
    Q_OBJECT
public:
    explicit TrainingRun(QObject* parent = nullptr);
    ~TrainingRun() override;

    /// What was prepared: known once prepared() was emitted.
    struct Facts {
        long trainingPairs = 0;
        long testPairs = 0;
        long batchesInEpoch = 1;
        int sourceVocabulary = 0;
        int targetVocabulary = 0;
        QString probe;
        ModelConfig config;
        TrainOptions options;
        std::vector<std::pair<ModuleRef, long>> parameters;  ///< of each tensor: its module, its numbers
        std::vector<double> learningRates;                   ///< of every step ahead
    };

    /// Ends what runs and makes ready anew, paused before step 1.
    void reset(const TrainingSetup& setup);
    void start();
    void pause();
    void stepOnce();
    void setLearningRate(double rate);

    TrainingState state() const { return m_state; }
    const Facts& facts() const { return m_facts; }
    const TrainingSetup& setup() const { return m_setup; }
    /// A copy of the model as it is after the step that is being computed; modelCopied() follows.
    void requestModel();

signals:
    void prepared();
    void stateChanged(headlight::TrainingState state, const QString& message);
    void pointsAdded(const std::vector<headlight::TrainingPoint>& points);
    void validated(const std::vector<headlight::ValidationPoint>& points);
    void framesAdded(const std::vector<headlight::ProbeFrame>& frames);
    void weightsAdded(const std::vector<headlight::WeightsFrame>& frames);
    void sentencesAdded(const std::vector<headlight::SentencesFrame>& frames);
    void checkpointsAdded(const std::vector<headlight::TrainingCheckpoint>& checkpoints);
    void modelCopied(std::shared_ptr<const headlight::TrainedModel> model);

private:
    /// What the thread tells, until the window takes it.
    struct Mail {
        std::vector<TrainingPoint> points;
        std::vector<ValidationPoint> validations;
        std::vector<ProbeFrame> frames;
        std::vector<WeightsFrame> weights;
        std::vector<SentencesFrame> sentences;
        std::vector<TrainingCheckpoint> checkpoints;
        std::shared_ptr<const Facts> facts;
        std::shared_ptr<const TrainedModel> model;
        std::optional<TrainingState> state;
        QString message;
    };
    /// What the window wants of the thread.
    struct Wishes {
        bool run = false;
        int steps = 0;  ///< single steps still to do
        bool stop = false;
        bool copyModel = false;
        std::optional<double> learningRate;
    };

    void work(const TrainingSetup& setup);
    bool awaitStep(Wishes& wishes, TrainingState resting);
    void train(const TrainingSetup& setup);
    void post(const std::function<void(Mail&)>& write);
    void collect();
    void stopThread();

    TrainingSetup m_setup;
    TrainingState m_state = TrainingState::Idle;
    Facts m_facts;
    QTimer m_timer;

    std::mutex m_mutex;  ///< guards m_mail and m_wishes
    std::condition_variable m_wake;
    Mail m_mail;
    Wishes m_wishes;

    std::thread m_thread;
};

}  // namespace headlight
