// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QTest>
#include <QWidget>

#include "tests/patience.h"

namespace headlight::fixture {

/// Lets the event loop run until a shown widget has been drawn anew. Returns false if that never happens.
inline bool painted(QWidget& widget) {
    struct Watch : QObject {
        int paints = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            paints += event->type() == QEvent::Paint;
            return false;
        }
    } watch;
    widget.installEventFilter(&watch);
    widget.update();
    return QTest::qWaitFor([&] { return watch.paints > 0; }, kPatienceMs);
}

}  // namespace headlight::fixture
