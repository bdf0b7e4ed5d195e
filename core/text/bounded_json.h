// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace headlight {

/// What a JSON file by a stranger may hold at most. One list in another takes a hundred times the memory of its bytes.
struct JsonLimits {
    int depth = 32;
    std::size_t values = std::size_t{1} << 22;  ///< keys count as well
};

/// Parses JSON that nobody vouches for. Throws Error, which begins with `name`, for what is no JSON, for a key that
/// stands twice in an object (most readers keep one of the two without a word), and for more than `limits` allows,
/// before that is built.
nlohmann::json parseBoundedJson(std::string_view text, const std::string& name, const JsonLimits& limits = {});

}  // namespace headlight
