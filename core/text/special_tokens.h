// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/text/tokenizer.h"

namespace headlight {

/// A special token's role and its name in files: "bos" in ours, "bos_token" in other people's.
struct SpecialRole {
    const char* name;
    std::optional<int> SpecialTokens::*id;
};
inline constexpr std::array<SpecialRole, 7> specialRoles = {{{"pad", &SpecialTokens::pad},
                                                             {"bos", &SpecialTokens::bos},
                                                             {"eos", &SpecialTokens::eos},
                                                             {"unk", &SpecialTokens::unk},
                                                             {"cls", &SpecialTokens::cls},
                                                             {"sep", &SpecialTokens::sep},
                                                             {"mask", &SpecialTokens::mask}}};

/// `{"bos": 0, …}`
nlohmann::json toJson(const SpecialTokens& specials);
/// The reverse. Throws Error for what is not that, and for ids from `size` on.
SpecialTokens specialTokensFromJson(const nlohmann::json& json, int size);

}  // namespace headlight
