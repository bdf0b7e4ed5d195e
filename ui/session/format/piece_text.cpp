// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/piece_text.h"

#include <QCoreApplication>

#include "core/text/piece.h"

namespace headlight {

namespace {

struct PieceTextWords {
    Q_DECLARE_TR_FUNCTIONS(PieceText)
};

/// core/text/piece.h has it as UTF-8; asked of every word of a picture, it is not to be converted each time.
constexpr QChar kJoiner(0x203F);
static_assert(pieceJoiner == "\u203F");

bool joinsLeftSide(const QString& drawn) {
    return drawn.size() > 1 && drawn.front() == kJoiner;
}

bool joinsRightSide(const QString& drawn) {
    return drawn.size() > (joinsLeftSide(drawn) ? 2 : 1) && drawn.back() == kJoiner;
}

}  // namespace

PieceText::PieceText(const QString& drawn)
    : text(drawn), joinsLeft(joinsLeftSide(drawn)), joinsRight(joinsRightSide(drawn)) {
    if (joinsRight) text.chop(1);
    if (joinsLeft) text.remove(0, 1);
}

bool touchesBefore(const QStringList& drawn, qsizetype word) {
    if (word <= 0 || word >= drawn.size()) return false;
    return joinsRightSide(drawn[word - 1]) || joinsLeftSide(drawn[word]);
}

QString chipText(const QStringList& drawn, qsizetype word, bool openLeft, bool openRight) {
    const PieceText piece(drawn[word]);
    const bool before = piece.joinsLeft && (openLeft || !touchesBefore(drawn, word));
    const bool behind = piece.joinsRight && (openRight || !touchesBefore(drawn, word + 1));
    return (before ? QString(kJoiner) : QString()) + piece.text + (behind ? QString(kJoiner) : QString());
}

QString textOf(const QStringList& drawn) {
    QString text;
    for (qsizetype word = 0; word < drawn.size(); ++word) {
        if (word > 0 && !touchesBefore(drawn, word)) text += u' ';
        text += PieceText(drawn[word]).text;
    }
    return text;
}

QString spokenPiece(const QString& drawn) {
    const PieceText piece(drawn);
    return piece.joinsLeft || piece.joinsRight ? PieceTextWords::tr("%1, part of a word").arg(piece.text) : drawn;
}

}  // namespace headlight
