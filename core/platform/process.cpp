// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/process.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace headlight::platform {

namespace {

constexpr auto programLink = "/proc/self/exe";
constexpr size_t unlimited = std::numeric_limits<size_t>::max();

size_t addressLimit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return static_cast<size_t>(limit.rlim_cur);
}

/// Of the container that the process runs in (cgroup 2).
size_t containerLimit() {
    std::ifstream file("/sys/fs/cgroup/memory.max");
    std::string text;
    size_t bytes = unlimited;
    if (file >> text) std::from_chars(text.data(), text.data() + text.size(), bytes);
    return bytes;
}

size_t machineMemory() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(size) : unlimited;
}

}  // namespace

bool errorIsTerminal() {
    return isatty(STDERR_FILENO) != 0;
}

std::filesystem::path programFile() {
    std::error_code error;
    return std::filesystem::read_symlink(programLink, error);
}

void startAnew(char** argv) {
    execv(programLink, argv);
}

void setVariable(const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
}

void removeVariable(const char* name) {
    unsetenv(name);
}

size_t memoryLimit() {
    return std::min({machineMemory(), addressLimit(), containerLimit()});
}

bool addressesAreLimited() {
    return addressLimit() != unlimited;
}

// getrusage() would tell of the program that this one took the place of as well.
size_t peakMemory() {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
        if (size_t kilobytes = 0; word == "VmHWM:" && file >> kilobytes) return kilobytes * 1024;
    return 0;
}

bool canSetAside(size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    munmap(memory, bytes);
    return true;
}

void expectWriting([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    constexpr uintptr_t page = 4096, worthIt = 16 * page;
    if (bytes < worthIt) return;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(memory), end = begin + bytes;
    const uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
    madvise(static_cast<char*>(memory) + (first - begin), last - first, MADV_POPULATE_WRITE);  // a wish
#endif
}

}  // namespace headlight::platform
