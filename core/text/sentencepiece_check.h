// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Refuses a SentencePiece model (a protocol buffer, sentencepiece_model.proto) that the library would trust to its
/// harm: it follows the table that maps characters to their normal form without asking whether its steps stay inside,
/// and takes pieces for C strings. Throws Error, which begins with `file`. What else is wrong with a model the library
/// finds.
void checkSentencePieceModel(std::string_view model, const std::string& file);

/// What such a model holds.
struct SentencePieceContents {
    struct Piece {
        std::string text;
        float score = 0;
    };
    std::vector<Piece> pieces;  ///< by id
    std::string normalForms;    ///< bytes of a CharacterTable; empty where it has none
    enum class Cut { Unigram, Merges, Other } cut = Cut::Unigram;  ///< by scores, by merges (BPE), or into words
};
/// Throws Error as checkSentencePieceModel(), and for pieces that are not UTF-8.
SentencePieceContents sentencePieceContents(std::string_view model, const std::string& file);

}  // namespace headlight
