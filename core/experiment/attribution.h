// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/corpus.h"
#include "core/experiment/alignment_error.h"
#include "core/experiment/prompt.h"

namespace headlight {

/// Ways to say what each word that is read has to do with a word that is written.
enum class AttributionMethod {
    /// ∂ log p / ∂x · x (Simonyan, Vedaldi, Zisserman 2014; Shrikumar et al. 2016). What a small change would do: near
    /// a sure answer the slope is almost flat, whatever the word meant for it.
    Gradient,
    /// The mean slope on the straight way from zeros to x, times x (Sundararajan, Taly, Yan 2017). Adds up to what the
    /// words together make of log p; on the way lie vectors that are no words.
    Integrated,
    /// log p less log p with the word's vector replaced by zeros (Zeiler, Fergus 2014). What is really lost; of two
    /// words that say the same neither is missed.
    Occlusion,
    /// Weights, the mean over heads and layers (Bahdanau, Cho, Bengio 2015). Where it is looked, not what is taken;
    /// what stands at a word in later layers is no longer that word alone (Jain, Wallace 2019).
    Attention,
    /// ‖Σ_h a W_O v‖, by layer in shares, then their mean (Kobayashi et al. 2020). A weight on a value of nothing
    /// counts
    /// nothing; what later layers make of it is left out all the same.
    Values,
};

/// Their names on the command line: gradient, integrated, occlusion, attention, values.
std::string_view nameOf(AttributionMethod method);
const std::vector<AttributionMethod>& attributionMethods();
/// Whether it can be asked of the model: a look is, where there is attention.
bool suits(AttributionMethod method, const Model& model);
/// What a method claims, and where it misleads: a sentence each.
std::string_view claimOf(AttributionMethod method);
std::string_view weaknessOf(AttributionMethod method);

/// What each word that is read has to do with one that is written.
struct Attribution {
    std::vector<double> source;  ///< by source word; of a model of one stack by its words
    std::vector<double> target;  ///< by word that the decoder is fed; empty where none is, or nothing is said of them
    double logProb = 0;          ///< of the word that is asked for
    double whole = 0;  ///< of Integrated what the words should add up to: log p, less log p with zeros for all of them
    int steps = 0;     ///< of Integrated on the way
    /// What the words add up to.
    double sum() const;
};

/// The id, in the target vocabulary, of what is said at a row of the logits: of a translation the word that is written
/// there, of a text the one that follows; behind the last one, and of other models, the likeliest. Throws Error for a
/// row that is not there.
int saidAt(const TrainedModel& model, const Trace& trace, int row);

/// `row` of the logits of a trace of that model, `word` an id of the target vocabulary. Integrated takes as many steps
/// as its sum needs to come within 0.5 % of the whole, 2,048 at most. `wanted` is asked between passes whether to go
/// on; where it says no, numbers are missing. Throws Error for a row or word that is not there, and where attention is
/// asked of a model that has none.
Attribution attribute(const TrainedModel& model, const Trace& trace, int row, int word, AttributionMethod method,
                      const std::function<bool()>& wanted = {});

/// Links each target word to the source word with the largest share in it and holds that against gold alignments, as
/// alignmentErrors() does; `block` is the method's name, `head` −1. `progress`: the share done; where it says false the
/// rest is left out. Throws Error as alignmentErrors().
AlignmentError attributionError(const TrainedModel& model, const Corpus& corpus, AttributionMethod method,
                                const std::function<bool(double)>& progress = {});

}  // namespace headlight
