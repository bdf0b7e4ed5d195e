// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace headlight::platform {

/// SHA-256 (FIPS 180-4) of some bytes, in hexadecimal digits.
std::string sha256(std::span<const char> bytes);

/// The same of a file's contents; "" where it is no file that can be read. What was computed once is known as long as
/// size and time of the file stay. On any thread.
std::string sha256OfFile(const std::string& path);

}  // namespace headlight::platform
