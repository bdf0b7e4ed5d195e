// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/experiment/attribution.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/session/trace/said_words.h"

namespace headlight {

/// What a method answered, by the row of the logits, the word's id and the method.
struct AttributionKey {
    int row = 0, word = 0;
    AttributionMethod method = AttributionMethod::Gradient;
    bool operator<(const AttributionKey& other) const {
        return std::tie(row, word, method) < std::tie(other.row, other.word, other.method);
    }
};
using Attributions = std::map<AttributionKey, Attribution>;

/// "Integrated gradients".
QString attributionTitle(AttributionMethod method);
/// In running text: "integrated gradients".
QString attributionName(AttributionMethod method);
QString attributionClaim(AttributionMethod method);
QString attributionWeakness(AttributionMethod method);
/// Do its numbers say how much of log p, or are they shares of one?
bool isShare(AttributionMethod method);

/// A word that is said, and all that was read for it: what methods of attribution are asked about, and what their
/// answers mean.
class AttributionPicture : public SaidWords {
public:
    /// Without a word it is the one that is said at the row. Throws Error as SaidWords.
    AttributionPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
                       const WhyQuestion& question);

    int word() const { return m_word; }
    /// Words that are read, of a model of one stack all that there are; and those that a decoder is fed.
    const QStringList& read() const { return m_read; }
    const QStringList& fed() const { return m_fed; }
    /// As many of them as may count at the row: nobody looks ahead.
    int readAtRow() const;
    int fedAtRow() const;
    /// What is said at each row, the row that is asked about saying the word that is asked about.
    const QStringList& said() const { return m_said; }
    /// The task's own links of source and target words, where it knows the pair.
    const GoldLinks& gold() const { return m_gold; }

    std::vector<AttributionMethod> methods() const;
    AttributionKey keyOf(int row, AttributionMethod method) const;
    /// What is asked: of the row all methods, those that are soon done first; then of every other row the one of the
    /// matrix.
    std::vector<AttributionKey> questions(AttributionMethod ofMatrix) const;

    /// Of integrated gradients whether the parts add up to the whole within 1 %, and how far off they are in its
    /// shares.
    static bool closes(const Attribution& answer);
    static double gap(const Attribution& answer);
    /// The largest of the words that are read, by each method that has answered: "“tiếng” by occlusion and attention".
    QString story(const Attributions& known) const;

private:
    std::vector<int> m_ids;  ///< what is said at each row
    int m_word = 0;
    QStringList m_read, m_fed, m_said;
    GoldLinks m_gold;
};

}  // namespace headlight
