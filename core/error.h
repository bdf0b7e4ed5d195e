// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

/// What the world got wrong (a file, an input, an option) or a caller did (shapes that do not fit): one line that says
/// what is wrong and what to do about it. The program prints it, the window shows it where it happened. Messages quote
/// names and values out of files by strangers, so whatever stands in one, what() is a single line without control
/// characters and not longer than a terminal can show.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& what);
};

}  // namespace headlight
