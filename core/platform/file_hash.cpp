// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/file_hash.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include <nettle/sha2.h>

#include "core/error.h"
#include "core/platform/input_file.h"

namespace headlight::platform {

namespace {

class Sha256 {
public:
    Sha256() { sha256_init(&m_state); }
    void add(std::span<const char> bytes) {
        sha256_update(&m_state, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
    }
    std::string digits() {
        std::array<uint8_t, SHA256_DIGEST_SIZE> digest{};
        sha256_digest(&m_state, digest.size(), digest.data());
        std::string text;
        for (const uint8_t byte : digest) {
            text += "0123456789abcdef"[byte >> 4];
            text += "0123456789abcdef"[byte & 15];
        }
        return text;
    }

private:
    sha256_ctx m_state{};
};

std::string hashOf(const std::string& path) {
    const InputFile file(path);
    Sha256 hash;
    std::vector<char> piece(size_t{1} << 20);
    for (size_t at = 0; at < file.size(); at += piece.size()) {
        const std::span<char> bytes = std::span(piece).first(std::min(piece.size(), file.size() - at));
        file.read(at, bytes);
        hash.add(bytes);
    }
    return hash.digits();
}

}  // namespace

std::string sha256(std::span<const char> bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.digits();
}

std::string sha256OfFile(const std::string& path) try {
    using Stand = std::tuple<std::string, std::uintmax_t, std::filesystem::file_time_type>;
    static std::mutex mutex;
    static std::map<Stand, std::string> known;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return {};
    const Stand stand(path, std::filesystem::file_size(path), std::filesystem::last_write_time(path));
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(stand); found != known.end()) return found->second;
    }
    std::string digits = hashOf(path);
    const std::lock_guard lock(mutex);
    return known[stand] = std::move(digits);
} catch (const Error&) {
    return {};
} catch (const std::filesystem::filesystem_error&) {
    return {};
}

}  // namespace headlight::platform
