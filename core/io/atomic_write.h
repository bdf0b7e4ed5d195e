// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>

namespace headlight {

/// A file that is written piece by piece to a temporary name in the folder where it will stand, and is gone again
/// unless commit() was reached.
class AtomicFile {
public:
    /// Throws Error with the path and the system's reason, as all that follows.
    explicit AtomicFile(const std::string& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(std::span<const char> bytes);
    /// Syncs, renames over the path, syncs the folder: there is the old file or the whole new one, never a part.
    void commit();

private:
    class Temporary;

    std::string m_path;
    std::unique_ptr<Temporary> m_file;
};

/// Writes to a temporary name in the same folder, syncs, renames over `path`, syncs the folder: afterwards there is the
/// old file or the whole new one, never a part. Throws Error with the path and the system's reason; the temporary file
/// is gone then.
void atomicWrite(const std::string& path, std::span<const char> bytes);
/// The same for a file whose bytes lie in pieces, one behind another.
void atomicWritePieces(const std::string& path, std::span<const std::span<const char>> pieces);

}  // namespace headlight
