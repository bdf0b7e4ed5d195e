// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace headlight::platform {

/// A regular file that is open for reading at any place. It is read and not mapped: of a file that grows shorter while
/// it is mapped the next touch ends the program, while a reading says what is missing. The bytes go from the system's
/// cache straight to where they are wanted, once, so that nothing of the file is held besides.
class InputFile {
public:
    /// Follows links. Throws Error for what is not there, a folder, a pipe or a device.
    explicit InputFile(const std::string& path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    /// In bytes, as it was opened.
    size_t size() const { return m_size; }
    const std::string& path() const { return m_path; }
    /// Fills `bytes` from the file's byte `offset` on. Throws Error where the file has become shorter.
    void read(size_t offset, std::span<char> bytes) const;

private:
    std::string m_path;
    int m_descriptor = -1;
    size_t m_size = 0;
};

}  // namespace headlight::platform
