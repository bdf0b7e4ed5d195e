// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/train_variant.h"

#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/error.h"
#include "core/train/trainer.h"

namespace headlight {

TrainedModel trainVariant(const TrainingPlan& plan, const CorpusSplits& splits,
                          const std::function<bool(const StepReport&)>& progress) {
    TrainedModel model = newModel(plan.config, plan.tokenizer, splits.train, plan.train.seed);
    startWith(plan.vectors, model);
    const EncodedCorpus corpus = encode(splits.train, model, Purpose::Training);
    if (corpus.pairs.empty()) throw Error("every sentence is longer than max_length allows: raise it");
    Trainer trainer(*model.network, corpus.pairs, plan.train);
    while (trainer.stepsDone() < plan.train.steps) {
        const StepReport report = trainer.step();
        if (progress && !progress(report)) break;
    }
    model.training = TrainingStory(nlohmann::json{{"steps", trainer.stepsDone()},
                                                  {"seed", plan.train.seed},
                                                  plan.train.batchSetting(),
                                                  {"training_pairs", corpus.pairs.size()}});
    return model;
}

}  // namespace headlight
