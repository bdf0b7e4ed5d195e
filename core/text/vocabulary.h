// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

/// The four special tokens stand first in every vocabulary that Headlight makes.
struct SpecialIds {
    static constexpr int pad = 0;
    static constexpr int bos = 1;
    static constexpr int eos = 2;
    static constexpr int unk = 3;
};

/// Token <-> id. Ids are dense from 0. Built from counts: specials, then by falling count, ties by code units.
class Vocabulary {
public:
    Vocabulary();  ///< only the specials <pad> <bos> <eos> <unk>
    /// The `maxSize` most frequent tokens, specials counted in. 0: no limit.
    static Vocabulary fromCounts(const std::map<std::string, long>& counts, int maxSize);
    /// From a list in id order, which must begin with the four specials and hold no token twice (throws Error).
    static Vocabulary fromTokens(std::vector<std::string> tokens);

    int size() const { return static_cast<int>(m_tokens.size()); }
    int id(std::string_view token) const;  ///< SpecialIds::unk where unknown
    const std::string& token(int id) const;
    const std::vector<std::string>& tokens() const { return m_tokens; }
    bool contains(std::string_view token) const;

private:
    std::vector<std::string> m_tokens;
    std::unordered_map<std::string, int> m_ids;
};

}  // namespace headlight
