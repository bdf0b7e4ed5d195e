// SPDX-License-Identifier: GPL-3.0-or-later
// The window stays awake while its model trains: it comes back to its events, however long a step takes.
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "tests/thread_time.h"
#include "tests/ui/calm_theme.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_view.h"

using namespace headlight;

class TestAwake : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->rooms().showView(ViewName::Training);
        QTRY_COMPARE(run().state(), TrainingState::Paused);
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    /// Counted, not timed: a step that the window waited for would pass without one round of its events.
    void itsEventsGoOnWhileAStepIsComputed() {
        TrainingSetup slow = run().setup();
        slow.config.dModel = 256;
        slow.config.dFf = 1024;
        slow.config.numEncoderLayers = slow.config.numDecoderLayers = 4;
        slow.options.batchSize = 512;
        slow.options.threads = 1;
        run().reset(slow);
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        int rounds = 0;
        QTimer each;
        connect(&each, &QTimer::timeout, this, [&] { ++rounds; });
        bool isDone = false;
        connect(&run(), &TrainingRun::pointsAdded, this, [&] { isDone = true; });
        run().stepOnce();
        each.start(0);
        while (!isDone)
            QCoreApplication::processEvents();
        QVERIFY2(rounds > 100, qPrintable(QString::number(rounds)));
    }

    /// Of what it does itself with what the run tells; others on the machine do not count.
    void noStretchTakesLongerThanManyDrawings() {
        m_window->grab();
        const double drawing = fixture::secondsFor([this] { m_window->grab(); });
        double longest = 0, last = fixture::threadSeconds();
        QTimer each;
        connect(&each, &QTimer::timeout, this, [&] {
            const double now = fixture::threadSeconds();
            longest = std::max(longest, now - last);
            last = now;
        });
        each.start(0);
        emit room()->view()->startRequested();
        QTRY_VERIFY(run().step() >= 40);
        emit room()->view()->pauseRequested();
        qInfo("a drawing: %.1f ms, the longest stretch: %.1f ms", 1000 * drawing, 1000 * longest);
        QVERIFY2(longest < 50 * drawing, qPrintable(QString("%1 s").arg(longest)));
    }

private:
    TrainRoom* room() const { return m_window->rooms().find<TrainRoom>(); }
    TrainingRun& run() const { return m_window->workbench().training; }

    QTemporaryDir m_settings;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestAwake)
#include "test_awake.moc"
