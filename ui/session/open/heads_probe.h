// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <span>
#include <vector>

#include "core/data/corpus.h"
#include "core/experiment/head_habits.h"
#include "core/io/trained_model.h"
#include "core/train/batching.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

/// A head whose rows are less than half as spread out as they could be is sharp: the mean of row entropy / log2(words
/// that the row may look at) is below this (HeadFacts::relativeEntropy).
inline constexpr double sharpBelow = 0.5;

/// All heads of a model at a step of its training, as they read one sentence whose translation they are made to write:
/// the same in every frame of a run, so that frames compare cell by cell.
struct HeadsFrame {
    enum class Kind {
        Regular,  ///< of a step that every run of this length shows
        Resting,  ///< because somebody stopped there; a run has one at most, the last
    };
    int step = 0;
    Kind kind = Kind::Regular;
    /// The weights and masks of its attention alone; those of a model without attention are none.
    std::shared_ptr<const Trace> trace = {};
    std::vector<double> spread = {};  ///< of each head, block by block: its relative entropy, 0 to 1
    /// Of each word that it is made to write (of a text: of the words behind the first), in their order, its
    /// probability.
    struct Said {
        QString word;
        double probability = 0;
    };
    std::vector<Said> said = {};
    GoldLinks gold = {};                  ///< of the sentence, where its task knows them
    QString source = {}, reference = {};  ///< the sentence, and what the model is made to write
    QString written = {};                 ///< what it makes of the sentence when it is left to itself
    /// Mean −log p of a target token of the same sentences in every frame, without dropout and smoothing: of a sample
    /// of those that are learned from, and of those that the run is validated by (ValidationPoint::loss of the same
    /// step).
    double trainLoss = 0, validationLoss = 0;
    double validationAccuracy = 0;  ///< share of those target tokens that are the likeliest, under teacher forcing
};

size_t bytesOf(const HeadsFrame& frame);

/// What a trace tells of these blocks: their weights and masks, and its words.
std::shared_ptr<const Trace> attentionOf(const Trace& whole, std::span<const AttentionBlock> blocks);

/// The steps at which a run of that many shows its heads, 0 and the last among them: close together at its beginning,
/// further apart later, and of each length of run the same but for the last; `most` of them, at least two.
std::vector<int> headSteps(int last, size_t most);

/// The sentences of a part that a run is watched by, at most 200: enough for figures that move smoothly, few enough not
/// to hold the training up. Drawn from all of the part, as its first ones may be its easiest, and the same whatever the
/// run's seed; of a running text the first lines, as its windows reach over from one to the next. None that is too long
/// for the model.
Corpus watchedSample(const Corpus& part, const TrainedModel& model);

/// What a run's heads are watched with.
class HeadsProbe {
public:
    /// Watches the pair whose source is `probe`, or of a text the line that begins so; otherwise an ordinary one of
    /// `validation`, the sentences that the run is validated by.
    HeadsProbe(const TrainedModel& model, const CorpusSplits& splits, const Corpus& validation,
               const std::string& probe);

    /// Empty where no pair can be read.
    const SentencePair& forced() const { return m_forced; }
    const Corpus& trainSample() const { return m_trainSample; }

    HeadsFrame frame(const TrainedModel& model, int step, HeadsFrame::Kind kind) const;
    /// The same without losses and without what the model writes when it is left to itself: one forward pass.
    HeadsFrame reading(const TrainedModel& model, int step) const;

private:
    SentencePair m_forced;
    Corpus m_trainSample;
    std::vector<Example> m_train, m_validation;  ///< as ids
};

}  // namespace headlight
