// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAnimationDriver>
#include <QCoreApplication>

namespace headlight::fixture {

/// The clock of all of Qt's animations, set by hand as long as this lives: what moves stands still between two calls of
/// advanceBy(), however long the machine takes.
class AnimationClock : public QAnimationDriver {
public:
    AnimationClock() {
        connect(this, &QAnimationDriver::started, this, [this] { m_now = 0; });  // counted from there
        install();
    }
    ~AnimationClock() override { uninstall(); }

    qint64 elapsed() const override { return m_now; }

    /// Milliseconds. What was started since the last call begins here.
    void advanceBy(qint64 by) {
        letBegin();
        m_now += by;
        advanceAnimation();
        letBegin();
    }

private:
    /// An animation that is started stands in two queues one after the other before its time counts.
    static void letBegin() {
        for (int round = 0; round < 3; ++round)
            QCoreApplication::processEvents();
    }

    qint64 m_now = 0;
};

}  // namespace headlight::fixture
