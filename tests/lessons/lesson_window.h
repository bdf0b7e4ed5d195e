// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/ui/calm_theme.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"

namespace headlight::fixture {

/// Tests of lessons on the program's own window: each begins with the first model open and its sentence read, and with
/// nothing that was done before.
class LessonWindowTest : public QObject {
protected:
    void beginCase() { m_manager = calmTheme(m_settings); }
    void endCase() { m_manager.reset(); }
    void openWindow() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(*m_manager);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openModel(headlight::shippedModel(QStringLiteral("vi-en-transformer")));
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), fixture::kPatienceMs));
        QTRY_VERIFY(bench().session.isSettled() && bench().session.reading());
    }
    void closeWindow() {
        m_window.reset();
        m_manager->setMode(ThemeManager::Mode::Light);
    }

    Workbench& bench() const { return m_window->workbench(); }
    LessonPlayer& player() const { return bench().player; }
    ExploreRoom* explore() const { return m_window->rooms().find<ExploreRoom>(); }
    /// What a reader would see, key by key.
    StageSetting state() const { return settingOf(m_window->stage().state()); }

    QTemporaryDir m_settings;
    std::unique_ptr<ThemeManager> m_manager;
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace headlight::fixture
