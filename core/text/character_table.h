// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// SentencePiece's table from characters to their normal form (precompiled_charsmap of sentencepiece_model.proto): the
/// size of a double array in bytes (Yata's darts-clone), the array, and the texts to which its values point, each ended
/// by a zero. May be used by several threads at once.
class CharacterTable {
public:
    /// Nothing where a step or a value that some text leads to lies outside, or a replacement is long or no UTF-8.
    static std::optional<CharacterTable> read(std::string_view bytes);

    /// What the shortest entry that `text` begins with is replaced by; nothing where there is none.
    std::optional<std::string_view> find(std::string_view text) const;

private:
    CharacterTable(std::string_view array, std::string_view texts);

    bool isSound() const;
    bool isText(std::uint32_t begin) const;

    std::vector<std::uint32_t> m_units;
    std::string m_texts;
};

}  // namespace headlight
