// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// How a vocabulary marks which of its pieces stand together in a word.
struct PieceMarks {
    enum class Kind : unsigned char {
        None,       ///< its tokens are words, or characters
        GoesOn,     ///< behind a piece that its word goes on after: `nu@@`
        Ends,       ///< behind the last piece of a word: `lle</w>`
        Continues,  ///< before a piece that is not its word's first: `##ing`
        Starts,     ///< before a piece that begins behind a space: `▁the`
    };
    Kind kind = Kind::None;
    std::string mark = {};
};

/// A token as a reader sees it: the text that it stands for, without the marks of its vocabulary, and the sides on
/// which it touches its neighbour.
struct Piece {
    std::string text;
    bool joinsLeft = false, joinsRight = false;

    bool operator==(const Piece&) const = default;
};

/// What stands before the first of some tokens.
enum class Before : unsigned char {
    Nothing,  ///< they are a text from its beginning on
    Text,     ///< they may follow on anything
};

/// A token as its vocabulary writes it.
struct WrittenToken {
    std::string text;
    bool isName = false;  ///< it stands for no text, as `<eos>`
};

/// The pieces of some tokens that follow one another. What would be empty without its mark keeps it.
std::vector<Piece> piecesOf(const std::vector<WrittenToken>& tokens, const PieceMarks& marks, Before before);

/// Stands in drawn text on the side on which a piece touches its neighbour: `nu‿` `‿lle`.
inline constexpr std::string_view pieceJoiner = "‿";
std::string drawn(const Piece& piece);
/// The reverse of drawn().
Piece pieceOfDrawn(std::string_view text);
/// Drawn pieces as a text: a space between those that do not touch.
std::string textOf(const std::vector<std::string>& drawn);

}  // namespace headlight
