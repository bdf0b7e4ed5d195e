// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// Bytes as text (RFC 4648, with `=` at the end): how JSON carries a file.
std::string toBase64(std::string_view bytes);
/// The reverse; nothing for what toBase64() never writes.
std::optional<std::string> fromBase64(std::string_view text);

}  // namespace headlight
