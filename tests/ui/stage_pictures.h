// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QImage>
#include <QTest>
#include <memory>

#include "ui/shell/main_window.h"
#include "ui/shell/stage.h"

namespace headlight::fixture {

inline std::unique_ptr<MainWindow> openWindow(ThemeManager& theme) {
    auto window = std::make_unique<MainWindow>(theme);
    window->setAttribute(Qt::WA_DontShowOnScreen);
    window->resize(1280, 800);
    window->show();
    return window;
}

/// Fails the test where the state does not settle.
inline void apply(MainWindow& window, const StageState& state) {
    window.stage().apply(state);
    QTRY_VERIFY(window.stage().isSettled());
}

inline QImage picture(MainWindow& window) {
    for (int round = 0; round < 4; ++round)
        QApplication::processEvents();  // scroll areas settle in rounds
    return window.grab().toImage();
}

/// HEADLIGHT_SHOTS=FOLDER keeps both pictures of what differs.
inline void keepWhereDifferent(const QImage& one, const QImage& other, const QString& name) {
    const QString folder = qEnvironmentVariable("HEADLIGHT_SHOTS");
    if (folder.isEmpty() || one == other) return;
    one.save(QStringLiteral("%1/%2-a.png").arg(folder, name));
    other.save(QStringLiteral("%1/%2-b.png").arg(folder, name));
}

}  // namespace headlight::fixture
