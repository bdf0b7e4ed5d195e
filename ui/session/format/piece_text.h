// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headlight {

/// A word as pictures have it (Tokenizer::display()): its text, and the sides on which it touches its neighbour, which
/// the drawn word marks with `‿`.
struct PieceText {
    explicit PieceText(const QString& drawn);

    QString text;
    bool joinsLeft = false, joinsRight = false;
};

/// Whether a drawn word and the one before it are pieces that touch.
bool touchesBefore(const QStringList& drawn, qsizetype word);
/// What stands in the chip of a word in a row of chips: where it lies against its neighbour nothing else says so.
/// `open` sides have no neighbour, as at the end of a line.
QString chipText(const QStringList& drawn, qsizetype word, bool openLeft = false, bool openRight = false);
/// Drawn words as a text: a space between those that do not touch.
QString textOf(const QStringList& drawn);
/// A drawn word as it is read out: "lle, part of a word".
QString spokenPiece(const QString& drawn);

}  // namespace headlight
