// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window sleeps while its model trains. A program of its own: it is measured with nothing else running.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "tests/ui/calm_theme.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/training_view.h"

using namespace headlight;

class TestAwake : public QObject {
    Q_OBJECT
private slots:
    void windowStaysAwakeWhileTraining() {
        const QTemporaryDir settings;
        const auto theme = fixture::calmTheme(settings);
        MainWindow window(*theme);
        window.resize(1440, 900);
        window.show();
        window.rooms().showView(ViewName::Training);
        QTRY_COMPARE(window.workbench().training.state(), TrainingState::Paused);
        const TrainRoom* const room = window.rooms().find<TrainRoom>();
        emit room->view()->startRequested();
        QElapsedTimer clock;
        clock.start();
        qint64 longest = 0, last = 0;
        QTimer ticks;
        connect(&ticks, &QTimer::timeout, this, [&] {
            longest = std::max(longest, clock.elapsed() - last);
            last = clock.elapsed();
        });
        ticks.start(5);
        QTest::qWait(1500);
        emit room->view()->pauseRequested();
        // Generous, because test machines are busy; a computation on the window's thread would take far longer.
        QVERIFY2(longest < 250, qPrintable(QString("the window slept for %1 ms").arg(longest)));
    }
};

QTEST_MAIN(TestAwake)
#include "test_awake.moc"
