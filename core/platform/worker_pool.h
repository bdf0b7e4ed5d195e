// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace headlight {

/// Threads that wait for work. run() gives each job to whoever is free, the caller among them, and returns when all are
/// done. Which thread does which job changes nothing: jobs write to places of their own.
///
/// What a job throws, run() throws, on the thread that called it: the first of several. Jobs that run are waited for,
/// others are left out, and the pool can be used again.
class WorkerPool {
public:
    /// More threads than this are of no use to a product of matrices: OpenBLAS keeps no place for more.
    static constexpr int mostThreads = 128;

    /// Throws Error where the system starts no more threads.
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls job(0) … job(count − 1).
    template <class Job>
    void run(int count, const Job& job) {
        runAll(count, {&job, [](const void* held, int index) { (*static_cast<const Job*>(held))(index); }});
    }

    /// Does this thread just do a job of a pool?
    static bool inJob();

    /// Numbers in a block of runBlocks().
    static constexpr size_t blockSize = size_t{1} << 16;
    static size_t blocksOf(size_t count) { return (count + blockSize - 1) / blockSize; }

    /// Calls job(first, count) for the blocks of a long array, the last one shorter. The cuts depend on its length
    /// alone.
    template <class Job>
    void runBlocks(size_t count, const Job& job) {
        run(static_cast<int>(blocksOf(count)), [&](int block) {
            const size_t first = static_cast<size_t>(block) * blockSize;
            job(first, std::min(blockSize, count - first));
        });
    }

private:
    /// A callable that somebody else owns: unlike std::function it allocates nothing.
    struct JobView {
        const void* job = nullptr;
        void (*call)(const void* job, int index) = nullptr;
    };
    void runAll(int count, JobView job);
    void work();
    void stop();
    void takeJobs(std::unique_lock<std::mutex>& lock);

    std::mutex m_mutex;  ///< guards everything below
    std::condition_variable m_wake, m_done;
    JobView m_job;
    int m_next = 0, m_count = 0, m_running = 0;
    bool m_stop = false;
    std::exception_ptr m_failure;  ///< of a job

    std::vector<std::thread> m_threads;
};

}  // namespace headlight
