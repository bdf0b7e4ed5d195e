// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/corpus.h"
#include "core/data/evaluation.h"
#include "ui/session/open/training_setup.h"

namespace headlight {

/// The model, its data and its trainer, as they are built for a run, and all that is measured of them. Lives on the
/// run's thread.
class TrainingBench {
public:
    /// Throws Error for a setup that cannot be trained.
    explicit TrainingBench(const TrainingSetup& setup);

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
    ValidationPoint validation() const;
    WeightsFrame weights() const;
    SentencesFrame sentences() const;
    std::shared_ptr<const TrainedModel> copyOfModel() const;

private:
    std::span<float> flat() const { return m_model.network->parameters().flat(); }

    TrainingSetup m_setup;
    std::shared_ptr<const TrainingSetup> m_origin;  ///< without what it goes on from
    TrainedModel m_model;
    EncodedCorpus m_train;
    Corpus m_test;
    std::unique_ptr<Trainer> m_trainer;
    std::vector<float> m_firstWeights;
    std::string m_probe;
};

}  // namespace headlight
