// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/experiment/head_habits.h"
#include "core/experiment/head_judgement.h"
#include "core/experiment/head_worth.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

/// All heads of one kind of attention in a trace, with what is found of each: what a wall of heads is drawn from. Keeps
/// the trace.
class HeadSurvey {
public:
    enum class Measure { Entropy, Distance, First, Importance };
    static constexpr size_t kMeasures = 4;

    /// How the matrices are seen.
    struct Look {
        FirstWord first = FirstWord::Kept;
        bool firstToSecond = false;  ///< of two texts only rows of the first and columns of the second
        bool operator==(const Look&) const = default;
    };

    struct Head {
        QString scope;
        int layer = 0, head = 0;  ///< from 0
        HeadFacts facts;          ///< in this text; habit and share are those of all texts, where it was judged by them
        std::optional<double> rise;  ///< of the loss of this text without it, once it is known
        std::vector<HeadExample> examples;
        std::span<const float> weights;  ///< as they are, [rows, columns]
        std::vector<float> otherwise;    ///< as they are seen, where that is not so

        std::span<const float> seen() const { return otherwise.empty() ? weights : std::span<const float>(otherwise); }
        QString name() const { return headName(scope, head); }
    };

    HeadSurvey() = default;
    /// `text` with its gold links; a kind that the trace does not have gives an empty survey.
    HeadSurvey(std::shared_ptr<const Trace> trace, AttentionBlock::Kind kind, const Look& look,
               const GoldLinks& gold = {});

    /// The kinds of attention that a trace has, in the order in which a model computes them.
    static std::vector<AttentionBlock::Kind> kindsOf(const std::vector<AttentionBlock>& blocks);

    void setJudgement(const HeadJudgement& judgement);
    void setRises(const TextAblation& ablation);

    AttentionBlock::Kind kind() const { return m_kind; }
    const Look& look() const { return m_look; }
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    bool empty() const { return m_heads.empty(); }
    int layers() const { return m_layers; }
    int headsALayer() const { return m_headsALayer; }
    int rows() const { return m_rows; }
    int columns() const { return m_columns; }
    /// May this cell be looked at?
    bool isOpen(int row, int column) const;
    /// Where its weight lies in a head's.
    size_t at(int row, int column) const {
        return static_cast<size_t>(row) * static_cast<size_t>(m_columns) + static_cast<size_t>(column);
    }
    bool isCausal() const { return m_causal; }
    /// Of the first text where there are two, with a separator between them: its rows, that separator among them; 0:
    /// there is one text.
    int firstText() const { return m_firstText; }
    const QStringList& rowLabels() const { return m_rowLabels; }
    const QStringList& columnLabels() const { return m_columnLabels; }

    /// Layer by layer.
    const std::vector<Head>& heads() const { return m_heads; }
    /// −1: there is none of that name.
    int indexOf(const QString& scope, int head) const;

    /// Heads that look from a row at a column with at least that weight, as they are seen; the strongest first.
    std::vector<int> looking(int row, int column, double least) const;
    /// The habits that heads of this kind can have, None the last.
    std::vector<HeadHabit> habits() const;
    /// How many heads of these layers (from 0) have each habit.
    std::array<int, habitCount> count(int fromLayer, int toLayer) const;

    /// Empty: not known yet. Entropy and distance are of this text.
    std::optional<double> value(Measure measure, const Head& head) const;
    /// Is more of it the better? Of entropy less is.
    static bool largestFirst(Measure measure) { return measure != Measure::Entropy; }
    /// From 1, the best; equal ones share a rank. 0: not known yet.
    int rank(Measure measure, int head) const;
    /// These heads, the best first; those of which it is not known stay behind in their order.
    std::vector<int> sorted(Measure measure, std::vector<int> heads) const;
    /// By habit in the order of habits(), in each the strongest first.
    std::vector<int> sortedByHabit(std::vector<int> heads) const;

private:
    std::vector<float> seenOtherwise(std::span<const float> head) const;

    std::shared_ptr<const Trace> m_trace;
    AttentionBlock::Kind m_kind = AttentionBlock::Kind::Self;
    Look m_look;
    int m_layers = 0, m_headsALayer = 0, m_rows = 0, m_columns = 0, m_firstText = 0;
    bool m_causal = false;
    std::span<const float> m_mask;
    QStringList m_rowLabels, m_columnLabels;
    std::vector<Head> m_heads;
};

}  // namespace headlight
