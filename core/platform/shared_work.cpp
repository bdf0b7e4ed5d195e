// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/shared_work.h"

#include <memory>
#include <optional>

#include "core/error.h"

namespace headlight {

namespace {

struct State {
    std::mutex turn;  ///< held by who has the pool; guards everything below
    int wanted = 0;
    std::optional<WorkerPool> pool;
    bool alone = false;  ///< one processor, or no more threads to be had
};

State& state() {
    static State only;
    return only;
}

void start(State& state) {
    const int wanted = state.wanted > 0 ? state.wanted : static_cast<int>(std::thread::hardware_concurrency());
    const int threads = std::clamp(wanted, 1, WorkerPool::mostThreads);
    try {
        state.alone = threads == 1;
        if (!state.alone) state.pool.emplace(threads);
    } catch (const Error&) {
        state.alone = true;
    }
}

}  // namespace

SharedWork::Turn::Turn() {
    if (WorkerPool::inJob() || !state().turn.try_lock()) return;
    if (!state().pool && !state().alone) start(state());
    if (state().pool)
        m_pool = &*state().pool;
    else
        state().turn.unlock();
}

SharedWork::Turn::~Turn() {
    if (m_pool) state().turn.unlock();
}

void SharedWork::useThreads(int threads) {
    const std::lock_guard lock(state().turn);
    state().wanted = threads;
    state().pool.reset();
    state().alone = false;
}

}  // namespace headlight
