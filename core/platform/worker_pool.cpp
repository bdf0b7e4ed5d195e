// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/worker_pool.h"

#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace headlight {

namespace {
thread_local int jobsOfThisThread = 0;  // a job may run a pool of its own
}

bool WorkerPool::inJob() {
    return jobsOfThisThread > 0;
}

WorkerPool::WorkerPool(int threads) {
    try {
        for (int i = 1; i < threads; ++i)
            m_threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        const size_t started = m_threads.size() + 1;
        stop();
        throw Error("the system starts no more than " + std::to_string(started) + " of " + std::to_string(threads) +
                    " threads, for want of memory or by a limit of its own: use fewer, or close other programs");
    }
}

WorkerPool::~WorkerPool() {
    stop();
}

void WorkerPool::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void WorkerPool::takeJobs(std::unique_lock<std::mutex>& lock) {
    while (m_next < m_count) {
        const int index = m_next++;
        ++m_running;
        lock.unlock();
        std::exception_ptr failure;
        ++jobsOfThisThread;
        try {
            m_job.call(m_job.job, index);
        } catch (...) {
            failure = std::current_exception();
        }
        --jobsOfThisThread;
        lock.lock();
        --m_running;
        if (!failure) continue;
        if (!m_failure) m_failure = failure;
        m_next = m_count;
    }
    if (m_running == 0) m_done.notify_all();
}

void WorkerPool::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_stop || m_next < m_count; });
        if (m_stop) return;
        takeJobs(lock);
    }
}

void WorkerPool::runAll(int count, JobView job) {
    std::unique_lock lock(m_mutex);
    m_job = job;
    m_next = 0;
    m_count = count;
    if (count > 1) m_wake.notify_all();
    takeJobs(lock);
    m_done.wait(lock, [this] { return m_next >= m_count && m_running == 0; });
    m_count = m_next = 0;
    if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
}

}  // namespace headlight
