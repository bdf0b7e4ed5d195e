// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/memory.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace headlight::platform {

namespace {

constexpr std::align_val_t cacheLine{64};
constexpr size_t largePage = size_t{2} << 20;
/// From here on memory comes straight from the system.
constexpr size_t longRun = 2 * largePage;

/// Pages of zeros that begin where a large page may.
void* takePages(size_t bytes) {
    if (bytes > SIZE_MAX - 2 * largePage) throw std::bad_alloc();
    const size_t whole = (bytes + largePage - 1) / largePage * largePage, taken = whole + largePage;
    void* const memory = mmap(nullptr, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* const first = static_cast<char*>(memory);
    const size_t before = (largePage - reinterpret_cast<uintptr_t>(first) % largePage) % largePage;
    if (before > 0) munmap(first, before);
    munmap(first + before + whole, largePage - before);
#ifdef MADV_HUGEPAGE
    madvise(first + before, whole, MADV_HUGEPAGE);  // a wish: without it the pages are small
#endif
    return first + before;
}

}  // namespace

Memory::Memory(size_t bytes, Content content) : m_size(bytes) {
    if (bytes == 0) return;
    if (bytes >= longRun) {
        m_data = takePages(bytes);
        return;
    }
    m_data = ::operator new(bytes, cacheLine);
    if (content == Content::Zeros) std::memset(m_data, 0, bytes);
}

Memory::Memory(Memory&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

Memory::~Memory() {
    if (m_size >= longRun)
        munmap(m_data, (m_size + largePage - 1) / largePage * largePage);
    else if (m_data)
        ::operator delete(m_data, cacheLine);
}

}  // namespace headlight::platform
