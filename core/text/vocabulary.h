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

/// Token <-> id. Ids are dense from 0. Built from counts: specials, then by falling count, ties by code units. Those of
/// other people's models have their special tokens where they please, or none.
class Vocabulary {
public:
    static constexpr int none = -1;  ///< no id

    Vocabulary();  ///< only the specials <pad> <bos> <eos> <unk>
    /// The `maxSize` most frequent tokens, specials counted in (0: no limit), and none that was seen less than `least`
    /// times.
    static Vocabulary fromCounts(const std::map<std::string, long>& counts, int maxSize, long least = 0);
    /// From a list in id order, which must begin with the four specials and hold no token twice (throws Error).
    static Vocabulary fromTokens(std::vector<std::string> tokens);
    /// Of another program's model: any list in id order that holds no token twice (throws Error). `unknown` is what
    /// id() says of a token that is not in it, an id or none. A model may have more rows than its tokenizer has tokens:
    /// up to `size`, the rest are named `<no token ID>`.
    static Vocabulary ofOthers(std::vector<std::string> tokens, int unknown, int size = 0);
    /// `<no token ID>`, of a row that no token has.
    static std::string nameOfNoToken(int id);

    int size() const { return static_cast<int>(m_tokens.size()); }
    int id(std::string_view token) const;    ///< the unknown token's where unknown: SpecialIds::unk in our own
    int find(std::string_view token) const;  ///< none where unknown
    const std::string& token(int id) const;
    const std::vector<std::string>& tokens() const { return m_tokens; }
    bool contains(std::string_view token) const;

private:
    void indexTokens();

    int m_unknown = SpecialIds::unk;
    std::vector<std::string> m_tokens;
    std::unordered_map<std::string, int> m_ids;
};

}  // namespace headlight
