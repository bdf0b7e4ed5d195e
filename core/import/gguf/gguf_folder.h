// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

/// Is it the name of a GGUF file? (Ollama's have other names, and are told by their first bytes.)
bool isGgufName(const std::filesystem::path& path);

/// The names of the GGUF files in a folder, sorted; none where it cannot be listed.
std::vector<std::string> ggufNamesIn(const std::filesystem::path& folder);

}  // namespace headlight
