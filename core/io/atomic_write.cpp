// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_write.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what) {
    throw Error(path + ": " + what + " (" + std::strerror(errno) +
                "): check the folder, its permissions and the space on the disk");
}

/// The file that is to be replaced: what a link leads to, so that the link stays. Throws Error for what a file must not
/// take the place of (writing to /dev/null would otherwise remove the device).
fs::path replaceable(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) throw Error(path + ": this is a folder: give the name of a file in it");
    if (!fs::exists(status)) return path;
    if (!fs::is_regular_file(status)) throw Error(path + ": not a regular file: give the name of a file");
    const fs::path resolved = fs::canonical(path, error);
    return error ? fs::path(path) : resolved;
}

/// Makes the new name itself last through a power failure.
void syncFolder(const fs::path& folder, const std::string& pathForErrors) {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // it may be written but not listed: then the system chooses when to sync it
    const int status = fsync(descriptor);
    const int reason = errno;
    close(descriptor);
    errno = reason;
    // EINVAL: a file system that has no such thing as syncing a folder.
    if (status != 0 && reason != EINVAL) fail(pathForErrors, "was replaced, but may not outlast a power failure");
}

fs::path folderOf(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

}  // namespace

/// A new file beside the one that it will replace; removed again unless it was renamed.
class AtomicFile::Temporary {
public:
    Temporary(const fs::path& folder, const std::string& pathForErrors) : m_pathForErrors(pathForErrors) {
        static std::atomic<unsigned> counter{0};
        // A short name of its own: the target's may already be as long as the file system allows.
        do {
            m_path = folder / (".headlight-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp");
            m_descriptor = open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        } while (m_descriptor < 0 && errno == EEXIST);
        if (m_descriptor < 0) fail(m_pathForErrors, "cannot be written");
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (m_descriptor >= 0) close(m_descriptor);
        if (!m_renamed) unlink(m_path.c_str());
    }

    void write(std::span<const char> bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(m_pathForErrors, "cannot be written");
            bytes = bytes.subspan(static_cast<size_t>(written));
        }
    }

    void renameTo(const fs::path& target) {
        struct stat old {};
        // A file that others may read stays one that others may read. Where this is refused, the file is still whole.
        if (stat(target.c_str(), &old) == 0) static_cast<void>(fchmod(m_descriptor, old.st_mode & 07777));
        if (fsync(m_descriptor) != 0) fail(m_pathForErrors, "cannot be written to the disk");
        // Some network file systems report a full disk only here.
        if (close(std::exchange(m_descriptor, -1)) != 0) fail(m_pathForErrors, "cannot be written to the disk");
        // Not std::rename(), which replaces no file on Windows.
        std::error_code error;
        fs::rename(m_path, target, error);
        if (error) {
            errno = error.value();
            fail(m_pathForErrors, "cannot be replaced");
        }
        m_renamed = true;
    }

private:
    std::string m_pathForErrors;
    fs::path m_path;
    int m_descriptor = -1;
    bool m_renamed = false;
};

AtomicFile::AtomicFile(const std::string& path)
    : m_path(path), m_file(std::make_unique<Temporary>(folderOf(replaceable(path)), path)) {}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::span<const char> bytes) {
    m_file->write(bytes);
}

void AtomicFile::commit() {
    const fs::path target = replaceable(m_path);
    m_file->renameTo(target);
    syncFolder(folderOf(target), m_path);
}

void atomicWrite(const std::string& path, std::span<const char> bytes) {
    atomicWritePieces(path, std::span(&bytes, 1));
}

void atomicWritePieces(const std::string& path, std::span<const std::span<const char>> pieces) {
    AtomicFile file(path);
    for (const std::span<const char> piece : pieces)
        file.write(piece);
    file.commit();
}

}  // namespace headlight
