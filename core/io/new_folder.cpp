// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/new_folder.h"

#include "core/error.h"
#include "core/io/atomic_write.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

/// `folder/` and `folder/.` name the folder itself.
fs::path withoutTrail(const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

void refuseWhatStandsThere(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (status.type() == fs::file_type::none)
        throw Error(path.string() + " cannot be made (" + error.message() + "): give another name");
    if (!fs::exists(status)) return;
    if (!fs::is_directory(status)) throw Error(path.string() + " is there, and is no folder: give another name");
    if (!fs::is_empty(path, error) || error)
        throw Error(path.string() + " is a folder that is not empty: give the name of a new one");
}

}  // namespace

NewFolder::NewFolder(const std::string& path) : m_path(withoutTrail(path)) {
    if (m_path.empty()) throw Error("a folder needs a name: give that of a new one");
    refuseWhatStandsThere(m_path);
    const fs::path parent = m_path.has_parent_path() ? m_path.parent_path() : fs::path(".");
    std::error_code error;
    if (!fs::is_directory(parent, error))
        throw Error("there is no folder " + parent.string() + " to make " + m_path.filename().string() +
                    " in: make it first");
    for (int number = 0;; ++number) {
        m_temporary = parent / (".headlight-folder-" + std::to_string(number) + ".tmp");
        if (fs::create_directory(m_temporary, error)) return;
        if (error || number == 1000)
            throw Error(m_path.string() + " cannot be made (" + error.message() +
                        "): check the folder that it is to stand in, and its permissions");
    }
}

NewFolder::~NewFolder() {
    std::error_code ignored;
    if (!m_temporary.empty()) fs::remove_all(m_temporary, ignored);
}

std::string NewFolder::file(std::string_view name) const {
    return (m_temporary / name).string();
}

void NewFolder::write(std::string_view name, std::string_view text) const {
    atomicWrite(file(name), text);
}

void NewFolder::keep() {
    std::error_code error;
    fs::remove(m_path, error);  // an empty folder, which a rename replaces on some systems only
    fs::rename(m_temporary, m_path, error);
    if (error) throw Error(m_path.string() + " cannot be made (" + error.message() + "): give another name");
    m_temporary.clear();
}

}  // namespace headlight
