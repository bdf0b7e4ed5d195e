// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison asks of the pieces of what is otherwise.
#include <algorithm>

#include "core/experiment/interventions.h"
#include "ui/session/open/comparison.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

namespace {

/// More passes than that nobody waits for.
constexpr qsizetype kMostPieces = 64;

}  // namespace

/// The heads of every block that is without some.
PieceQuestion Comparison::piecesOfHeads() {
    PieceQuestion question{m_first.model(), m_first.reading()->trace, {}, {}, {}};
    QStringList blocks;
    for (const QString& head : m_muted)
        blocks << head.section(u'.', 0, -2);
    for (const AttentionBlock& block : attentionBlocks(*question.trace))
        for (int head = 0; blocks.contains(block.scope) && head < block.heads; ++head)
            m_pieceNames << headName(block.scope, head);
    for (const MutedHead& head : parseMutedHeads(m_pieceNames, *question.model->network))
        question.pieces.push_back({muted(head, *question.model->network)});
    for (int piece = 0; piece < m_pieceNames.size(); ++piece)
        if (m_muted.contains(m_pieceNames[piece])) question.chosen.push_back(piece);
    return question;
}

PieceQuestion Comparison::piecesOfChanges() {
    PieceQuestion question{m_first.model(), m_first.reading()->trace, {}, {}, {}};
    for (const HandChange& change : m_made) {
        question.chosen.push_back(static_cast<int>(question.pieces.size()));
        question.pieces.push_back(interventionsOf({change}, *question.trace));
        m_pieceNames << QString::fromStdString(change.text());
    }
    return question;
}

/// Once for each second reading.
void Comparison::study() {
    const bool ofHeads = m_kind == Kind::Heads && !m_muted.isEmpty(),
               ofChanges = m_kind == Kind::Changes && !m_made.empty();
    const bool isWanted = m_watched && (ofHeads || ofChanges) && isReady();
    const std::shared_ptr<const Trace> trace = isWanted ? m_second.reading()->trace : nullptr;
    if (isWanted && trace == m_studied.lock()) return;
    m_studied = trace;
    m_pieces = {};
    m_pieceNames.clear();
    m_studying.drop();
    if (!isWanted) return;
    PieceQuestion question = ofHeads ? piecesOfHeads() : piecesOfChanges();
    if (m_pieceNames.size() > kMostPieces) return;
    for (const MutedHead& head : parseMutedHeads(m_first.mutedHeads(), *question.model->network))
        question.always.push_back(muted(head, *question.model->network));
    m_studying.ask<PieceStudy>(
        [question = std::move(question)](const Background::Wanted& wanted) { return studyPieces(question, wanted); },
        [this](PieceStudy study) {
            m_pieces = std::move(study);
            emit changed();
        },
        [this](const QString& why) { emit failed(tr("The pieces were not tried one by one: %1").arg(why)); });
}

}  // namespace headlight
