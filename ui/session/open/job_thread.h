// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace headlight {

/// A thread that does one job after another. Of two jobs of one kind that wait, only the newer is done: what a reader
/// types while the model is busy never piles up. Where each counts, each gets a kind of its own.
class JobThread {
public:
    JobThread() : m_thread([this] { work(); }) {}
    ~JobThread();
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;

    /// Kinds are done in the order of their numbers. A job tells of its failures itself; what it throws all the same is
    /// written to the log, and neither the thread nor the program ends of it.
    void post(int kind, std::function<void()> job);
    /// Waits until all that was posted is done, which the end of the thread does not.
    void finish();

    /// Returns true if no job of any thread waits or is being done: what they found out has been posted to whoever
    /// asked. A test that shows that something does not come knows then that it would have come.
    static bool areAllIdle();

private:
    void work();

    std::mutex m_mutex;  ///< guards m_waiting and m_stop
    std::condition_variable m_wake;
    std::map<int, std::function<void()>> m_waiting;
    bool m_stop = false;

    std::thread m_thread;
};

}  // namespace headlight
