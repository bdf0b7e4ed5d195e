// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece_check.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::size_t mostPieces = std::size_t{1} << 20;
constexpr std::size_t longestPiece = 512;
constexpr std::size_t largestTable = std::size_t{1} << 21;
constexpr std::size_t longestReplacement = 256;

/// Reads a message of a protocol buffer field by field. Fields that are no bytes are passed over.
class Message {
public:
    Message(std::string_view bytes, const std::string& file) : m_rest(bytes), m_file(file) {}

    struct Field {
        std::uint64_t number;
        std::optional<std::string_view> bytes;  ///< of a field that has a length
    };
    /// Nothing at the end.
    std::optional<Field> next() {
        if (m_rest.empty()) return std::nullopt;
        const std::uint64_t tag = varint();
        Field field{tag >> 3, std::nullopt};
        switch (tag & 7u) {
            case 0:
                varint();
                break;
            case 1:
                take(8);
                break;
            case 2:
                field.bytes = take(varint());
                break;
            case 5:
                take(4);
                break;
            default:
                refuse();
        }
        return field;
    }

private:
    [[noreturn]] void refuse() const {
        throw Error(m_file + " is not a SentencePiece model, or it is damaged: copy or download it again");
    }
    std::string_view take(std::uint64_t count) {
        if (count > m_rest.size()) refuse();
        const std::string_view taken = m_rest.substr(0, static_cast<std::size_t>(count));
        m_rest.remove_prefix(taken.size());
        return taken;
    }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1).front());
            value |= static_cast<std::uint64_t>(byte & 0x7fu) << shift;
            if (byte < 0x80) return value;
        }
        refuse();
    }

    std::string_view m_rest;
    const std::string& m_file;
};

/// The table from characters to their normal form: the size of a double array (Yata's darts-clone), the array, and the
/// texts to which its values point, each ended by a zero.
class CharacterTable {
public:
    /// Is every step and value that a text can lead to inside?
    static bool isSound(std::string_view bytes) {
        std::uint32_t size = 0;
        if (bytes.size() < sizeof(size) || bytes.size() > largestTable) return false;
        std::memcpy(&size, bytes.data(), sizeof(size));
        bytes.remove_prefix(sizeof(size));
        if (size == 0 || size % sizeof(std::uint32_t) != 0 || size >= bytes.size() || bytes.back() != '\0')
            return false;
        return CharacterTable(bytes.substr(0, size), bytes.substr(size)).walk();
    }

private:
    CharacterTable(std::string_view array, std::string_view texts)
        : m_units(array.size() / sizeof(std::uint32_t)), m_texts(texts) {
        std::memcpy(m_units.data(), array.data(), array.size());
    }

    static std::uint32_t offset(std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200u) >> 6); }
    static std::uint32_t label(std::uint32_t unit) { return unit & 0x800000ffu; }
    static bool hasValue(std::uint32_t unit) { return (unit & 0x100u) != 0; }

    bool walk() {
        m_seen.resize(m_units.size());
        if (!enter(offset(m_units.front()))) return false;
        while (!m_open.empty()) {
            const std::uint32_t base = m_open.back();
            m_open.pop_back();
            for (std::uint32_t byte = 0; byte < 256; ++byte) {
                const std::uint32_t unit = m_units[base ^ byte];
                if (label(unit) != byte) continue;
                const std::uint32_t next = base ^ byte ^ offset(unit);
                if (!enter(next) || (hasValue(unit) && !isText(m_units[next] & 0x7fffffffu))) return false;
            }
        }
        return true;
    }

    /// Of a place any byte may lead on from.
    bool enter(std::uint32_t base) {
        if ((base | 0xffu) >= m_units.size()) return false;
        if (!m_seen[base]) m_open.push_back(base);
        m_seen[base] = true;
        return true;
    }

    bool isText(std::uint32_t begin) const {
        return begin < m_texts.size() && m_texts.find('\0', begin) - begin <= longestReplacement;
    }

    std::vector<std::uint32_t> m_units;
    std::string_view m_texts;
    std::vector<bool> m_seen;
    std::vector<std::uint32_t> m_open;
};

void checkNormalizer(std::string_view spec, const std::string& file) {
    constexpr std::uint64_t table = 2;
    Message message(spec, file);
    while (const auto field = message.next())
        if (field->number == table && field->bytes && !field->bytes->empty() && !CharacterTable::isSound(*field->bytes))
            throw Error(file + " has a damaged table of normal forms: copy or download it again");
}

void checkPiece(std::string_view piece, const std::string& file) {
    constexpr std::uint64_t text = 1;
    Message message(piece, file);
    while (const auto field = message.next())
        if (field->number == text && field->bytes &&
            (field->bytes->size() > longestPiece || field->bytes->find('\0') != std::string_view::npos))
            throw Error(file + " has a piece with a zero in it, or one of more than " + std::to_string(longestPiece) +
                        " bytes: it is damaged");
}

}  // namespace

void checkSentencePieceModel(std::string_view model, const std::string& file) {
    constexpr std::uint64_t piece = 1, normalizer = 3, denormalizer = 5;
    std::size_t pieces = 0;
    Message message(model, file);
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

}  // namespace headlight
