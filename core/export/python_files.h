// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace headlight {

/// A file of resources/export, as it stands there.
struct PythonFile {
    std::string_view name, text;
};

/// All of them. They are built into the program (cmake/embed_files.cmake), so that it needs no folder to find them in.
std::span<const PythonFile> pythonFiles();

}  // namespace headlight
