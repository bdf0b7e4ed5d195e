// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <span>
#include <vector>

#include "core/platform/memory.h"

namespace headlight {

/// Memory of one step: handed out in order, given back all at once. What a step needed is kept for the next one, in one
/// block, so that after the first steps nothing is allocated. Not for use by two threads.
///
/// As a memory resource it serves the short lists of a step, std::pmr::vector, as well.
class Arena : public std::pmr::memory_resource {
public:
    /// 64-byte aligned, not initialised. Stays valid until reset(), or rewind() to an earlier mark.
    void* allocate(size_t bytes);

    template <class T>
    T* allocate(size_t count) {
        return static_cast<T*>(allocate(count * sizeof(T)));
    }

    void reset();

    /// A place to come back to: everything handed out after mark() is given back by rewind().
    struct Mark {
        size_t block = 0;
        size_t used = 0;
    };
    Mark mark() const { return {m_current, m_blocks.empty() ? 0 : m_blocks[m_current].used}; }
    void rewind(Mark mark);
    /// What was handed out since the mark, as far as it lies in one run: where a new block was begun, the part in it.
    std::span<std::byte> since(Mark mark) const;

    /// Bytes held from the system.
    size_t capacity() const;
    /// As much room as that, in one block. Gives back all that was handed out.
    void reserve(size_t bytes);

private:
    void* do_allocate(size_t bytes, size_t) override { return allocate(bytes); }
    void do_deallocate(void*, size_t, size_t) override {}
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

    struct Block {
        platform::Memory memory;
        size_t used = 0;
        size_t before = 0;  ///< bytes in the blocks before it

        size_t left() const { return memory.size() - used; }
    };
    void addBlock(size_t atLeast);

    std::vector<Block> m_blocks;
    size_t m_current = 0;
    size_t m_most = 0;  ///< bytes that were ever handed out at a time, with what a block had left over
};

/// Arenas for as many jobs as run beside one another. A job borrows one for its time, whichever is free: what it holds
/// then says nothing of what another job needs.
class ArenaPool {
public:
    explicit ArenaPool(size_t arenas);

    /// An arena, reset, for as long as it lives. No more than there are arenas at a time; asserted.
    class Loan {
    public:
        explicit Loan(ArenaPool& pool) : m_pool(pool), m_arena(pool.take()) {}
        ~Loan() { m_pool.giveBack(m_arena); }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        Arena& operator*() const { return *m_arena; }

    private:
        ArenaPool& m_pool;
        Arena* m_arena;
    };

    /// Gives every arena the room of the largest, so that it makes no difference which one a job finds. None may be on
    /// loan.
    void level();
    /// Bytes held from the system.
    size_t capacity() const;

private:
    Arena* take();
    void giveBack(Arena* arena);

    std::vector<Arena> m_arenas;
    std::mutex m_mutex;  ///< guards m_free
    std::vector<Arena*> m_free;
};

}  // namespace headlight
