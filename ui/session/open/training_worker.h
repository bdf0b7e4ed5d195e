// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "ui/session/open/training_bench.h"

namespace headlight {

/// What a run's thread tells, until the window takes it. In this order it is to be told on.
struct TrainingMail {
    struct Arrival {
        int step = 0;
        int wish = 0;
    };
    struct Copy {
        int wish = 0;
        int step = 0;
        int left = 0;  ///< steps to compute again before it is there
        std::shared_ptr<const TrainedModel> model;
        ValidationPoint figures;  ///< of a model that is to be written
        std::optional<TestFigures> test = {};
    };
    std::optional<TrainingPreparation> preparation;
    std::shared_ptr<const TrainingFacts> facts;
    std::optional<int> cutBack;
    std::vector<TrainingPoint> points;
    std::vector<ValidationPoint> validations;
    std::vector<ProbeFrame> frames;
    std::vector<HeadsFrame> heads;
    std::vector<WeightsFrame> weights;
    std::vector<SentencesFrame> sentences;
    std::vector<TrainingCheckpoint> checkpoints;
    std::optional<Copy> copy, save;
    /// Steps that are gone through again, each as the model of it read the sentence of the film.
    struct Replay {
        int wish = 0;
        int left = 0;  ///< steps to go
        std::vector<HeadsFrame> readings;
    };
    std::optional<Replay> replay;
    std::optional<TrainingCheckpoint> stand;  ///< where the run is, to be kept outside of this process
    std::optional<TrainingState> state;
    QString message;
    std::optional<int> end;  ///< the run's last step is another one
    std::optional<Arrival> arrival;
    std::optional<Arrival> missed;  ///< where the run ends before the step that was asked for
};

/// The thread of one run. The window leaves wishes here and takes the mail; no lock is held while anything is computed.
///
/// What the run tells of a step is computed once and kept (points, frames, figures: some kilobytes a step at most), so
/// that going back, and on again, tells the same. The weights of an earlier step come from the nearest kept state
/// before it and are computed again from there; runs are deterministic to the last bit. States are kept of the first
/// and the last step and of up to eleven in between, fewer where together they would take more than 64 MB.
class TrainingWorker {
public:
    explicit TrainingWorker(const TrainingSetup& setup);
    /// Stops, and waits until the thread has ended.
    ~TrainingWorker();
    TrainingWorker(const TrainingWorker&) = delete;
    TrainingWorker& operator=(const TrainingWorker&) = delete;

    void run();
    void pause();
    void stepOnce();
    void trainTo(int step, int wish);
    /// Negative: of the step at which the run stands. A newer wish takes an older one's place.
    void copyModel(int step, int wish);
    void forgetCopy();
    /// The same for a model that is to be written, with its figures.
    void copyToSave(int step, int wish);
    /// Goes through the steps behind `after` up to `upTo`, which were told before, once more, and tells a reading of
    /// each. The run stands afterwards where it stood.
    void replay(int after, int upTo, int wish);
    void forgetReplay();
    /// From the step on that comes next the learning rate is the plan's times this.
    void setRateFactor(double factor);
    /// While it trains, and where it comes to rest, the run tells where it stands. 0: it does not.
    void keepStandEvery(int milliseconds) { m_standMs = milliseconds; }

    /// The thread is to end as soon as it can; returns at once.
    void stop();
    bool isOver() const { return m_over; }
    /// Returns true if the thread waits for a wish, or has ended: all that is to be told lies in the mailbox.
    bool isIdle();
    /// Returns true if the mailbox is empty.
    bool isAllTold();
    TrainingMail take();

private:
    static constexpr size_t bytesKeptInRun = size_t{64} << 20;

