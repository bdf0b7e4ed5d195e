// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/data/corpus.h"
#include "core/decode/beam_search.h"
#include "core/io/trained_model.h"
#include "core/train/bleu.h"
#include "core/train/train_options.h"
#include "core/work_progress.h"

namespace headlight {

/// A corpus as ids. Pairs that are longer than the model allows are left out and counted.
struct EncodedCorpus {
    std::vector<Example> pairs;
    std::vector<size_t> kept;  ///< for each of `pairs`, its place in the corpus; of a text's windows empty
    long skipped = 0;
};

enum class Purpose {
    Training,    ///< a language model's windows overlap by half, but those of running text do not
    Evaluation,  ///< every word of a text is predicted once
};
/// A corpus as the model reads it: pairs, a sentence and its label, or windows of max_length words over the running
/// text. Throws Error for a label that the model does not know, and WorkStopped.
EncodedCorpus encode(const Corpus& corpus, const TrainedModel& model, Purpose purpose,
                     const WorkProgress& progress = {});
/// The same of a corpus that nobody needs any more: each sentence is given back once it is read, so that a large text
/// does not stand in memory beside its ids.
EncodedCorpus encode(Corpus&& corpus, const TrainedModel& model, Purpose purpose, const WorkProgress& progress = {});

/// Leaves those pairs that the model can read, and gives them as it reads them. A text stays whole: it is read in
/// windows.
std::vector<Example> keepReadable(Corpus& heldOut, const TrainedModel& model);

/// The loss on what keepReadable() or encode() gave of sentences that are not learned from.
LossReport lossOn(const TrainedModel& model, const std::vector<Example>& pairs, std::span<const MutedHead> muted = {},
                  std::span<const Intervention> interventions = {});

/// How good a model is on a corpus.
struct Evaluation {
    double loss = 0;           ///< mean −log p of a target token
    double perplexity = 0;     ///< exp(loss)
    double tokenAccuracy = 0;  ///< under teacher forcing
    /// Translations equal to the reference, token by token; labels named rightly. Not of language models.
    std::optional<double> sequenceAccuracy = {};
    std::optional<double> bleu = {};     ///< of translations
    std::optional<Bleu> bleuParts = {};  ///< what it is made of
    /// Each different source once, against all of its translations in the corpus; only where sources recur.
    struct AllReferences {
        Bleu bleu;
        long sources = 0;
        double exact = 0;  ///< share of translations that equal one of them, as text
    };
    std::optional<AllReferences> allReferences = {};
    long sentences = 0;  ///< of a text its lines
    long tokens = 0;     ///< of which `loss` is the mean
    long skipped = 0;    ///< too long for the model
};
/// Throws Error where there is nothing in the corpus that the model can read.
/// Translates greedily unless the options ask for a beam; their muted heads count for the loss as well.
Evaluation evaluate(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options = {});
/// The same of a model that is still learning, which is asked again and again: no translation grows beyond twice the
/// longest reference and ten tokens. One that has learned little ends nowhere: it would write on to max_length, which
/// takes most of the time and is wrong in any case.
Evaluation evaluateInTraining(const TrainedModel& model, const Corpus& corpus);

}  // namespace headlight
