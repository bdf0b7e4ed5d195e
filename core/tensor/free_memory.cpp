// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/free_memory.h"

#include <new>

namespace headlight {

namespace {
/// Sizes are whole cache lines, as the arena's are; a piece of one line would only lengthen the list.
constexpr size_t cacheLine = 64, least = 4 * cacheLine;
}  // namespace

void* FreeMemory::take(size_t bytes) {
    bytes = (bytes + cacheLine - 1) / cacheLine * cacheLine;
    Piece** best = nullptr;
    for (Piece** each = &m_first; *each; each = &(*each)->next)
        if ((*each)->bytes >= bytes && (!best || (*each)->bytes < (*best)->bytes)) best = each;
    if (!best) return m_arena.allocate(bytes);
    Piece* const piece = *best;
    const size_t left = piece->bytes - bytes;
    *best = left < least ? piece->next : new (reinterpret_cast<std::byte*>(piece) + bytes) Piece{left, piece->next};
    return piece;
}

void FreeMemory::give(void* memory, size_t bytes) {
    bytes = (bytes + cacheLine - 1) / cacheLine * cacheLine;
    if (bytes < least) return;
    Piece* before = nullptr;
    for (Piece* each = m_first; each && each < memory; each = each->next)
        before = each;
    Piece* piece = new (memory) Piece{bytes, before ? before->next : m_first};
    if (before && endOf(before) == memory) {
        before->bytes += bytes;
        before->next = piece->next;
        piece = before;
    } else if (before) {
        before->next = piece;
    } else {
        m_first = piece;
    }
    if (piece->next && endOf(piece) == reinterpret_cast<std::byte*>(piece->next)) {
        piece->bytes += piece->next->bytes;
        piece->next = piece->next->next;
    }
}

}  // namespace headlight
