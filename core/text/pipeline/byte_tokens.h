// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text/pipeline/token_index.h"
#include "core/text/token_bytes.h"

namespace headlight::pipeline {

/// The tokens `<0x00>` to `<0xFF>`. A vocabulary may lack some: Gemini's has none for a tab, which is a token.
class ByteTokens {
public:
    explicit ByteTokens(const TokenIndex& index) {
        for (std::size_t byte = 0; byte < m_ids.size(); ++byte)
            m_ids[byte] = index.find(byteFallbackName(static_cast<unsigned char>(byte)));
    }

    bool hasAll(std::string_view text) const {
        return std::ranges::all_of(text, [this](char byte) { return id(byte) >= 0; });
    }
    int id(char byte) const { return m_ids[static_cast<unsigned char>(byte)]; }

private:
    std::array<int, 256> m_ids{};
};

}  // namespace headlight::pipeline
