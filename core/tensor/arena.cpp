// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/arena.h"

#include <algorithm>

namespace headlight {

namespace {
constexpr size_t alignment = 64;  // a cache line, and the widest vector register
constexpr size_t smallestBlock = size_t{1} << 20;
}  // namespace

void Arena::addBlock(size_t atLeast) {
    m_blocks.push_back({{std::max({atLeast, smallestBlock, capacity()}), platform::Memory::Content::Anything}, 0});
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
    return result;
}

void Arena::reset() {
    if (m_blocks.size() > 1) {
        const size_t total = capacity();
        m_blocks.clear();
        addBlock(total);
    }
    m_current = 0;
    if (!m_blocks.empty()) m_blocks[0].used = 0;
}

void Arena::rewind(Mark mark) {
    if (m_blocks.empty()) return;
    m_current = mark.block;
    m_blocks[m_current].used = mark.used;
}

size_t Arena::capacity() const {
    size_t total = 0;
    for (const Block& block : m_blocks)
        total += block.memory.size();
    return total;
}

}  // namespace headlight
