// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/hub_cache.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/error.h"
#include "core/platform/folder.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char* mainReference = "refs/main";
constexpr size_t longestReference = 4096;

/// The revision that the file names: a commit, alone on a line.
std::string revision(const platform::Folder& model) {
    if (!model.has(mainReference))
        throw Error(model.path().string() + " has no " + mainReference +
                    ", which says which of its snapshots is the model: open one of the folders in snapshots, or "
                    "download the model again");
    std::string name = model.read(mainReference, longestReference);
    while (!name.empty() && (name.back() == '\n' || name.back() == '\r' || name.back() == ' '))
        name.pop_back();
    const auto isPlain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
    if (name.empty() || name.size() > 200 || !std::ranges::all_of(name, isPlain))
        throw Error(model.shown(mainReference) +
                    " names no snapshot: open one of the folders in snapshots, or "
                    "download the model again");
    return name;
}

}  // namespace

bool isHubModel(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(path, error);
    return !error && platform::isHubModelName(folder.filename().string()) && fs::is_directory(folder, error) &&
           !fs::exists(folder / "config.json", error) &&
           (fs::is_directory(folder / "snapshots", error) || fs::is_directory(folder / "blobs", error));
}

std::string hubSnapshot(const std::string& path) {
    if (!isHubModel(path)) return path;
    const std::string name = revision(platform::Folder(path));
    const fs::path snapshot = fs::path(path) / "snapshots" / name;
    std::error_code error;
    if (!fs::is_directory(snapshot, error))
        throw Error(path + " has no snapshots/" + name + ", which its " + mainReference +
                    " names: the download did not end, download the model again");
    return snapshot.string();
}

std::string hubName(const std::string& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || real.parent_path().filename() != "snapshots") return "";
    const std::string model = real.parent_path().parent_path().filename().string();
    if (!platform::isHubModelName(model)) return "";
    std::string name;
    for (size_t at = model.find("--") + 2; at < model.size(); ++at)
        if (model.compare(at, 2, "--") == 0)
            name += '/', ++at;
        else
            name += model[at];
    return name;
}

}  // namespace headlight
