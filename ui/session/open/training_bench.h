// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/corpus.h"
#include "core/data/evaluation.h"
#include "core/train/trainer.h"
#include "ui/session/open/heads_probe.h"
#include "ui/session/open/training_setup.h"

namespace headlight {

/// The model, its data and its trainer, as they are built for a run, and all that is measured of them. Lives on the
/// run's thread.
class TrainingBench {
public:
    /// Throws Error for a setup that cannot be trained, and WorkStopped where `tell` says so.
    explicit TrainingBench(const TrainingSetup& setup, const TellPreparation& tell = {});

    /// The learning rate turned; see Trainer::setRateChanges().
    void setRateChanges(const std::vector<RateChange>& changes);
    const std::vector<RateChange>& rateChanges() const { return m_trainer->options().rateChanges; }

    int step() const { return static_cast<int>(m_trainer->stepsDone()); }
    StepReport train() { return m_trainer->step(); }

    /// The weights and what the trainer knows, to come back to.
    TrainingCheckpoint keep() const;
    void restore(const TrainingCheckpoint& kept);
    void backToTheBeginning();
    /// What one kept state takes: the weights and Adam's two moments.
    size_t bytesOfState() const;

    TrainingFacts facts() const;
    ProbeFrame frame(ProbeFrame::Kind kind) const;
    HeadsFrame heads(HeadsFrame::Kind kind) const { return m_heads->frame(m_model, step(), kind); }
    HeadsFrame reading() const { return m_heads->reading(m_model, step()); }
    ValidationPoint validation() const { return validation(m_model); }
    /// Of a copy with other weights.
    ValidationPoint validation(const TrainedModel& model) const;
    /// On those that are kept for the end, evenly chosen where they are many: at most mostJudged. Nothing where none
    /// are kept.
    std::optional<TestFigures> test(const TrainedModel& model) const;
    static constexpr size_t mostJudged = 1000;
    /// On all sentences for validation, by which weights are chosen; of a run whose options choose.
    double watchedLoss() const { return lossOn(m_model, m_watched).loss; }
    const ParameterSet& weightsNow() const { return std::as_const(*m_model.network).parameters(); }
    WeightsFrame weights() const;
    SentencesFrame sentences() const;
    std::shared_ptr<TrainedModel> copyOfModel() const;

private:
    void makeModel(const Corpus& train, const WorkProgress& progress);
    void rememberOrigin();
    void keepForTheEnd(const Corpus& test);
    std::span<float> flat() const { return m_model.network->parameters().flat(); }

    TrainingSetup m_setup;
    std::shared_ptr<const TrainingSetup> m_origin;  ///< without what it goes on from
    TrainedModel m_model;
    EncodedCorpus m_train;
    Corpus m_validation;  ///< that the run is watched by
    Corpus m_kept;        ///< for the end
    long m_keptAll = 0;   ///< that there were before they were thinned
    std::vector<Example> m_watched;
    std::unique_ptr<Trainer> m_trainer;
    std::vector<float> m_firstWeights;
    std::string m_probe;
    std::string m_ownExample;  ///< of data of one's own, a sentence to begin with; else empty
    std::unique_ptr<HeadsProbe> m_heads;
};

}  // namespace headlight
