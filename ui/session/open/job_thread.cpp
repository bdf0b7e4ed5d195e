// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/job_thread.h"

#include <QtGlobal>
#include <atomic>
#include <exception>
#include <future>
#include <limits>
#include <utility>

namespace headlight {

namespace {

/// Jobs that wait or are being done, of all threads.
std::atomic<size_t> underWay = 0;

}  // namespace

JobThread::~JobThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    m_thread.join();
    underWay -= m_waiting.size();
}

bool JobThread::areAllIdle() {
    return underWay == 0;
}

void JobThread::post(int kind, std::function<void()> job) {
    {
        const std::lock_guard lock(m_mutex);
        const auto [place, isNew] = m_waiting.insert_or_assign(kind, std::move(job));
        if (isNew) ++underWay;
    }
    m_wake.notify_all();
}

void JobThread::finish() {
    std::promise<void> done;
    post(std::numeric_limits<int>::max(), [&done] { done.set_value(); });
    done.get_future().wait();
}

void JobThread::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_stop || !m_waiting.empty(); });
        if (m_stop) return;
        std::function<void()> job = std::move(m_waiting.begin()->second);
        m_waiting.erase(m_waiting.begin());
        lock.unlock();
        try {
            job();
        } catch (const std::exception& error) {
            qCritical("a job in the background failed: %s", error.what());
        }
        job = {};  // what it holds may be large, and goes before the next wait
        --underWay;
        lock.lock();
    }
}

}  // namespace headlight
