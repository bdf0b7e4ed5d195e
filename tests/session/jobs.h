// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QTest>

#include "tests/patience.h"
#include "ui/session/open/job_thread.h"

namespace headlight::fixture {

/// Waits until all that was asked of other threads is done and told, and all that was asked because of it. What has not
/// come by then does not come. Returns false if that never happens.
inline bool allJobsAreDone() {
    return QTest::qWaitFor(
        [] {
            // What is told may be queued again before somebody asks for more because of it.
            for (int round = 0; round < 5; ++round) {
                if (!JobThread::areAllIdle()) return false;
                QCoreApplication::processEvents();
            }
            return JobThread::areAllIdle();
        },
        kPatienceMs);
}

}  // namespace headlight::fixture
