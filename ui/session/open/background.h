// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaObject>
#include <QObject>
#include <QPointer>
#include <QString>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "ui/session/open/job_thread.h"
#include "ui/session/open/settling.h"

namespace headlight {

/// Work for somebody who wants the newest result alone: it is done on a thread of its own, its result is taken on the
/// owner's, and a result that is no longer wanted is dropped there. The last member of its owner, so that the thread
/// ends before what it reports to.
class Background {
public:
    explicit Background(QObject* owner) : m_owner(owner) {}
    ~Background() { *m_isWanted = false; }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// Whether somebody still waits for the result: what a long computation asks between its parts, so as to end early.
    using Wanted = std::function<bool()>;

    /// Who is told that there is work under way; null: nobody.
    void setSettling(Settling* settling) { m_settling = settling; }

    /// `compute` runs on the other thread and must not touch the owner; `take` is given its result, `fail` the message
    /// of what it threw. Neither is called once something newer was asked for.
    template <class Result>
    void ask(std::function<Result()> compute, std::function<void(Result)> take,
             std::function<void(const QString&)> fail) {
        ask<Result>([compute = std::move(compute)](const Wanted&) { return compute(); }, std::move(take),
                    std::move(fail));
    }
    template <class Result>
    void ask(std::function<Result(const Wanted&)> compute, std::function<void(Result)> take,
             std::function<void(const QString&)> fail) {
        const int request = begin();
        const Wanted wanted = [isWanted = m_isWanted] { return isWanted->load(); };
        m_jobs.post(
            0, [this, request, wanted, compute = std::move(compute), take = std::move(take), fail = std::move(fail)] {
                try {
                    auto result = std::make_shared<Result>(compute(wanted));
                    QMetaObject::invokeMethod(m_owner, [this, request, result, take] {
                        if (request != m_request) return;
                        const Settling::Work work = std::move(m_work);  // given back when it is shown
                        m_isBusy = false;
                        take(std::move(*result));
                    });
                } catch (const std::exception& error) {
                    const QString why = QString::fromUtf8(error.what());
                    QMetaObject::invokeMethod(m_owner, [this, request, why, fail] {
                        if (request != m_request) return;
                        m_isBusy = false;
                        m_work.fail(why);
                        fail(why);
                    });
                }
            });
    }
    /// What is under way is no longer wanted.
    void drop() {
        ++m_request;
        *m_isWanted = false;
        m_isBusy = false;
        m_work.done();
    }
    bool isBusy() const { return m_isBusy; }

private:
    int begin() {
        m_work = m_settling ? m_settling->start() : Settling::Work();
        m_isBusy = true;
        *m_isWanted = false;  // of the one before
        m_isWanted = std::make_shared<std::atomic<bool>>(true);
        return ++m_request;
    }

    QObject* m_owner;
    QPointer<Settling> m_settling;
    Settling::Work m_work;
    int m_request = 0;
    bool m_isBusy = false;
    std::shared_ptr<std::atomic<bool>> m_isWanted = std::make_shared<std::atomic<bool>>(false);  ///< what is under way
    JobThread m_jobs;
};

}  // namespace headlight
