// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/model_cache.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/import/gguf/gguf_folder.h"
#include "core/import/hub_cache.h"
#include "core/import/hub_settings.h"
#include "core/import/weight_files.h"
#include "core/platform/folder.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

bool hasOwner(const ModelName& wanted) {
    return wanted.name.find('/') != std::string::npos;
}

std::string download(const ModelName& wanted) {
    return "headlight --get " + wanted.name + (wanted.revision.empty() ? "" : "@" + wanted.revision);
}

/// A part of a name as Hugging Face allows it.
bool isNamePart(std::string_view part) {
    const auto isAllowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
    return !part.empty() && part.size() <= 96 && std::ranges::all_of(part, isAllowed) && part.front() != '.' &&
           part.front() != '-' && part.back() != '.' && part.find("..") == std::string_view::npos &&
           part.find("--") == std::string_view::npos;
}

bool isRevision(std::string_view revision) {
    while (!revision.empty()) {
        const size_t end = std::min(revision.find('/'), revision.size());
        if (!isNamePart(revision.substr(0, end)) || end + 1 == revision.size()) return false;
        revision.remove_prefix(std::min(end + 1, revision.size()));
    }
    return true;
}

std::string withoutOwner(const std::string& name) {
    return name.substr(name.find('/') + 1);  // npos + 1 is 0
}

/// Does one of the names stand in the other, or do they begin alike, as `pythia-70m` and `pythia-160m`?
bool isLike(std::string one, std::string other) {
    constexpr size_t enough = 4;
    const auto lower = [](std::string& text) {
        for (char& c : text)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    };
    lower(one), lower(other);
    return one.find(other) != std::string::npos || other.find(one) != std::string::npos ||
           (one.size() >= enough && one.compare(0, enough, other, 0, enough) == 0);
}

/// The name by which the cache has the model; "" where it does not.
std::string nameInCache(const ModelName& wanted, const std::vector<std::string>& names, const std::string& cache) {
    if (std::ranges::binary_search(names, wanted.name)) return wanted.name;
    if (hasOwner(wanted)) return "";
    std::vector<std::string> owned;
    std::ranges::copy_if(names, std::back_inserter(owned),
                         [&](const std::string& name) { return withoutOwner(name) == wanted.name; });
    if (owned.size() > 1)
        throw Error(cache + " has several models of the name " + wanted.name + ": " + listedNames(owned) +
                    "; name the one that you mean with its owner");
    return owned.empty() ? "" : owned.front();
}

bool hasUnfinishedFile(const fs::path& blobs) {
    std::error_code error;
    for (fs::directory_iterator at(blobs, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".incomplete") return true;
    return false;
}

/// Throws Error where the snapshot lacks a file that every model needs. What else may be wrong with it is said as it
/// is opened.
void requireWhole(const fs::path& model, const fs::path& snapshot, const ModelName& wanted) {
    const platform::Folder folder(snapshot);
    const auto require = [&](bool isThere, const std::string& what) {
        if (isThere) return;
        throw Error("the copy of " + wanted.name + " in " + model.parent_path().string() + " has no " + what +
                    (hasUnfinishedFile(model / "blobs") ? ", as a download did not end" : "") + ": get it with " +
                    download(wanted));
    };
    if (!folder.has("config.json") && !ggufNamesIn(snapshot).empty()) return;
    require(folder.has("config.json"), "config.json");
    const std::vector<std::string> files = WeightFiles::namesIn(folder);  // refuses pickles, saying how to convert them
    require(!files.empty(), "weights as safetensors");
    for (const std::string& file : files)
        require(folder.has(file), file);
}

}  // namespace

ModelName modelNameFrom(const std::string& text) {
    const size_t at = text.find('@');
    return {text.substr(0, at), at == std::string::npos ? "" : text.substr(at + 1)};
}

bool isModelName(const std::string& text) {
    const ModelName wanted = modelNameFrom(text);
    if (text.find('@') != std::string::npos && (wanted.revision.empty() || !isRevision(wanted.revision))) return false;
    const std::string last = withoutOwner(wanted.name);
    for (const char* ending : {".safetensors", ".json", ".bin", ".pt", ".pth", ".gguf"})
        if (last.ends_with(ending)) return false;
    return isNamePart(last) &&
           (!hasOwner(wanted) || isNamePart(std::string_view(wanted.name).substr(0, wanted.name.find('/'))));
}

std::vector<std::string> cachedModels() {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(hubCacheFolder(), error), end; !error && at != end; at.increment(error))
        if (isHubModel(at->path().string())) names.push_back(hubModelName(at->path().filename().string()));
    std::ranges::sort(names);
    return names;
}

std::string cachedModel(const std::string& name) {
    const std::string cache = hubCacheFolder();
    if (cache.empty() || !isModelName(name)) return "";
    ModelName wanted = modelNameFrom(name);
    wanted.name = nameInCache(wanted, cachedModels(), cache);
    if (wanted.name.empty()) return "";
    const fs::path model = fs::path(cache) / hubFolderName(wanted.name);
    std::error_code error;
    if (fs::canonical(model, error).parent_path() != fs::canonical(cache, error))
        throw Error(model.string() + " is a link that leads out of the cache: name the folder that it leads to");
    std::string snapshot = hubSnapshot(model.string(), wanted.revision.empty() ? "main" : wanted.revision);
    requireWhole(model, snapshot, wanted);
    return snapshot;
}

std::string modelOrCached(const std::string& path) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error)) || !isModelName(path)) return path;
    if (std::string snapshot = cachedModel(path); !snapshot.empty()) return snapshot;
    const ModelName wanted = modelNameFrom(path);
    const std::string cache = hubCacheFolder();
    if (cache.empty()) return path;
    std::vector<std::string> like = cachedModels();
    std::erase_if(like,
                  [&](const std::string& name) { return !isLike(withoutOwner(name), withoutOwner(wanted.name)); });
    throw Error("there is no file " + path + ", and no model of that name in " + cache +
                (like.empty() ? "" : ", which has " + listedNames(like)) + ": name another, or get it with " +
                download(wanted));
}

}  // namespace headlight
