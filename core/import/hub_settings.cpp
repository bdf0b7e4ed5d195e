// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/hub_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>

#include "core/text/unicode.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Without what may stand around it.
std::string setting(const char* name) {
    return std::string(trimmed(variable(name)));
}

/// Hugging Face's programs take `~` in their variables for the home folder, too.
std::string fromHome(const std::string& path) {
    return path == "~" || path.starts_with("~/") ? variable("HOME") + path.substr(1) : path;
}

/// Of the first of these variables that is set.
std::string pathIn(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const std::string path = variable(name); !path.empty()) return fromHome(path);
    return {};
}

/// Where these programs keep everything of theirs; empty: nowhere.
fs::path hubHome() {
    if (const std::string home = pathIn({"HF_HOME"}); !home.empty()) return home;
    if (const std::string caches = pathIn({"XDG_CACHE_HOME"}); !caches.empty()) return fs::path(caches) / "huggingface";
    const std::string home = variable("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".cache/huggingface";
}

/// The first line of a file, of so many bytes at most.
std::string firstLineOf(const fs::path& path) {
    constexpr std::streamsize most = 4096;
    std::array<char, most> line{};
    std::ifstream file(path, std::ios::binary);
    file.getline(line.data(), most);
    return std::string(trimmed(line.data()));
}

}  // namespace

std::string hubCacheFolder() {
    if (std::string cache = pathIn({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}); !cache.empty()) return cache;
    const fs::path home = hubHome();
    return home.empty() ? "" : (home / "hub").string();
}

std::string hubEndpoint() {
    std::string endpoint = setting("HF_ENDPOINT");
    while (endpoint.ends_with('/'))
        endpoint.pop_back();
    return endpoint.empty() ? "https://huggingface.co" : endpoint;
}

std::string hubToken() {
    for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
        if (std::string token = setting(name); !token.empty()) return token;
    const std::string file = pathIn({"HF_TOKEN_PATH"});
    return firstLineOf(file.empty() ? hubHome() / "token" : fs::path(file));
}

bool hubIsOffline() {
    return std::ranges::any_of(
        std::initializer_list<const char*>{"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"}, [](const char* name) {
            std::string value = setting(name);
            std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
            return value == "1" || value == "true" || value == "yes" || value == "on";
        });
}

}  // namespace headlight
