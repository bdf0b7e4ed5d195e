// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/translated_corpus.h"
#include "core/nn/intervention.h"

namespace headlight {

/// A decoder that was handed a word at every step, and what it made of it. Steps count from 0.
struct DecoderRun {
    std::vector<int> reads;                    ///< what it was handed: its first word is <bos>, or what stands for it
    std::vector<int> writes;                   ///< what it wrote at each step; as many
    std::vector<std::vector<float>> logProbs;  ///< of every word of the target vocabulary; as many
    std::vector<std::vector<float>> states;    ///< as many: see runTwoWays()
    double logProb = 0;                        ///< of all that it was to say: the sum over the steps

    size_t steps() const { return reads.size(); }
};

/// The same decoder, with the same weights and the same source, fed the truth (teacher forcing: Williams, Zipser 1989)
/// and fed its own words.
struct TwoWays {
    std::vector<int> truth;     ///< the reference with <eos> behind it
    DecoderRun forced;          ///< writes the likeliest word at each place of the truth
    DecoderRun free;            ///< greedily, until <eos> or the model's limit
    std::vector<int> handedIn;  ///< places, from 1, at which the free one was handed the truth: those that it came to
};
/// `handIn`: places of the truth, from 1, whose word the free decoder reads in the place of its own: at the step that
/// follows. A state is the last recurrent layer's h; of a Transformer, that has none, what its last layer hands on to
/// the words. Throws Error as traceSentence(), for an empty target, and for a model that does not translate.
TwoWays runTwoWays(const TrainedModel& model, const std::string& source, const std::string& target,
                   std::span<const int> handIn = {}, const std::vector<MutedHead>& muted = {});

/// ‖b − a‖ / (‖a‖ + ‖b‖), 0 to 1: 0 where they are the same, 1 where one is 0 or they are opposite.
double statesApart(std::span<const float> a, std::span<const float> b);

/// How often the word of a place is the reference's word in that same place; <eos> is a word, too.
struct PlaceCounts {
    long sentences = 0;  ///< whose reference has this place
    long forced = 0;     ///< right, the decoder being fed the truth
    long free = 0;       ///< right, the decoder being fed its own words
};
struct ForcingReport {
    std::vector<PlaceCounts> places;  ///< from the first
    PlaceCounts all;                  ///< their sum: words in the place of sentences
    Bleu bleu;                        ///< of what it writes by itself
    long sentences = 0;
    long skipped = 0;  ///< too long for the model

    /// The share by which it is better at the truth's hand: exposure bias (Bengio et al. 2015; Ranzato et al. 2016).
    double gap() const;
};
/// Both ways over a corpus, greedily. Throws Error for a model that does not translate, and WorkStopped.
ForcingReport measureForcing(const TrainedModel& model, const Corpus& corpus, std::span<const MutedHead> muted = {},
                             const WorkProgress& progress = {});

}  // namespace headlight
