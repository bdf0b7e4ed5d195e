// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "core/error.h"

/// What libFuzzer calls with each input, and replay.cpp with each file of the corpus. A program of tests/fuzz is one.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// What the programs of tests/fuzz share. Whatever a stranger's bytes are, a reader may read them, or throw an Error:
/// anything else (a crash, another exception, a sanitizer's report, a promise that is not kept) is a finding.
namespace headlight::fuzz {

/// Ends the program where a promise is not kept.
inline void require(bool kept, const std::string& promise) {
    if (kept) return;
    std::fprintf(stderr, "not kept: %s\n", promise.c_str());
    std::abort();
}

/// Carries out `read`; true where it came to its end. `name`: the file or folder that a refusal must name.
template <class Read>
bool reads(Read read, const std::string& name = {}) {
    try {
        read();
        return true;
    } catch (const Error& error) {
        const std::string_view what = error.what();
        require(!what.empty() && what.find('\n') == std::string_view::npos, "a refusal is one line");
        require(what.find(name) != std::string_view::npos, "a refusal names the file: " + std::string(what));
        static const bool says = std::getenv("HEADLIGHT_FUZZ_SAYS") != nullptr;  // to look at a corpus
        if (says) std::fprintf(stderr, "%s\n", error.what());
        return false;
    }
}

/// An input as the files that it stands for: they are parted by lines of `%%`. So a corpus is text that can be read and
/// written by hand, and a mutation may move a piece of one file into another. At least `count`, the last ones empty.
inline std::vector<std::string> partsOf(const uint8_t* data, size_t size, size_t count) {
    constexpr std::string_view mark = "\n%%\n";
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> parts;
    while (parts.size() + 1 < count) {
        const size_t end = rest.find(mark);
        parts.emplace_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + mark.size());
    }
    parts.emplace_back(rest);
    return parts;
}

/// A folder of this process, in memory where the system has such a place, for what is read from a path.
class Scratch {
public:
    Scratch() {
        namespace fs = std::filesystem;
        std::error_code error;
        const fs::path memory = "/dev/shm";
        const fs::path base = fs::is_directory(memory, error) ? memory : fs::temp_directory_path();
        m_path = base / ("headlight-fuzz-" + std::to_string(getpid()));
        clear();
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::filesystem::path path() const { return m_path; }
    void clear() const {
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path);
    }
    /// The file's path.
    std::string write(const std::string& name, std::string_view bytes) const {
        const std::string path = m_path / name;
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        require(file.flush().good(), "the scratch folder can be written");
        return path;
    }
    /// As write(), and no such file where there is nothing to write.
    void writeOrRemove(const std::string& name, std::string_view bytes) const {
        if (bytes.empty())
            std::filesystem::remove(m_path / name);
        else
            write(name, bytes);
    }

private:
    std::filesystem::path m_path;
};

}  // namespace headlight::fuzz