    enum class Go { Rest, On, To };
    struct ReplayWish {
        int next = 0, upTo = 0;  ///< steps
        int wish = 0;
    };
    struct Wishes {
        Go go = Go::Rest;
        int singles = 0;  ///< steps still to do one by one, where it rests otherwise
        int target = 0;
        int wish = 0;
        std::optional<std::pair<int, int>> copy, save;  ///< step, number of the wish
        std::optional<ReplayWish> replay;
        std::optional<double> factor;  ///< of the learning rate
    };
    /// All that is told of a step.
    struct Page {
        std::optional<TrainingPoint> point;
        std::optional<ProbeFrame> frame;
        std::optional<HeadsFrame> heads;
        std::optional<ValidationPoint> validation;
        std::optional<WeightsFrame> weights;
        std::optional<SentencesFrame> sentences;
        std::optional<TrainingCheckpoint> kept;
        std::optional<double> watchedLoss;  ///< by which weights are chosen
    };
    /// The weights that a model to be written is made of, as far as they have been come by.
    struct Gathering {
        int wish = 0;
        std::vector<int> steps;
        size_t done = 0;
        KeptWeights weights;
    };

    void wish(const std::function<void(Wishes&)>& change);
    void post(const std::function<void(TrainingMail&)>& write);
    void work();
    void train();
    void begin();
    std::optional<Wishes> next();
    bool isWanted();
    void rest();
    void goOn();
    void goTo(int target, int wish);
    void lookBack(int wanted, int wish);
    void lookBackToSave(int wanted, int wish);
    void replayStep(const ReplayWish& wanted);
    std::vector<int> stepsToSave(int step);
    TrainingMail::Copy gathered(int step, int wish);
    int leastUpTo(int step) const;
    bool watch(int step);
    const KeptState& before() const;
    void keepWatched(int step);
    KeptState watchedUpTo(int step) const;
    void forgetWatchedAfter(int step);
    void endWherePatienceIsOver();
    void setEnd(int step);
    void turnRate(double factor);
    void tellStand();
    bool approach(int step);
    std::optional<TrainingCheckpoint> nearest(int step) const;
    Page measured(const StepReport& report, double seconds) const;
    void cutBack(int step);
    void tellUpTo(int step);
    void tellResting();
    void lookAtRestingHeads();
    void sayState(TrainingState state);
    TrainingState restingState() const { return m_at == m_end ? TrainingState::Finished : TrainingState::Paused; }

    int reached() const { return m_first + static_cast<int>(m_story.size()) - 1; }
    Page& page(int step) { return m_story[static_cast<size_t>(step - m_first)]; }

    const TrainingSetup m_setup;
    const int m_first, m_last;

    // The thread's own.
    std::unique_ptr<TrainingBench> m_bench;
    std::vector<Page> m_story;                     ///< from m_first on
    std::optional<TrainingCheckpoint> m_furthest;  ///< where the weights were before they went back
    int m_end;                                     ///< m_last, or where patience was over before
    std::optional<Gathering> m_gathering;
    KeptWeights m_watched;       ///< up to the furthest step: what a run that is resumed chooses among
    bool m_knowsWatched = true;  ///< false: it was taken back behind a validation, and resumed counts anew
    int m_at = 0;                ///< the step that is told last: where the run stands
    int m_restingTold = -1;      ///< the step of the last frame that was told for resting there
    int m_keepEvery = 1;
    std::vector<int> m_headSteps;  ///< at which all heads are told
    int m_restingHeads = -1;       ///< the step whose heads are kept because the run rested there
    int m_cutFor = 0;              ///< the wish for which was cut back
    int m_standTold = -1;          ///< the step of the last stand that was told
    std::chrono::steady_clock::time_point m_standAt = std::chrono::steady_clock::now();  ///< when that was
    std::optional<TrainingState> m_said;

    std::mutex m_mutex;  ///< guards m_mail, m_isTold, m_wishes and m_waits
    std::condition_variable m_wake;
    TrainingMail m_mail;
    bool m_isTold = true;
    Wishes m_wishes;
    bool m_waits = false;
    std::atomic<bool> m_stop = false, m_over = false;
    std::atomic<int> m_standMs = 0;

    std::thread m_thread;  ///< last, so that all else is there before it begins
};

}  // namespace headlight
