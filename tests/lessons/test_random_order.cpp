// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a lesson is a function of its number: applied in any order, after whatever else, it shows what it shows
// from a fresh start.
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <random>

#include "tests/ui/calm_theme.h"
#include "tests/ui/fixture.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"

using namespace headlight;

class TestRandomOrder : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = fixture::calmTheme(m_settings);
        m_window = open();
        for (const Lesson& lesson : m_window->workbench().lessons.lessons())
            for (size_t step = 0; step < lesson.steps.size(); ++step)
                // A run of a thousand steps is the handout's test.
                if (lesson.stateAt(step).training.train == 0) m_states.push_back(lesson.stateAt(step));
        QVERIFY(m_states.size() > 80);
    }
    void cleanupTestCase() {
        m_window.reset();
        m_theme.reset();
    }

    void everyStepInRandomOrderEqualsItFromAFreshStart() {
        const int times = qEnvironmentVariableIsSet("HEADLIGHT_EVERYTHING") ? 500 : 60;
        std::mt19937 random(42);
        std::map<size_t, std::pair<StageSetting, QImage>> fresh;
        for (int i = 0; i < times; ++i) {
            const size_t at = random() % m_states.size();
            const StageState& state = m_states[at];
            apply(*m_window, state);
            if (QTest::currentTestFailed()) return;
            if (!fresh.contains(at)) {
                const auto window = open();
                apply(*window, state);
                if (QTest::currentTestFailed()) return;
                fresh[at] = {settingOf(window->stage().state()), picture(*window)};
            }
            const StageSetting is = settingOf(m_window->stage().state());
            const auto& [wanted, seen] = fresh[at];
            for (const auto& [key, value] : wanted)
                QVERIFY2(is.contains(key) && is.at(key) == value, where(state, i, key).constData());
            for (const auto& [key, value] : is)
                QVERIFY2(wanted.contains(key),
                         where(state, i, key + "=" + value + ", which is not asked for").constData());
            const QImage now = picture(*m_window);
            if (const QString folder = qEnvironmentVariable("HEADLIGHT_SHOTS"); !folder.isEmpty() && now != seen) {
                now.save(folder + QStringLiteral("/random-%1-a.png").arg(i));
                seen.save(folder + QStringLiteral("/random-%1-b.png").arg(i));
            }
            QVERIFY2(now == seen, where(state, i, "picture").constData());
        }
    }

private:
    std::unique_ptr<MainWindow> open() {
        auto window = std::make_unique<MainWindow>(*m_theme);
        window->setAttribute(Qt::WA_DontShowOnScreen);
        window->resize(1280, 800);
        window->show();
        return window;
    }

    static void apply(MainWindow& window, const StageState& state) {
        window.stage().apply(state);
        QTRY_VERIFY(window.stage().isSettled());
    }

    static QImage picture(MainWindow& window) {
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();  // scroll areas settle in rounds
        return window.rooms().current().viewWidget()->grab().toImage();
    }

    static QByteArray where(const StageState& state, int time, const std::string& what) {
        return QStringLiteral("%1, step %2, the %3th time: %4")
            .arg(QString::fromStdString(state.lesson))
            .arg(state.page)
            .arg(time + 1)
            .arg(QString::fromStdString(what))
            .toUtf8();
    }

    QTemporaryDir m_settings;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
    std::vector<StageState> m_states;
};

QTEST_MAIN(TestRandomOrder)
#include "test_random_order.moc"
