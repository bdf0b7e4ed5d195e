// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

/// A folder that comes into being whole or not at all: its files are written into one beside it, which keep() renames.
class NewFolder {
public:
    /// Throws Error where `path` is a file, a folder that is not empty, or stands in a folder that is not there.
    explicit NewFolder(const std::string& path);
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    /// Without keep() nothing is left.
    ~NewFolder();

    /// Where the file of that name is to be written meanwhile.
    std::string file(std::string_view name) const;
    /// Writes a whole file. Throws Error.
    void write(std::string_view name, std::string_view text) const;
    /// All files are there: gives the folder its name. Throws Error.
    void keep();

private:
    std::filesystem::path m_path, m_temporary;
};

}  // namespace headlight
