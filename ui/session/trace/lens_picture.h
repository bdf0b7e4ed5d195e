// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/experiment/gap.h"
#include "core/experiment/logit_lens.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

/// What is known so far of what each depth of a reading would say, and the words for it. Positions and depths count
/// from 0.
class LensPicture {
public:
    /// Throws Error as LogitLens.
    LensPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);

    const LogitLens& lens() const { return m_lens; }
    bool isMasked() const { return m_model->network->config().masked(); }
    /// The place whose answer one wants to know first: a gap, or the last.
    int answerPosition() const {
        return firstGap(m_model->network->config(), *m_trace).value_or(m_lens.positions() - 1);
    }
    bool isTranslator() const { return m_model->network->config().encoderDecoder(); }

    void setRow(size_t depth, std::vector<LensCell> cells);
    bool isRead(size_t depth) const { return !m_rows[depth].empty(); }
    size_t depthsRead() const;
    bool isWhole() const { return depthsRead() == m_rows.size(); }
    /// Of a depth that isRead().
    const LensCell& cell(size_t depth, int position) const { return m_rows[depth][static_cast<size_t>(position)]; }
    /// The likeliest word there; -1 where the state holds what is no number.
    int top(size_t depth, int position) const;
    /// Is it already the word that the model itself says in the end?
    bool isFinal(size_t depth, int position) const { return top(depth, position) == finalWord(position); }
    int finalWord(int position) const { return m_lens.finals()[static_cast<size_t>(position)]; }

    /// Every depth, or the embedding and the ends of the layers.
    std::vector<size_t> depths(bool sublayers) const;
    /// Which of these depths is the first from which on the answer no longer changes: its index among them. Of a whole
    /// picture.
    size_t settled(const std::vector<size_t>& among, int position) const;

    /// A word of the target vocabulary, as it is shown.
    QString word(int position, int id) const;
    /// What was read at each position.
    const QStringList& heads() const { return m_heads; }
    /// What the text has where the model says a word; empty: nothing.
    QString inText(int position) const;
    bool isRight(int position) const;
    /// A word that a cross-attention reads.
    QString sourceWord(int source) const { return m_sources.value(source); }

    /// "attention", "cross-attention", "feed-forward"; "Embedding".
    QString sublayerTitle(size_t depth) const;
    /// "layer 3, feed-forward"; "embedding". A depth that stands for a whole layer is called by the layer alone.
    QString title(size_t depth, bool sublayers) const;
    /// All that there is to say of a cell: what a hover shows.
    QString describe(size_t depth, int position, bool sublayers) const;
    /// The position's story in a sentence or two, as rich text; of a whole picture.
    QString story(int position, const std::vector<size_t>& among) const;

private:
    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    LogitLens m_lens;
    std::vector<std::vector<LensCell>> m_rows;  ///< by depth; empty: not read yet
    QStringList m_heads, m_sources;
    mutable WordsBehind m_words;
};

}  // namespace headlight
