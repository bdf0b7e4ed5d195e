// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"

namespace headlight {

/// Reads a message of a protocol buffer (a SentencePiece model) field by field. Throws Error, which begins with `file`,
/// where it is cut short.
class ProtocolMessage {
public:
    ProtocolMessage(std::string_view bytes, const std::string& file) : m_rest(bytes), m_file(file) {}

    struct Field {
        std::uint64_t number;
        std::uint64_t value;                    ///< of one that is a number; the bits of a float
        std::optional<std::string_view> bytes;  ///< of a field that has a length
    };
    /// Nothing at the end.
    std::optional<Field> next() {
        if (m_rest.empty()) return std::nullopt;
        const std::uint64_t tag = varint();
        Field field{tag >> 3, 0, std::nullopt};
        switch (tag & 7u) {
            case 0:
                field.value = varint();
                break;
            case 1:
                take(8);
                break;
            case 2:
                field.bytes = take(varint());
                break;
            case 5:
                field.value = littleEndian(take(4));
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
    static std::uint64_t littleEndian(std::string_view bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
        return value;
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

}  // namespace headlight
