// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// The bytes of a file, read at any place: of one on disk, or of one that is in memory as a whole (tests, fuzzers).
class FileBytes {
public:
    virtual ~FileBytes() = default;
    virtual size_t size() const = 0;
    /// Fills `into` from the byte `offset` on; the caller has checked that the file reaches that far. Throws Error
    /// where it has become shorter since it was opened.
    virtual void read(size_t offset, std::span<char> into) const = 0;

    /// Throws Error for what platform::InputFile refuses.
    static std::shared_ptr<const FileBytes> onDisk(const std::string& path);
    static std::shared_ptr<const FileBytes> inMemory(std::vector<char> bytes);
};

}  // namespace headlight
