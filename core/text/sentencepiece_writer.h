// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// What a SentencePiece model that cuts by merges is made of, where it comes from a file of another format.
struct SentencePieceParts {
    /// As sentencepiece_model.proto numbers them.
    enum class Type : int { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };
    struct Piece {
        std::string text;
        float score = 0;
        Type type = Type::Normal;
    };
    std::vector<Piece> pieces;      ///< by id
    bool beginsWithSpace = true;    ///< is a space put before a text?
    bool dropsExtraSpaces = false;  ///< are spaces at the ends, and several in a row, dropped?
    bool fallsBackToBytes = false;  ///< has it pieces for all bytes?
};

/// The bytes of a SentencePiece model (a protocol buffer, sentencepiece_model.proto) of these parts. What is wrong with
/// them is said by whoever opens it.
std::string sentencePieceModel(const SentencePieceParts& parts);

}  // namespace headlight
