// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"

namespace headlight {

/// A recurrent layer by its place: which stack, which layer (from 0), read from first to last.
struct CellPlace {
    Stack stack = Stack::Encoder;
    int layer = 0;
    bool operator==(const CellPlace&) const = default;
};

/// Asked between two sentences; false: the rest is no longer wanted.
using StillWanted = std::function<bool()>;

/// How far back the gradient reaches in a layer. Of an encoder: that of log p of the whole translation; of a decoder or
/// a language model: that of log p of the last word. By the state of the layer so many words before the last one.
struct GradientReach {
    /// ‖∂ log p / ∂ (h, c)‖ at each distance, that at the last state being 1; the geometric mean over those sentences
    /// that are long enough, as far as a quarter of them are. h and c count as apart: what c does to its own h is h's.
    std::vector<double> share;
    long sentences = 0;
    int shortest = 0, longest = 0;  ///< words of the layer in these sentences
};

/// So many sentences the way back is followed through where it is drawn and told of.
constexpr size_t kLongestFollowed = 12;

/// Backpropagation through time (Bengio, Simard, Frasconi 1994; Pascanu, Mikolov, Bengio 2013) over the `most` longest
/// sentences of the corpus, references written. `factor` multiplies the layer's weights W_hh: 1 as they are. Throws
/// Error for a model that is not recurrent, and where there is no sentence that it can read.
GradientReach gradientReach(const TrainedModel& model, const Corpus& corpus, CellPlace place, size_t most = 40,
                            const StillWanted& wanted = {}, double factor = 1);

/// What each unit of a layer writes at each word.
struct CellWrites {
    struct Word {
        std::string text;
        long count = 0;
        std::vector<float> mean;  ///< of every unit: i·g, (1 − z)·n, or of a plain network h
    };
    std::vector<Word> words;  ///< as tokens, in the order in which they first come
    long sentences = 0;
};

/// Reads the first `most` sentences of the corpus, references written, and takes the mean of what is written by the
/// word that is read. Throws Error as gradientReach().
CellWrites cellWrites(const TrainedModel& model, const Corpus& corpus, CellPlace place, size_t most = 400,
                      const StillWanted& wanted = {});

}  // namespace headlight
