// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece_writer.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace headlight {

namespace {

/// Writes a message field by field.
class MessageWriter {
public:
    void number(unsigned field, std::uint64_t value) {
        varint(std::uint64_t{field} << 3U);
        varint(value);
    }
    void truth(unsigned field, bool value) { number(field, value ? 1 : 0); }
    void text(unsigned field, std::string_view bytes) {
        varint((std::uint64_t{field} << 3U) | 2U);
        varint(bytes.size());
        m_bytes += bytes;
    }
    void real(unsigned field, float value) {
        varint((std::uint64_t{field} << 3U) | 5U);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8)
            m_bytes += static_cast<char>((bits >> shift) & 0xffU);
    }
    const std::string& bytes() const { return m_bytes; }

private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80U; value >>= 7U)
            m_bytes += static_cast<char>((value & 0x7fU) | 0x80U);
        m_bytes += static_cast<char>(value);
    }

    std::string m_bytes;
};

// The numbers of the fields, of sentencepiece_model.proto.

std::string trainerSpec(const SentencePieceParts& parts) {
    constexpr unsigned modelType = 3, vocabularySize = 4, byteFallback = 35, unknownPiece = 45;
    constexpr std::uint64_t byMerges = 2;
    MessageWriter spec;
    spec.number(modelType, byMerges);
    spec.number(vocabularySize, parts.pieces.size());
    spec.truth(byteFallback, parts.fallsBackToBytes);
    for (const SentencePieceParts::Piece& piece : parts.pieces)
        if (piece.type == SentencePieceParts::Type::Unknown) {
            spec.text(unknownPiece, piece.text);
            break;
        }
    return spec.bytes();
}

std::string normalizerSpec(const SentencePieceParts& parts) {
    constexpr unsigned name = 1, addDummyPrefix = 3, removeExtraWhitespaces = 4, escapeWhitespaces = 5;
    MessageWriter spec;
    spec.text(name, "identity");
    spec.truth(addDummyPrefix, parts.beginsWithSpace);
    spec.truth(removeExtraWhitespaces, parts.dropsExtraSpaces);
    spec.truth(escapeWhitespaces, true);
    return spec.bytes();
}

}  // namespace

std::string sentencePieceModel(const SentencePieceParts& parts) {
    constexpr unsigned pieceField = 1, trainerField = 2, normalizerField = 3;  // of the model
    constexpr unsigned text = 1, score = 2, type = 3;                          // of a piece
    MessageWriter model;
    for (const SentencePieceParts::Piece& each : parts.pieces) {
        MessageWriter piece;
        piece.text(text, each.text);
        piece.real(score, each.score);
        piece.number(type, static_cast<std::uint64_t>(each.type));
        model.text(pieceField, piece.bytes());
    }
    model.text(trainerField, trainerSpec(parts));
    model.text(normalizerField, normalizerSpec(parts));
    return model.bytes();
}

}  // namespace headlight
