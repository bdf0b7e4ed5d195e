// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/arena.h"

#include <algorithm>
#include <cassert>

namespace headlight {

namespace {
constexpr size_t alignment = 64;  // a cache line, and the widest vector register
constexpr size_t smallestBlock = size_t{1} << 18;
}  // namespace

void Arena::addBlock(size_t atLeast) {
    const size_t before = capacity();
    m_blocks.push_back({{std::max({atLeast, smallestBlock, before}), platform::Memory::Content::Anything}, 0, before});
    m_current = m_blocks.size() - 1;
}

void* Arena::allocate(size_t bytes) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    while (!m_blocks.empty() && m_blocks[m_current].left() < bytes) {
        if (m_current + 1 == m_blocks.size()) break;
        m_blocks[++m_current].used = 0;
    }
    if (m_blocks.empty() || m_blocks[m_current].left() < bytes) addBlock(bytes);
    Block& block = m_blocks[m_current];
    void* result = static_cast<std::byte*>(block.memory.data()) + block.used;
    block.used += bytes;
    m_most = std::max(m_most, block.before + block.used);
    return result;
}

void Arena::reset() {
    if (m_blocks.size() > 1) {
        m_blocks.clear();
        addBlock(m_most + m_most / 8);
    }
    m_current = 0;
    if (!m_blocks.empty()) m_blocks[0].used = 0;
}

void Arena::rewind(Mark mark) {
    if (m_blocks.empty()) return;
    m_current = mark.block;
    m_blocks[m_current].used = mark.used;
}

std::span<std::byte> Arena::since(Mark mark) const {
    if (m_blocks.empty()) return {};
    const Block& block = m_blocks[m_current];
    const size_t first = mark.block == m_current ? mark.used : 0;
    return {static_cast<std::byte*>(block.memory.data()) + first, block.used - first};
}

size_t Arena::capacity() const {
    size_t total = 0;
    for (const Block& block : m_blocks)
        total += block.memory.size();
    return total;
}

void Arena::reserve(size_t bytes) {
    reset();
    if (capacity() >= bytes) return;
    m_blocks.clear();
    addBlock(bytes);
}

ArenaPool::ArenaPool(size_t arenas) : m_arenas(arenas) {
    for (Arena& arena : m_arenas)
        m_free.push_back(&arena);
}

Arena* ArenaPool::take() {
    const std::lock_guard lock(m_mutex);
    assert(!m_free.empty());
    Arena* arena = m_free.back();
    m_free.pop_back();
    arena->reset();
    return arena;
}

void ArenaPool::giveBack(Arena* arena) {
    const std::lock_guard lock(m_mutex);
    m_free.push_back(arena);
}

void ArenaPool::level() {
    assert(m_free.size() == m_arenas.size());
    size_t most = 0;
    for (const Arena& arena : m_arenas)
        most = std::max(most, arena.capacity());
    for (Arena& arena : m_arenas)
        arena.reserve(most);
}

size_t ArenaPool::capacity() const {
    size_t total = 0;
    for (const Arena& arena : m_arenas)
        total += arena.capacity();
    return total;
}

}  // namespace headlight
