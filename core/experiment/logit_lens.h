// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// A depth of a stack of layers: what stands behind its embedding, or behind one of its sublayers.
struct LensDepth {
    enum class After { Embedding, SelfAttention, CrossAttention, FeedForward };
    After after = After::Embedding;
    int layer = -1;          ///< from 0; -1: before the first
    bool endsLayer = false;  ///< what the layer hands on
    /// The traced value that is read there: `input`; of a layer that norms first the sum behind the sublayer,
    /// `layers.0.residual1`, otherwise the norm of that sum, `layers.0.norm1`.
    std::string value;
    std::string weights;  ///< of a cross-attention: where it looks, [H, positions, S]
};

/// What one depth would say at one position, were it the last.
struct LensCell {
    struct Word {
        int id = 0;
        float probability = 0;
    };
    std::vector<Word> words;     ///< the likeliest first; empty where the state holds what is no number
    float finalProbability = 0;  ///< of the word that the model itself says there
    int finalRank = 1;           ///< of that word; 1: no other is likelier
    int source = -1;             ///< behind a cross-attention: the source position with most weight, by the heads' mean
    float sourceWeight = 0;      ///< that mean
};

/// The logit lens (nostalgebraist 2020): softmax(W · norm_f(x) + b) of every state x that a Transformer has on the way
/// to its words, after the embedding and after each sublayer, at every position. Read through whatever stands between
/// the layers and the words, as the trace tells it: the final norm (where the model has one), a masked language model's
/// transform, the factor and the bias of the head. So the last depth is the model's own answer.
///
/// Computed depth by depth, a few positions at a time: what is kept of each is a LensCell.
class LogitLens {
public:
    /// `words`: how many a cell keeps. Model and trace must outlive it. Throws Error for models without layers that
    /// speak of words: recurrent ones and classifiers.
    LogitLens(const TrainedModel& model, const Trace& trace, int words = 5);

    /// In the order of computation; the embedding first.
    const std::vector<LensDepth>& depths() const { return m_depths; }
    int positions() const { return static_cast<int>(m_finals.size()); }
    /// The word that the model itself says at each position.
    const std::vector<int>& finals() const { return m_finals; }
    /// The word that the text has where the model says one: the next one, of a masked language model the one at the
    /// position itself. -1: it has none there.
    const std::vector<int>& inText() const { return m_inText; }
    /// Whether a final norm stands between the layers and the words.
    bool throughNorm() const;

    /// One depth, at the positions from `first` on. From any thread.
    std::vector<LensCell> read(size_t depth, int first = 0) const;
    /// Of one depth at one position the probability of every word [V]. From any thread.
    std::vector<float> probabilities(size_t depth, int position) const;

private:
    void findDepths();
    void findWay();
    void findWords();
    /// Calls take(logProbs, vocabulary, position) for each row.
    void readRows(const TraceRecord& record, int from, int count,
                  const std::function<void(const float*, int, int)>& take) const;
    LensCell cellOf(const float* logProbs, int vocabulary, int position) const;
    void addSource(const TraceRecord& weights, int position, LensCell& cell) const;

    const TrainedModel& m_model;
    const Trace& m_trace;
    int m_words;
    std::vector<LensDepth> m_depths;
    std::vector<const TraceRecord*> m_way;  ///< from the last layer to the logarithms of the probabilities
    std::vector<int> m_finals, m_inText;
};

/// From which depth on the likeliest word at a position is the model's own, without a break; `tops` are the likeliest
/// words there, one a depth. The last depth's index where not even the one before it says it.
size_t settledFrom(const std::vector<int>& tops, int final);

}  // namespace headlight
