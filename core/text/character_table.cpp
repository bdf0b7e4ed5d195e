// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/character_table.h"

#include <cstring>

#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr std::size_t largestTable = std::size_t{1} << 21;
constexpr std::size_t longestReplacement = 256;

std::uint32_t offset(std::uint32_t unit) {
    return (unit >> 10) << ((unit & 0x200u) >> 6);
}
std::uint32_t label(std::uint32_t unit) {
    return unit & 0x800000ffu;
}
bool hasValue(std::uint32_t unit) {
    return (unit & 0x100u) != 0;
}
std::uint32_t value(std::uint32_t unit) {
    return unit & 0x7fffffffu;
}

/// Places of a double array that are still to be looked at, each once.
class Places {
public:
    explicit Places(std::size_t size) : m_seen(size) {}

    /// False where it is outside: of a place any byte may lead on from.
    bool add(std::uint32_t base) {
        if ((base | 0xffu) >= m_seen.size()) return false;
        if (!m_seen[base]) m_open.push_back(base);
        m_seen[base] = true;
        return true;
    }
    bool areDone() const { return m_open.empty(); }
    std::uint32_t next() {
        const std::uint32_t base = m_open.back();
        m_open.pop_back();
        return base;
    }

private:
    std::vector<bool> m_seen;
    std::vector<std::uint32_t> m_open;
};

}  // namespace

std::optional<CharacterTable> CharacterTable::read(std::string_view bytes) {
    std::uint32_t size = 0;
    if (bytes.size() < sizeof(size) || bytes.size() > largestTable) return std::nullopt;
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    if (size == 0 || size % sizeof(std::uint32_t) != 0 || size >= bytes.size() || bytes.back() != '\0')
        return std::nullopt;
    CharacterTable table(bytes.substr(0, size), bytes.substr(size));
    return table.isSound() ? std::optional(std::move(table)) : std::nullopt;
}

CharacterTable::CharacterTable(std::string_view array, std::string_view texts)
    : m_units(array.size() / sizeof(std::uint32_t)), m_texts(texts) {
    std::memcpy(m_units.data(), array.data(), array.size());
}

bool CharacterTable::isSound() const {
    Places places(m_units.size());
    if (!places.add(offset(m_units.front()))) return false;
    while (!places.areDone()) {
        const std::uint32_t base = places.next();
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t unit = m_units[base ^ byte];
            if (label(unit) != byte) continue;
            const std::uint32_t next = base ^ byte ^ offset(unit);
            if (!places.add(next) || (hasValue(unit) && !isText(value(m_units[next])))) return false;
        }
    }
    return true;
}

bool CharacterTable::isText(std::uint32_t begin) const {
    if (begin >= m_texts.size()) return false;
    const std::size_t length = m_texts.find('\0', begin) - begin;
    return length <= longestReplacement && !findInvalidUtf8(std::string_view(m_texts).substr(begin, length));
}

std::optional<std::string_view> CharacterTable::find(std::string_view text) const {
    std::uint32_t base = offset(m_units.front());
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        const std::uint32_t unit = m_units[base ^ byte];
        if (byte == 0 || label(unit) != byte) return std::nullopt;
        base ^= byte ^ offset(unit);
        if (hasValue(unit)) return std::string_view(m_texts.data() + value(m_units[base]));
    }
    return std::nullopt;
}

}  // namespace headlight
