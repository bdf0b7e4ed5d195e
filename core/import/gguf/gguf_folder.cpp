// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/gguf/gguf_folder.h"

#include <algorithm>
#include <system_error>

#include "core/io/text_file.h"

namespace headlight {

bool isGgufName(const std::filesystem::path& path) {
    return lowercaseEnding(path) == ".gguf";
}

std::vector<std::string> ggufNamesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (isGgufName(at->path())) names.push_back(at->path().filename().string());
    std::ranges::sort(names);
    return names;
}

}  // namespace headlight
