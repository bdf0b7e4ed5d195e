// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QEvent>
#include <QTest>
#include <QWidget>

#include "tests/patience.h"

namespace headlight::fixture {

/// Lets the event loop run until a shown widget, or what lies in it, has been drawn anew. Returns false if that never
/// happens.
inline bool painted(QWidget& widget) {
    struct Watch : QObject {
        const QWidget* whole = nullptr;
        bool isPainted = false;
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (event->type() != QEvent::Paint) return false;
            const auto* part = qobject_cast<QWidget*>(watched);
            isPainted = isPainted || part == whole || (part && whole->isAncestorOf(part));
            return false;
        }
    } watch;
    watch.whole = &widget;
    qApp->installEventFilter(&watch);
    widget.update();
    // A window that is covered by what lies in it is not asked to paint itself.
    for (QWidget* part : widget.findChildren<QWidget*>())
        part->update();
    return QTest::qWaitFor([&] { return watch.isPainted; }, kPatienceMs);
}

/// Keeps a picture of it as NAME.png in the folder that HEADLIGHT_TEST_PICTURES names; without one nothing happens.
inline void keepPicture(QWidget& widget, const char* name) {
    const QString folder = qEnvironmentVariable("HEADLIGHT_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QVERIFY(painted(widget));  // the layout comes before
    widget.grab().save(folder + u'/' + QLatin1String(name) + QLatin1String(".png"));
}

}  // namespace headlight::fixture
