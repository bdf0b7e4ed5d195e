// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/piece.h"

namespace headlight {

namespace {

/// `▁`, or the picture of a line end or a tab (U+2400 to U+2421).
bool isSpaceAt(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    return rest.starts_with("▁") || rest.starts_with("\xe2\x90");
}

bool endsInSpace(std::string_view text) {
    constexpr std::size_t bytesOfSpace = 3;
    return text.size() >= bytesOfSpace && isSpaceAt(text, text.size() - bytesOfSpace);
}

bool takeBefore(std::string& text, std::string_view mark) {
    if (mark.empty() || text.size() <= mark.size() || !text.starts_with(mark)) return false;
    text.erase(0, mark.size());
    return true;
}

bool takeBehind(std::string& text, std::string_view mark) {
    if (mark.empty() || text.size() <= mark.size() || !text.ends_with(mark)) return false;
    text.resize(text.size() - mark.size());
    return true;
}

/// A space before a word is what parts it from the one before; more than one are text.
Piece startingPiece(std::string text, const std::string& mark) {
    if (!text.starts_with(mark)) return {text, !isSpaceAt(text, 0)};
    if (text.size() > mark.size() && !isSpaceAt(text, mark.size())) text.erase(0, mark.size());
    return {std::move(text)};
}

/// What a token says of itself.
Piece pieceOf(const WrittenToken& token, const PieceMarks& marks) {
    Piece piece{token.text};
    if (token.isName) return piece;
    switch (marks.kind) {
        case PieceMarks::Kind::None:
            break;
        case PieceMarks::Kind::GoesOn:
            piece.joinsRight = takeBehind(piece.text, marks.mark);
            break;
        case PieceMarks::Kind::Ends:
            piece.joinsRight = !takeBehind(piece.text, marks.mark);
            break;
        case PieceMarks::Kind::Continues:
            piece.joinsLeft = takeBefore(piece.text, marks.mark);
            break;
        case PieceMarks::Kind::Starts:
            return startingPiece(token.text, marks.mark);
    }
    return piece;
}

}  // namespace

std::vector<Piece> piecesOf(const std::vector<WrittenToken>& tokens, const PieceMarks& marks, Before before) {
    std::vector<Piece> pieces;
    pieces.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        Piece piece = pieceOf(tokens[i], marks);
        const bool opens = i == 0 ? before == Before::Nothing : tokens[i - 1].isName;
        if (marks.kind == PieceMarks::Kind::Starts && (opens || (i > 0 && endsInSpace(tokens[i - 1].text))))
            piece.joinsLeft = false;
        if (i > 0 && pieces[i - 1].joinsRight && !tokens[i].isName) piece.joinsLeft = true;
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

std::string drawn(const Piece& piece) {
    std::string text(piece.joinsLeft ? pieceJoiner : std::string_view());
    text += piece.text;
    if (piece.joinsRight) text += pieceJoiner;
    return text;
}

Piece pieceOfDrawn(std::string_view text) {
    Piece piece{std::string(text)};
    piece.joinsLeft = takeBefore(piece.text, pieceJoiner);
    piece.joinsRight = takeBehind(piece.text, pieceJoiner);
    return piece;
}

std::string textOf(const std::vector<std::string>& drawn) {
    std::string text;
    bool touches = true;
    for (const std::string& each : drawn) {
        const Piece piece = pieceOfDrawn(each);
        if (!touches && !piece.joinsLeft) text += ' ';
        text += piece.text;
        touches = piece.joinsRight;
    }
    return text;
}

}  // namespace headlight
