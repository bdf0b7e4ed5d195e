// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/nn/intervention.h"

namespace headlight {

class Seq2Seq;

/// How hypotheses of different lengths are compared. Log-probabilities only fall, so that without a penalty the shorter
/// one tends to win.
struct LengthPenalty {
    enum class Kind {
        None,     ///< score = log P
        Average,  ///< log P / |Y|
        Gnmt,     ///< log P / ((5 + |Y|) / 6)^α (Wu et al. 2016, equation 14)
        Power,    ///< log P / |Y|^α: `length_penalty` of Hugging Face's programs
    };
    Kind kind = Kind::Average;
    double alpha = 0.6;  ///< Gnmt and Power

    /// Of a hypothesis of `length` tokens, <eos> counted in.
    double score(double logProb, int length) const;
    /// `none`, `average`, `gnmt:ALPHA`, `power:ALPHA`; throws Error for anything else.
    static LengthPenalty parse(const std::string& text);
    std::string text() const;
    bool operator==(const LengthPenalty&) const = default;
};

/// When the search of a sentence ends, apart from the limit. All wait for K hypotheses that have ended; what goes on is
/// scored by the likeliest of them.
enum class StopRule {
    Full,      ///< K have ended: fairseq's rule, and `early_stopping=True` of Hugging Face's programs
    Behind,    ///< and what goes on, scored at its present length, is no better than the K-th of them:
               ///< `early_stopping=False` there
    Hopeless,  ///< and it would be no better even if all that it still writes, up to the limit, were certain:
               ///< `early_stopping="never"` there
};
/// `full`, `behind`, `hopeless`; throws Error for anything else.
StopRule parseStopRule(const std::string& text);

/// A translation that was written to its end, or to the limit.
struct Hypothesis {
    std::vector<int> tokens;            ///< without <bos>, with <eos> where it was reached
    std::vector<double> tokenLogProbs;  ///< natural logarithm, one a token
    double logProb = 0;                 ///< their sum
    double score = 0;                   ///< under the length penalty
    bool finished = false;              ///< ended by <eos>, not by the limit
};

/// A continuation that a beam search looked at.
struct SearchNode {
    enum class State {
        Kept,      ///< among the K that go on
        Pruned,    ///< looked at and given up
        Finished,  ///< ends with <eos>
        Excluded,  ///< looked at where another word was set (BeamOptions::prefix), however likely it is
    };
    int parent = -1;  ///< its place in SearchTree::nodes; −1: the beginning
    int step = 0;     ///< from 1: its token's place in the translation
    int token = 0;
    double logProb = 0;     ///< of the token, given what stands before it
    double cumulative = 0;  ///< of all tokens so far
    double score = 0;       ///< cumulative under the length penalty
    State state = State::Pruned;
    /// Where the decoder looked as it proposed the token: for each cross-attention block and head the weights over the
    /// source, one after another.
    std::vector<float> attention = {};
};

/// A whole search, in the order in which it looked: at each step the best 2·K continuations of what was kept.
struct SearchTree {
    std::vector<SearchNode> nodes;
    int steps = 0;
    int attentionBlocks = 0, heads = 0, sourceLength = 0;
};

struct BeamOptions {
    int beam = 1;  ///< hypotheses that go on, K; 1: greedy
    LengthPenalty lengthPenalty = {};
    StopRule stop = StopRule::Full;
    int nBest = 1;                 ///< hypotheses handed back, at most K
    int maxLength = 0;             ///< tokens at most, <eos> counted in; 0: as many as the model has positions for
    std::vector<int> prefix = {};  ///< first words that are set; the search goes on from them
    std::span<const MutedHead> mutedHeads = {};
    std::span<const Intervention> interventions = {};
    int threads = 0;  ///< 0: one a processor. The result does not depend on it.

    /// Throws Error for values out of range.
    void validate() const;
};

/// Translates each source (Sutskever, Vinyals, Le 2014, section 3.2). At each step the K hypotheses kept are extended
/// by every word; of the best 2·K continuations those among the first K that end with <eos> are finished, and the best
/// K others go on. The search of a sentence ends when K are finished, or at the limit. Equal continuations come in the
/// order of their parents, then of their ids. → for each source its hypotheses, the best score first; those cut off by
/// the limit behind those that ended. Words that the model's configuration forbids have no probability. Throws Error
/// for a source that is empty or longer than the model reads.
std::vector<std::vector<Hypothesis>> beamSearch(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                                const BeamOptions& options);

/// One source, and everything that the search looked at.
struct RecordedSearch {
    std::vector<Hypothesis> hypotheses;
    SearchTree tree;
};
RecordedSearch recordBeamSearch(const Seq2Seq& model, const std::vector<int>& source, const BeamOptions& options);

/// The likeliest word at every step: a beam of 1.
std::vector<Hypothesis> decodeGreedily(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                       const BeamOptions& options = {});

}  // namespace headlight
