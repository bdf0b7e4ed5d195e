// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace headlight {

/// Adds `--write-page man|bash|zsh|fish`, which help does not show: it prints the program's manual page, or the
/// completion of a shell, from the options that `app` has when the arguments are parsed, and ends the program.
void addPages(CLI::App& app);

}  // namespace headlight
