// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::pipeline {

/// Token -> id, asked without making a string.
class TokenIndex {
public:
    /// By id; empty ones are left out.
    explicit TokenIndex(const std::vector<std::string>& tokens) {
        m_ids.reserve(tokens.size());
        for (std::size_t id = 0; id < tokens.size(); ++id)
            if (!tokens[id].empty()) m_ids.emplace(tokens[id], static_cast<int>(id));
    }

    /// −1 where there is no such token.
    int find(std::string_view token) const {
        const auto found = m_ids.find(token);
        return found == m_ids.end() ? -1 : found->second;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, int, Hash, std::equal_to<>> m_ids;
};

}  // namespace headlight::pipeline
