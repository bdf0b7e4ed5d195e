// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace headlight {

// JSON as text and back. The library's writer and reader are templates that cost every file that uses them seconds to
// compile; they are compiled here, once.

/// What becomes of bytes in a text that are not UTF-8: U+FFFD, or an Error.
enum class BadBytes { Replace, Refuse };

/// On one line, or with `indent` spaces a level.
std::string jsonText(const nlohmann::json& json, int indent = -1, BadBytes bad = BadBytes::Replace);

/// A text as JSON writes it, quotes included.
std::string jsonQuoted(std::string_view text, BadBytes bad = BadBytes::Replace);

/// Parses text of our own. Returns a discarded value (`is_discarded()`) if it is not JSON.
nlohmann::json parseJson(std::string_view text);

/// The texts, numbers and truth values of an object, and of objects in it, in the order in which they stand there, each
/// behind its path (`translation.en`); lists are passed over. Nothing where the text is no JSON object.
std::optional<std::vector<std::pair<std::string, std::string>>> flatJson(std::string_view text);

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
