// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// What is asked: why at this row of the logits the one word and not the other.
struct WhyQuestion {
    int row = -1;           ///< from 0; -1: in a text's gap, else where the model came closest to saying something else
    QString word, against;  ///< empty: the likeliest, and the likeliest of the others
    bool operator==(const WhyQuestion&) const = default;
};

/// What a model says at the rows of its logits, and at one of them the words that may be asked about.
class SaidWords {
public:
    static constexpr int likely = 8;  ///< words that are offered

    /// `row` as WhyQuestion has it; behind the last it is the last. Throws Error for a trace without logits.
    SaidWords(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace, int row);

    const TrainedModel& model() const { return *m_model; }
    const Trace& trace() const { return *m_trace; }
    int row() const { return m_row; }
    /// Ids of the target vocabulary: the likeliest at the row, the first first, and what was offered besides.
    const std::vector<int>& candidates() const { return m_candidates; }
    double probability(int id) const;
    /// As it is shown, and as the state has it.
    QString name(int id) const { return nameAt(m_row, id); }
    QString token(int id) const;
    /// Nothing where the model has no logit for it.
    std::optional<int> idOf(const QString& token) const;
    /// What is said at each row of the logits: of a translation what is written, of a text its next word.
    const QStringList& written() const { return m_written; }

protected:
    int firstId() const;
    QString nameAt(int row, int id) const;
    /// Puts it among the candidates.
    void offer(int id);

private:
    int closestRow() const;
    QStringList wordsOfRows() const;

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    int m_row = 0;
    std::vector<int> m_candidates;
    QStringList m_written;
};

}  // namespace headlight
