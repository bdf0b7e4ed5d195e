// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/tensor/arena.h"

namespace headlight {

/// Memory that an arena handed out and that is free again before the arena is reset. It is handed out anew, the piece
/// that fits best first; where none fits, the arena gives more. Not for use by two threads.
class FreeMemory {
public:
    explicit FreeMemory(Arena& arena) : m_arena(arena) {}

    /// 64-byte aligned, not initialised.
    void* take(size_t bytes);
    /// Memory of the arena, or of take(), that nobody reads any more. Pieces too small to be of use are forgotten.
    void give(void* memory, size_t bytes);

private:
    /// Stands at the beginning of each free piece.
    struct Piece {
        size_t bytes;
        Piece* next;  ///< by address
    };
    static std::byte* endOf(Piece* piece) { return reinterpret_cast<std::byte*>(piece) + piece->bytes; }

    Arena& m_arena;
    Piece* m_first = nullptr;
};

}  // namespace headlight
