// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/platform/worker_pool.h"

namespace headlight {

/// What one sentence asks for, divided among the processors. There is one pool for the whole program, started by the
/// first who needs it: whoever finds it taken, and whoever is a job of a pool already, does the work alone. So threads
/// never outnumber processors by much, and since the cuts are the caller's, the result is the same either way.
class SharedWork {
public:
    /// Calls job(0) … job(count − 1). What a job throws is thrown.
    template <class Job>
    static void run(int count, const Job& job) {
        if (const Turn turn; count > 1 && turn.pool()) return turn.pool()->run(count, job);
        for (int i = 0; i < count; ++i)
            job(i);
    }

    /// How many threads there are to be; 0: one a processor, which is so unless somebody said otherwise.
    static void useThreads(int threads);

private:
    /// Has the pool to itself, where it is free.
    class Turn {
    public:
        Turn();
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        WorkerPool* pool() const { return m_pool; }

    private:
        WorkerPool* m_pool = nullptr;
    };
};

}  // namespace headlight
