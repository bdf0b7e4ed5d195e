// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/file_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/platform/input_file.h"

namespace headlight::platform {

namespace {

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> roundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
public:
    void add(std::span<const char> bytes) {
        m_length += bytes.size();
        for (const char byte : bytes) {
            m_block[m_filled++] = static_cast<uint8_t>(byte);
            if (m_filled == m_block.size()) compress();
        }
    }

    std::string digits() {
        const uint64_t bits = m_length * 8;
        const char one = static_cast<char>(0x80), zero = 0;
        add({&one, 1});
        while (m_filled != m_block.size() - sizeof bits)
            add({&zero, 1});
        for (int shift = 56; shift >= 0; shift -= 8) {
            const char byte = static_cast<char>(bits >> shift);
            add({&byte, 1});
        }
        std::string text;
        for (const uint32_t word : m_state)
            for (int shift = 28; shift >= 0; shift -= 4)
                text += "0123456789abcdef"[(word >> shift) & 15];
        return text;
    }

private:
    void compress() {
        m_filled = 0;
        std::array<uint32_t, 64> w{};
        for (size_t i = 0; i < 16; ++i)
            for (size_t byte = 0; byte < 4; ++byte)
                w[i] = w[i] << 8 | m_block[4 * i + byte];
        for (size_t i = 16; i < w.size(); ++i) {
            const uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
        }
        auto [a, b, c, d, e, f, g, h] = m_state;
        for (size_t i = 0; i < w.size(); ++i) {
            const uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                   roundConstants[i] + w[i];
            const uint32_t second =
                (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
        }
        const std::array<uint32_t, 8> added{a, b, c, d, e, f, g, h};
        std::ranges::transform(m_state, added, m_state.begin(), std::plus());
    }

    std::array<uint32_t, 8> m_state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<uint8_t, 64> m_block{};
    size_t m_filled = 0;
    uint64_t m_length = 0;
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
