// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>

#include <nlohmann/json.hpp>

#include "tests/ui/calm_theme.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/shell/lesson_export.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"

namespace headlight::fixture {

/// A lesson is exported as a page, and check_page.py plays it.
class PlayedPage {
protected:
    std::unique_ptr<MainWindow> openWindow() {
        m_theme = fixture::calmTheme(m_folder);
        auto window = std::make_unique<MainWindow>(*m_theme);
        window->setAttribute(Qt::WA_DontShowOnScreen);
        window->resize(1280, 800);
        window->show();
        return window;
    }

    void exportLesson(MainWindow& window, QObject* test, const std::function<void()>& atEachStep) {
        auto* page = new LessonExport(window.workbench(), window.stage(), window.rooms(), path("page.html"));
        QSignalSpy finished(page, &LessonExport::finished), failed(page, &LessonExport::failed);
        QObject::connect(page, &LessonExport::drawn, test, atEachStep);
        page->start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, fixture::kLongPatienceMs);
        QCOMPARE(failed.count(), 0);
    }

    /// A lesson of the test's own, in a folder of its language.
    void openLesson(MainWindow& window, const char* language, const char* slug, const char* text) {
        const QString folder = QStringLiteral("mine/%1").arg(QLatin1String(language));
        QVERIFY(QDir(m_folder.path()).mkpath(folder));
        QFile file(m_folder.filePath(QStringLiteral("%1/01-%2.md").arg(folder, QLatin1String(slug))));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        window.openLessons(m_folder.filePath(QStringLiteral("mine")));
        window.workbench().player.open(QLatin1String(slug));
        QVERIFY(window.workbench().player.isOpen());
    }

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    void play(const char* what, const nlohmann::json& expected) {
        QFile file(path("expected.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(expected.dump()));
        file.close();
        QProcess player;
        player.setProcessChannelMode(QProcess::MergedChannels);
        player.start(QStringLiteral("python3"), {QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/web/check_page.py"),
                                                 QStringLiteral(HEADLIGHT_CHROMIUM), QString::fromLatin1(what),
                                                 path("page.html"), file.fileName()});
        QVERIFY(player.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(player.exitStatus() == QProcess::NormalExit && player.exitCode() == 0, player.readAll().constData());
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
};

}  // namespace headlight::fixture
