// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"
#include "core/nn/intervention.h"
#include "core/trace/trace.h"

namespace headlight {

/// A feed-forward network of a Transformer, FFN(x) = f(x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, equation 2), by the
/// records of its trace. A unit is a number between the two maps; a row of W₂ is what it adds to a word where it is 1.
struct FeedForwardLayer {
    Stack stack = Stack::Only;
    int layer = 0;  ///< from 0
    int units = 0;
    bool gated = false;      ///< f(x W₁) ⊙ (x W_up) W₂ (Shazeer 2020): a unit is then a product
    std::string x;           ///< what it reads, [words, d_model]
    std::string hidden;      ///< x W₁ + b₁, [words, d_ff]; empty where the trace went without
    std::string activation;  ///< f of that
    std::string output;      ///< [words, d_model]
};
/// In the order of computation. Empty of models that have none.
std::vector<FeedForwardLayer> feedForwardLayers(const Trace& trace);

/// f(x) in double precision.
double activated(ops::Activation kind, double x);

/// The weights of one unit.
struct UnitWeights {
    std::vector<float> in;  ///< column of W₁, [d_model]: what moves it
    double bias = 0;
    std::vector<float> out;  ///< row of W₂, [d_model]: what it adds
};
/// `unit` from 0. Throws Error where the layer has no such unit.
UnitWeights unitWeights(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int unit);

/// FFN(x) of one word, had the layer another activation: [d_model]. Not of a gated layer.
std::vector<double> outputWith(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int row,
                               ops::Activation kind);

/// What a unit says of every word of the output layer (or label), straight through: (W₂[u] ⊙ γ) · W_out, γ being the
/// product of the scales of the norms that stand on the way (Geva et al. 2022, with the norms), less the mean over all
/// words: of what all have in common a softmax takes no notice. What later sublayers make of it is left out. Empty
/// where there is no straight way: from an encoder, through a map with an activation, and of a model without a head.
std::vector<double> unitWords(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int unit);

/// What the units of one layer do at the words of a corpus.
struct FiringSurvey {
    struct Word {
        int sentence = 0, position = 0;
    };
    struct Sentence {
        std::vector<std::string> words;    ///< that the layer's stack reads
        std::vector<std::string> written;  ///< behind each; empty of an encoder
    };
    int units = 0;
    std::vector<Sentence> sentences;
    std::vector<Word> words;         ///< of all sentences
    std::vector<float> activations;  ///< [words, units]

    float at(size_t word, int unit) const {
        return activations[word * static_cast<size_t>(units) + static_cast<size_t>(unit)];
    }
    /// At how many words a unit is above zero.
    long fired(int unit) const;
    /// Where it is highest, the highest first, one place a sentence, and none where it is not above zero.
    std::vector<size_t> strongest(int unit, size_t count) const;
};
/// Reads the pairs of a corpus, the decoder being fed the true translation, until there are `mostNumbers` activations.
/// `layer` counts the layers of feedForwardLayers(). Sentences that the model cannot read are passed over. `wanted` is
/// asked before each.
FiringSurvey surveyFiring(const TrainedModel& model, const Corpus& corpus, size_t layer,
                          const std::function<bool()>& wanted = {}, size_t mostNumbers = size_t{1} << 22);

/// The same reading with one unit held at zero: its row of W₂ is zeroed in a copy of the weights.
Trace traceWithoutUnit(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int unit,
                       const std::vector<MutedHead>& muted = {});

}  // namespace headlight
