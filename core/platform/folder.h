// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::platform {

/// Does a folder of that name hold one model in the cache of Hugging Face's programs (`models--ORG--NAME`)?
bool isHubModelName(std::string_view name);

/// Does `file` lie in that folder, or further in? Of canonical paths.
bool isWithin(const std::filesystem::path& file, const std::filesystem::path& folder);

/// A folder that came from a stranger. What is read of it are plain files that lie in it: a symbolic link that leads
/// out, `..`, a pipe or a device are refused, and so is a file larger than its reader has a use for. In the cache of
/// Hugging Face's programs the files of a model lie apart from their names (`models--ORG--NAME/snapshots/COMMIT/FILE`
/// is a link to `models--ORG--NAME/blobs/HASH`): there a link may lead to the blobs of the same model.
class Folder {
public:
    /// Throws Error where `path` is no folder.
    explicit Folder(const std::filesystem::path& path);

    /// As it was given: for messages.
    const std::filesystem::path& path() const { return m_path; }
    /// `name` with the folder before it: for messages.
    std::string shown(std::string_view name) const;

    bool has(std::string_view name) const { return find(name).has_value(); }
    /// Where the file `name` (it may stand in a folder within: `sub/name`) really lies, links followed; nothing where
    /// there is none. Throws Error for what is not a plain file within the folder.
    std::optional<std::filesystem::path> find(std::string_view name) const;
    /// As find(); throws Error where there is no such file.
    std::filesystem::path file(std::string_view name) const;
    /// The bytes of a file. Throws Error where it has more than `most`, before any of them is read.
    std::string read(std::string_view name, std::size_t most) const;

private:
    std::filesystem::path m_path;
    std::filesystem::path m_real;   ///< without links
    std::filesystem::path m_blobs;  ///< where its links may lead besides; empty: nowhere
};

}  // namespace headlight::platform
