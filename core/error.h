// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

/// What the world got wrong (a file, an input, an option) or a caller did (shapes that do not fit): one line that says
/// what is wrong and what to do about it. The program prints it, the window shows it where it happened.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace headlight
