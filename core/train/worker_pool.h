// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headlight {

/// Threads that wait for work. run() gives each job to whoever is free, the caller among them, and returns when all are
/// done. Which thread does which job changes nothing: jobs write to places of their own.
class WorkerPool {
public:
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls job(0) … job(count − 1). A job must not throw.
    void run(int count, const std::function<void(int)>& job);

private:
    void work();
    void takeJobs(std::unique_lock<std::mutex>& lock);

    std::mutex m_mutex;  ///< guards everything below
    std::condition_variable m_wake, m_done;
    const std::function<void(int)>* m_job = nullptr;
    int m_next = 0, m_count = 0, m_running = 0;
    bool m_stop = false;

    std::vector<std::thread> m_threads;
};

}  // namespace headlight
