// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/experiment/prompt.h"
#include "core/nn/intervention.h"

namespace headlight {

/// A depth of a model at which a piece of one reading can be put into another, word by word.
struct PatchDepth {
    enum class Kind {
        State,     ///< what flows on: the residual stream behind a sublayer, a recurrent state
        Sublayer,  ///< what a sublayer adds, before the sum
        Head,      ///< what one head mixes
    };
    enum class After { Embedding, SelfAttention, CrossAttention, FeedForward, Recurrent, Output, Combine };
    Kind kind = Kind::State;
    After after = After::Embedding;
    Stack stack = Stack::Only;
    Direction direction = Direction::Forward;
    int layer = -1;                        ///< from 0; -1 outside of the layers
    int head = -1;                         ///< from 0, of Kind::Head
    std::vector<std::string> values = {};  ///< names in the trace that are put in together (an LSTM's state and cell)
    bool ofSource = false;                 ///< its positions are the source's, else the decoder's
    int positions = 0;                     ///< of A
};

/// What becomes of A's answer when B's piece is put into one place.
struct PatchCell {
    size_t depth = 0;
    int position = 0;                  ///< in A
    int from = 0;                      ///< in B
    double difference = 0;             ///< logit of B's word less that of A's, now
    std::optional<double> share = {};  ///< of the way from A's difference to B's; nothing where these lie too close
};

/// How B is read where not as A is: with heads off, or by the same network with other weights (an earlier step of its
/// training, another training).
struct OtherReading {
    std::vector<MutedHead> muted = {};
    const TrainedModel* model = nullptr;  ///< null: A's; whoever patches keeps it
};

/// Both readings give the same answer, so there is nothing to move.
class AnsweredAlike : public Error {
public:
    explicit AnsweredAlike(std::string answer)
        : Error("both are answered with \"" + answer + "\": choose two readings whose answers differ"),
          m_answer(std::move(answer)) {}
    /// As the model's vocabulary shows it.
    const std::string& answer() const { return m_answer; }

private:
    std::string m_answer;
};

/// Two readings of one network, A and B, that answer differently: what of B, put into A, makes A answer as B does
/// (activation patching: Vig et al. 2020; Meng et al. 2022, "causal tracing"). Both decoders are fed the same words, up
/// to the first that they would write differently. Points at the model; whoever keeps it keeps that.
class Patching {
public:
    /// `target`: what both are fed, in place of what they have in common. Throws AnsweredAlike where both say the same
    /// of one model as it is, and Error as traceSentence() and where B's model has another shape or other words.
    Patching(const TrainedModel& model, const std::string& a, const std::string& b,
             const std::optional<std::string>& target = {}, const OtherReading& other = {});

    const Trace& a() const { return m_a; }
    const Trace& b() const { return m_b; }
    int answerRow() const { return m_row; }
    /// Both write the same, which is allowed of an OtherReading alone: the row is the one where the two readings lie
    /// furthest apart, and B's word the likeliest there that is not written.
    bool answerAlike() const { return m_alike; }
    int wordOfA() const { return m_words.first; }  ///< an id of the target vocabulary
    int wordOfB() const { return m_words.second; }
    /// logit of B's word less that of A's, in each reading.
    double differenceOfA() const { return m_differences.first; }
    double differenceOfB() const { return m_differences.second; }

    /// In the order of computation, kind by kind.
    const std::vector<PatchDepth>& depths() const { return m_depths; }
    /// Of each position in A that in B whose piece goes there, −1 where there is none: words that both have at the
    /// beginning and at the end stand for each other, and between them the first for the first.
    const std::vector<int>& alignment(const PatchDepth& depth) const { return depth.ofSource ? m_sources : m_targets; }

    /// The changes that put B's piece there.
    std::vector<Intervention> changes(const PatchDepth& depth, int position) const;
    /// What A answers with it; nothing where B has no such piece.
    std::optional<PatchCell> read(size_t depth, int position) const;
    /// Every cell of a kind. Where `each` says false the rest is left out.
    void readAll(PatchDepth::Kind kind, const std::function<bool(const PatchCell&)>& each) const;
    /// logit of B's word less that of A's, in A under a list of changes.
    double differenceUnder(std::span<const Intervention> changes) const;
    /// How far that is on the way from A to B; nothing where they lie closer than half a logit.
    std::optional<double> share(double difference) const;
    /// A, fed the same, under a list of changes.
    Trace under(std::span<const Intervention> changes) const;
    /// How far the values of each depth moved in `now`, under changes, from A's, word by word: ‖Δx‖/‖x‖. Nothing where
    /// not one number is another: so far the changes do not reach (the cone of what follows them).
    std::vector<std::vector<std::optional<double>>> moved(const Trace& now) const;

private:
    void feedBothTheSame(const std::string& a, const std::string& b, const std::optional<std::string>& target,
                         const OtherReading& other);
    void findAnswer(bool mayBeAlike);
    void findFurthest(int answerOfB);
    void findDepths();
    void addStreams(Stack stack);
    void addRecurrent();
    void add(PatchDepth depth);

    const TrainedModel* m_model;
    Trace m_a, m_b;
    Prompt m_prompt;  ///< A's
    int m_row = 0;
    bool m_alike = false;
    std::pair<int, int> m_words, m_columns;
    std::pair<double, double> m_differences;
    std::vector<PatchDepth> m_depths;
    std::vector<int> m_sources, m_targets;
};

/// See Patching::alignment().
std::vector<int> alignPlaces(const std::vector<int>& a, const std::vector<int>& b);

}  // namespace headlight
