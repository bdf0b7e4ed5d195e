// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace headlight::platform {

namespace {

/// Why a file that was asked for is none that can be read; empty where it is one.
std::string fault(const struct stat& status) {
    if (S_ISDIR(status.st_mode)) return "this is a folder: name a file in it";
    // A pipe or device has no size to check the header against, and the first may keep a reader waiting for ever.
    if (!S_ISREG(status.st_mode)) return "not a regular file: save it to a file first";
    return {};
}

}  // namespace

InputFile::InputFile(const std::string& path) : m_path(path) {
    // Opening a pipe waits for its writer, unless it is said otherwise.
    m_descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            throw Error(path + ": there is no such file: check its name and folder");
        throw Error(path + ": cannot be opened (" + std::strerror(errno) + "): check its permissions");
    }
    struct stat status {};
    std::string why;
    if (fstat(m_descriptor, &status) != 0)
        why = std::string("cannot be read (") + std::strerror(errno) + "): check its permissions";
    else
        why = fault(status);
    if (!why.empty()) {
        close(m_descriptor);
        throw Error(path + ": " + why);
    }
    m_size = static_cast<size_t>(status.st_size);
}

InputFile::~InputFile() {
    close(m_descriptor);
}

void InputFile::read(size_t offset, std::span<char> bytes) const {
    constexpr size_t most = size_t{1} << 30;  // the system hands out no more than 2 GB at once
    while (!bytes.empty()) {
        const ssize_t got = pread(m_descriptor, bytes.data(), std::min(bytes.size(), most), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw Error(m_path + ": cannot be read (" + std::strerror(errno) + "): check the disk");
        if (got == 0)
            throw Error(m_path +
                        ": the file has become shorter while it was read: wait until no other program writes it, and "
                        "open it again");
        offset += static_cast<size_t>(got);
        bytes = bytes.subspan(static_cast<size_t>(got));
    }
}

}  // namespace headlight::platform
