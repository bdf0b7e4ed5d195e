// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <memory>

#include "tests/ui/calm_theme.h"
#include "ui/shell/main_window.h"

namespace headlight::fixture {

/// The program's window, open but on no screen, light, without motion, with settings of its own.
struct CalmWindow {
    explicit CalmWindow(const QSize& size) : theme(calmTheme(folder)), window(std::make_unique<MainWindow>(*theme)) {
        window->setAttribute(Qt::WA_DontShowOnScreen);
        window->resize(size);
        window->show();
    }
    /// Opens a folder with this lesson alone, and begins it; false where that cannot be.
    bool beginLesson(const QString& slug, const QByteArray& text) const {
        const QDir lessons(folder.filePath(QStringLiteral("lessons")));
        QFile file(lessons.filePath(QStringLiteral("en/01-%1.md").arg(slug)));
        if (!lessons.mkpath(QStringLiteral("en")) || !file.open(QIODevice::WriteOnly)) return false;
        file.write(text);
        file.close();
        window->openLessons(lessons.path());
        window->workbench().player.open(slug);
        return window->workbench().player.slug() == slug;
    }

    QTemporaryDir folder;
    std::unique_ptr<ThemeManager> theme;
    std::unique_ptr<MainWindow> window;
};

}  // namespace headlight::fixture
