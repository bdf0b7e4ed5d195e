// SPDX-License-Identifier: GPL-3.0-or-later
#include <thread>

#include <QtTest/QtTest>

#include "core/platform/pace.h"

using namespace headlight;
using namespace std::chrono_literals;
using platform::Pace;
using platform::ScopedPace;
using platform::Throttle;

/// A test says how long a minute is.
class TestPace : public QObject {
    Q_OBJECT
private slots:
    void aWaitIsAsLongAsThePaceSays() {
        const Pace before = platform::pace();
        {
            const ScopedPace usual(Pace::Usual);
            QCOMPARE(platform::paced(150ms).count(), 150);
            {
                const ScopedPace atOnce(Pace::AtOnce);
                QCOMPARE(platform::paced(150ms).count(), 0);
                const ScopedPace hourly(Pace::Hourly);
                QCOMPARE(platform::paced(150ms).count(), 3'600'000);
            }
            QCOMPARE(platform::pace(), Pace::Usual);
        }
        QCOMPARE(platform::pace(), before);
    }

    void theEnvironmentSaysWhereAProgramBegins() {
        const QString wanted = qEnvironmentVariable("HEADLIGHT_PACE");
        QCOMPARE(platform::pace(), wanted == QLatin1String("at-once")  ? Pace::AtOnce
                                   : wanted == QLatin1String("hourly") ? Pace::Hourly
                                                                       : Pace::Usual);
        if (qEnvironmentVariableIsSet("HEADLIGHT_PACE_IS_TESTED")) return;
        for (const char* const pace : {"at-once", "hourly", "usual", "tomorrow"}) {
            QProcess again;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("HEADLIGHT_PACE", pace);
            environment.insert("HEADLIGHT_PACE_IS_TESTED", "1");
            again.setProcessEnvironment(environment);
            again.start(QCoreApplication::applicationFilePath(),
                        {"test_pace", "theEnvironmentSaysWhereAProgramBegins"});
            QVERIFY(again.waitForFinished(-1));
            QCOMPARE(again.exitCode(), 0);
        }
    }

    void aThrottleIsDueAgainWhenItsIntervalHasPassed() {
        const ScopedPace usual(Pace::Usual);
        Throttle soon(1ms);
        std::this_thread::sleep_for(2ms);
        QVERIFY(soon.isDue());
        Throttle later(1h);
        QVERIFY(!later.isDue());
        Throttle onlyFirst(0ms, 1h);
        QVERIFY(onlyFirst.isDue());
        QVERIFY(!onlyFirst.isDue());
        Throttle restarted(0ms, 1h);
        restarted.restart();
        QVERIFY(!restarted.isDue());
    }

    void aThrottleAsksForThePaceEachTime() {
        Throttle throttle(1h);
        {
            const ScopedPace atOnce(Pace::AtOnce);
            QVERIFY(throttle.isDue());
            QVERIFY(throttle.isDue());
        }
        const ScopedPace hourly(Pace::Hourly);
        QVERIFY(!throttle.isDue());
        Throttle impatient(0ms);
        QVERIFY(!impatient.isDue());
    }
};

QTEST_GUILESS_MAIN(TestPace)
#include "test_pace.moc"
