// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/folder.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace headlight::platform {

namespace fs = std::filesystem;

namespace {

/// An open file that closes itself.
class Descriptor {
public:
    explicit Descriptor(int descriptor) : m_descriptor(descriptor) {}
    ~Descriptor() {
        if (m_descriptor >= 0) close(m_descriptor);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

std::string reason(int number) {
    return std::generic_category().message(number);
}

/// Fills `bytes`; false where the file ends before.
bool fill(int descriptor, std::string& bytes, const std::string& shown) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::read(descriptor, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error(shown + " cannot be read (" + reason(errno) + "): check the disk");
        if (count == 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

bool isHubModelName(std::string_view name) {
    constexpr std::string_view beginning = "models--";
    return name.starts_with(beginning) && name.size() > beginning.size();
}

bool isWithin(const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

Folder::Folder(const fs::path& path) : m_path(path) {
    std::error_code error;
    m_real = fs::canonical(path, error);
    if (error || !fs::is_directory(m_real, error))
        throw Error(path.string() + " is not a folder: name the folder in which the model's files lie");
    const fs::path snapshots = m_real.parent_path(), model = snapshots.parent_path();
    if (snapshots.filename() == "snapshots" && isHubModelName(model.filename().string())) m_blobs = model / "blobs";
}

std::string Folder::shown(std::string_view name) const {
    return (m_path / name).string();
}

std::optional<fs::path> Folder::find(std::string_view name) const {
    const fs::path relative(name);
    if (name.empty() || name.find('\0') != std::string_view::npos || relative.is_absolute() ||
        std::ranges::find(relative, "..") != relative.end())
        throw Error("'" + std::string(name.substr(0, std::min(name.find('\0'), std::size_t{200}))) +
                    "' is not the name of a file in " + m_path.string() + ": a model's files lie in its own folder");
    std::error_code error;
    const fs::file_status status = fs::symlink_status(m_real / relative, error);
    if (status.type() == fs::file_type::not_found) return std::nullopt;
    const fs::path real = fs::canonical(m_real / relative, error);
    if (error) throw Error(shown(name) + " cannot be opened (" + error.message() + "): copy the model again");
    if (!isWithin(real, m_real) && (m_blobs.empty() || !isWithin(real, m_blobs)))
        throw Error(shown(name) +
                    " is a link that leads out of the folder: copy the file itself there (cp -L follows links)");
    if (!fs::is_regular_file(real, error)) throw Error(shown(name) + " is not a plain file: save it as one first");
    return real;
}

fs::path Folder::file(std::string_view name) const {
    if (const auto found = find(name)) return *found;
    throw Error(m_path.string() + " has no " + std::string(name) + ": the model's folder is not whole, copy it again");
}

std::string Folder::read(std::string_view name, std::size_t most) const {
    // Between find() and open() the file may have become something else: no link is followed, no pipe waited for.
    const Descriptor opened(open(file(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts {};
    if (opened.get() < 0 || fstat(opened.get(), &facts) != 0)
        throw Error(shown(name) + " cannot be opened (" + reason(errno) + "): check its permissions");
    if (!S_ISREG(facts.st_mode)) throw Error(shown(name) + " is not a plain file: save it as one first");
    if (static_cast<std::size_t>(facts.st_size) > most)
        throw Error(shown(name) + " has " + std::to_string(facts.st_size) + " bytes, and such a file has at most " +
                    std::to_string(most) + ": it is not what its name says");
    std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
    if (!fill(opened.get(), bytes, shown(name)))
        throw Error(shown(name) + " became shorter while it was read: wait until nothing writes it any more");
    return bytes;
}

}  // namespace headlight::platform
