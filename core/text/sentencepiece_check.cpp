// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece_check.h"

#include <bit>
#include <cstdint>

#include "core/error.h"
#include "core/text/character_table.h"
#include "core/text/protocol_message.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr std::size_t mostPieces = std::size_t{1} << 20;
constexpr std::size_t longestPiece = 512;

void checkNormalizer(std::string_view spec, const std::string& file) {
    constexpr std::uint64_t table = 2;
    ProtocolMessage message(spec, file);
    while (const auto field = message.next())
        if (field->number == table && field->bytes && !field->bytes->empty() && !CharacterTable::read(*field->bytes))
            throw Error(file + " has a damaged table of normal forms: copy or download it again");
}

void checkPiece(std::string_view piece, const std::string& file) {
    constexpr std::uint64_t text = 1;
    ProtocolMessage message(piece, file);
    while (const auto field = message.next())
        if (field->number == text && field->bytes &&
            (field->bytes->size() > longestPiece || field->bytes->find('\0') != std::string_view::npos))
            throw Error(file + " has a piece with a zero in it, or one of more than " + std::to_string(longestPiece) +
                        " bytes: it is damaged");
}

SentencePieceContents::Piece readPiece(std::string_view bytes, const std::string& file) {
    constexpr std::uint64_t text = 1, score = 2;
    SentencePieceContents::Piece piece;
    ProtocolMessage message(bytes, file);
    while (const auto field = message.next()) {
        if (field->number == text && field->bytes) piece.text = *field->bytes;
        if (field->number == score) piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field->value));
    }
    if (findInvalidUtf8(piece.text)) throw Error(file + " has a piece that is not valid UTF-8: it is damaged");
    return piece;
}

}  // namespace

void checkSentencePieceModel(std::string_view model, const std::string& file) {
    constexpr std::uint64_t piece = 1, normalizer = 3, denormalizer = 5;
    std::size_t pieces = 0;
    ProtocolMessage message(model, file);
    while (const auto field = message.next()) {
        if (!field->bytes) continue;
        if (field->number == normalizer || field->number == denormalizer) checkNormalizer(*field->bytes, file);
        if (field->number != piece) continue;
        checkPiece(*field->bytes, file);
        if (++pieces > mostPieces)
            throw Error(file + " has more than " + std::to_string(mostPieces) + " pieces: it is damaged");
    }
    if (pieces == 0) throw Error(file + " has no pieces: it is not a SentencePiece model");
}

SentencePieceContents sentencePieceContents(std::string_view model, const std::string& file) {
    checkSentencePieceModel(model, file);
    constexpr std::uint64_t piece = 1, training = 2, normalizer = 3, modelType = 3, table = 2, unigram = 1, merges = 2;
    SentencePieceContents contents;
    ProtocolMessage message(model, file);
    while (const auto field = message.next()) {
        if (!field->bytes) continue;
        if (field->number == piece) contents.pieces.push_back(readPiece(*field->bytes, file));
        if (field->number != training && field->number != normalizer) continue;
        ProtocolMessage part(*field->bytes, file);
        while (const auto inner = part.next()) {
            using Cut = SentencePieceContents::Cut;
            if (field->number == training && inner->number == modelType)
                contents.cut = inner->value == unigram  ? Cut::Unigram
                               : inner->value == merges ? Cut::Merges
                                                        : Cut::Other;
            if (field->number == normalizer && inner->number == table && inner->bytes)
                contents.normalForms = *inner->bytes;
        }
    }
    return contents;
}

}  // namespace headlight
