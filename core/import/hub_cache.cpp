// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/hub_cache.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/platform/folder.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr size_t longestReference = 4096;
constexpr size_t shortestCommit = 4;

/// The commit that the file `reference` names, alone on a line.
std::string commitOfReference(const platform::Folder& model, const std::string& reference) {
    if (!model.has(reference))
        throw Error(model.path().string() + " has no " + reference +
                    ", which says which of its snapshots is the model: open one of the folders in snapshots, or "
                    "download the model again");
    std::string name = model.read(reference, longestReference);
    while (!name.empty() && (name.back() == '\n' || name.back() == '\r' || name.back() == ' '))
        name.pop_back();
    const auto isPlain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
    if (name.empty() || name.size() > 200 || !std::ranges::all_of(name, isPlain))
        throw Error(model.shown(reference) +
                    " names no snapshot: open one of the folders in snapshots, or "
                    "download the model again");
    return name;
}

/// The commit that begins so, of those that have a snapshot.
std::string commitThatBegins(const platform::Folder& model, const std::string& beginning) {
    std::vector<std::string> all;
    std::error_code error;
    for (fs::directory_iterator at(model.path() / "snapshots", error), end; !error && at != end; at.increment(error))
        all.push_back(at->path().filename().string());
    std::ranges::sort(all);
    if (std::ranges::binary_search(all, beginning)) return beginning;
    std::vector<std::string> found;
    if (beginning.size() >= shortestCommit)
        std::ranges::copy_if(all, std::back_inserter(found),
                             [&](const std::string& commit) { return commit.starts_with(beginning); });
    if (found.size() == 1) return found.front();
    const std::string list = listedNames(found.empty() ? all : found);
    if (found.size() > 1)
        throw Error(model.path().string() + " has several revisions that begin with " + beginning + ": " + list +
                    "; give more digits");
    throw Error(model.path().string() + " has no revision " + beginning + (list.empty() ? "" : ", it has " + list) +
                ": name another, or get it with headlight --get " + hubModelName(model.path().filename().string()) +
                "@" + beginning);
}

}  // namespace

std::string listedNames(const std::vector<std::string>& names) {
    constexpr size_t most = 5;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > most ? text + ", …" : text;
}

bool isHubModel(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(path, error);
    return !error && platform::isHubModelName(folder.filename().string()) && fs::is_directory(folder, error) &&
           !fs::exists(folder / "config.json", error) &&
           (fs::is_directory(folder / "snapshots", error) || fs::is_directory(folder / "blobs", error));
}

std::string hubSnapshot(const std::string& path, const std::string& revision) {
    if (!isHubModel(path)) return path;
    const platform::Folder model(path);
    const std::string reference = "refs/" + revision;
    std::error_code error;
    // Refs may stand in folders within, as refs/pr/1: a folder is none.
    const bool isReference = revision == "main" || fs::is_regular_file(model.path() / reference, error);
    const std::string name = isReference ? commitOfReference(model, reference) : commitThatBegins(model, revision);
    const fs::path snapshot = fs::path(path) / "snapshots" / name;
    if (!fs::is_directory(snapshot, error))
        throw Error(path + " has no snapshots/" + name + (isReference ? ", which its " + reference + " names" : "") +
                    ": the download did not end, download the model again");
    const fs::path cache = fs::canonical(path, error).parent_path();
    if (!platform::isWithin(fs::canonical(snapshot, error), cache))
        throw Error(snapshot.string() + " is a link that leads out of the cache: open the folder that it leads to");
    return snapshot.string();
}

std::string hubBlob(const std::string& modelFolder, const std::string& hash) {
    return (fs::path(modelFolder) / "blobs" / hash).string();
}

void makeSnapshot(const std::string& modelFolder, const std::string& commit, const std::string& revision,
                  const std::vector<SnapshotFile>& files) try {
    const fs::path model(modelFolder), snapshot = model / "snapshots" / commit;
    fs::create_directories(snapshot);
    for (const SnapshotFile& file : files) {
        // Made beside its place and moved there: whatever stood under the name is replaced at once.
        const fs::path link = snapshot / file.name, made = snapshot / ("." + file.name + ".new");
        fs::remove(made);
        fs::create_symlink(fs::path("../../blobs") / file.hash, made);
        fs::rename(made, link);
    }
    // A commit names itself.
    if (revision == commit) return;
    const fs::path reference = model / "refs" / revision;
    fs::create_directories(reference.parent_path());
    atomicWrite(reference.string(), commit);
} catch (const fs::filesystem_error& error) {
    throw Error(error.path1().string() + " cannot be written: " + error.code().message());
}

std::string hubModelName(const std::string& folderName) {
    std::string name;
    for (size_t at = folderName.find("--") + 2; at < folderName.size(); ++at)
        if (folderName.compare(at, 2, "--") == 0)
            name += '/', ++at;
        else
            name += folderName[at];
    return name;
}

std::string hubFolderName(std::string modelName) {
    if (const size_t slash = modelName.find('/'); slash != std::string::npos) modelName.replace(slash, 1, "--");
    return "models--" + modelName;
}

std::string hubName(const std::string& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || real.parent_path().filename() != "snapshots") return "";
    const std::string model = real.parent_path().parent_path().filename().string();
    if (!platform::isHubModelName(model)) return "";
    return hubModelName(model);
}

}  // namespace headlight
