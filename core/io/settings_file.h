// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// One line of a settings file.
struct Setting {
    std::string key, value;
    int line = 0;  ///< from 1; of a file that was read
};

/// A YAML file of `key: value` lines. Throws Error with file and line for what is no YAML, a key that stands twice, and
/// values that are lists or maps; and for a file larger than a megabyte.
std::vector<Setting> readSettings(const std::string& path);

/// Writes such a file; `comment` is its first line.
void writeSettings(const std::string& path, const std::vector<Setting>& settings, const std::string& comment);

}  // namespace headlight
