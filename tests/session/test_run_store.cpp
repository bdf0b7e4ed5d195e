// SPDX-License-Identifier: GPL-3.0-or-later
// The run that is kept while it goes on, killed at moments that nobody chose.
#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/error.h"
#include "core/platform/pace.h"
#include "tests/session/jobs.h"
#include "tests/session/small_run.h"
#include "ui/session/open/run_store.h"
#include "ui/session/open/trained_models.h"

using namespace headlight;
using fixture::SmallRun;

namespace {

/// A run, kept as the window keeps it.
struct KeptRun : SmallRun {
    RunStore store;
    int keptAt = -1;
    QString trouble;

    explicit KeptRun(const QString& folder) {
        opened = store.open(folder);
        QObject::connect(&run, &TrainingRun::standTold,
                         [this](const TrainingCheckpoint& stand) { store.keep(stand, curves); });
        QObject::connect(&store, &RunStore::kept, [this](int step) { keptAt = step; });
        QObject::connect(&store, &RunStore::failed, [this](const QString& why) { trouble = why; });
        run.keepStandEvery(RunStore::everyMs);
    }
    bool opened = false;
};

/// Trains, is kept, and saves a model now and then; says on its output what is safe.
int trainUntilKilled(const QString& folder) {
    const platform::ScopedPace atOnce(platform::Pace::AtOnce);  // so that a kill meets a writing
    KeptRun kept(folder);
    TrainedModels models;
    models.setFolder(folder);
    if (!kept.opened) return 2;
    if (const auto before = kept.store.load()) {
        kept.curves = before->curves;
        kept.run.reset(before->setup);
    } else {
        kept.run.reset(fixture::smallSetup(100000));
    }
    QObject::connect(&kept.store, &RunStore::kept, [](int step) {
        std::printf("kept %d\n", step);
        std::fflush(stdout);
    });
    // The next is asked for when the last is there: where to judge one takes longer than the pause, the run would never
    // come to its next step.
    QTimer saving;
    saving.setSingleShot(true);
    QObject::connect(&kept.run, &TrainingRun::modelToSave, [&](const ModelToSave& model, int) {
        models.save(recorded(model, kept.run.setup(), kept.curves), recipeOf(kept.run.setup(), model.figures.step),
                    folder + QStringLiteral("/saved.safetensors"));
        saving.start();
    });
    QObject::connect(&models, &TrainedModels::saved, [] {
        std::puts("saved");
        std::fflush(stdout);
    });
    QObject::connect(&saving, &QTimer::timeout, [&] { kept.run.requestModelToSave(-1); });
    saving.start(150);
    kept.run.start();
    return QCoreApplication::exec();
}

}  // namespace

class TestRunStore : public QObject {
    Q_OBJECT
private slots:
    void aRunThatWasKeptGoesOnToTheSameModel() {
        const QTemporaryDir folder;
        SmallRun whole;
        whole.run.reset(fixture::smallSetup(30));
        QVERIFY(whole.trainTo(10));
        QVERIFY(whole.turnRate(2));
        QVERIFY(whole.trainTo(30));
        {
            KeptRun first(folder.path());
            QVERIFY(first.opened);
            QVERIFY(!first.store.load());
            first.run.reset(fixture::smallSetup(30));
            QVERIFY(first.trainTo(10));
            QVERIFY(first.turnRate(2));
            QVERIFY(first.trainTo(17));
            QTRY_COMPARE(first.keptAt, 17);
        }
        KeptRun second(folder.path());
        const auto kept = second.store.load();
        QVERIFY(kept);
        QCOMPARE(kept->setup.firstStep(), 17);
        QVERIFY(kept->setup.options.rateChanges == (std::vector<RateChange>{{11, 2}}));
        QCOMPARE(kept->curves.points.size(), size_t{17});
        for (size_t i = 0; i < 17; ++i)
            QCOMPARE(kept->curves.points[i].loss, whole.curves.points[i].loss);
        second.run.reset(kept->setup);
        QVERIFY(second.trainTo(30));
        QVERIFY(second.weights() == whole.weights());
        QCOMPARE(second.curves.points.back().loss, whole.curves.points.back().loss);
    }

    void whatIsForgottenIsNotBroughtBack() {
        const QTemporaryDir folder;
        {
            KeptRun run(folder.path());
            run.run.reset(fixture::smallSetup(10));
            QVERIFY(run.trainTo(3));
            QTRY_COMPARE(run.keptAt, 3);
            run.store.forget();
        }
        KeptRun again(folder.path());
        QVERIFY(!again.store.load());
    }

    void aSecondWindowKeepsNothingWhileTheFirstIsThere() {
        const QTemporaryDir folder;
        auto first = std::make_unique<KeptRun>(folder.path());
        KeptRun second(folder.path());
        QVERIFY(first->opened && !second.opened);
        second.run.reset(fixture::smallSetup(10));
        QVERIFY(second.trainTo(3));
        QVERIFY(fixture::allJobsAreDone());
        QCOMPARE(second.keptAt, -1);
        first.reset();
        KeptRun third(folder.path());
        QVERIFY(third.opened);
    }

    void aDamagedFileIsRefusedInOneLine() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("run.safetensors"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("torn");
        file.close();
        KeptRun run(folder.path());
        try {
            static_cast<void>(run.store.load());
            QFAIL("a damaged file was read");
        } catch (const Error& error) {
            QVERIFY(!QString::fromUtf8(error.what()).contains('\n'));
        }
    }

    void killedAtAnyMomentItLosesTheLastSecondsAlone() {
        const QTemporaryDir folder;
        int last = 0, killed = 0;
        for (int trial = 0; trial < 12; ++trial) {
            QProcess process;
            process.start(QCoreApplication::applicationFilePath(), {"--train", folder.path()});
            QVERIFY(process.waitForStarted(fixture::kLongPatienceMs));
            QByteArray told;
            QVERIFY(QTest::qWaitFor(
                [&] {
                    told += process.readAllStandardOutput();
                    const bool isSaved = trial > 0 || told.contains("saved\n");
                    return (isSaved && told.count("kept") >= 3) || process.state() == QProcess::NotRunning;
                },
                fixture::kLongPatienceMs));
            // Whatever it is at then: nothing here depends on how far it comes.
            QThread::msleep(QRandomGenerator::global()->bounded(300));
            process.kill();  // SIGKILL
            QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
            killed += process.exitStatus() == QProcess::CrashExit;
            told += process.readAllStandardOutput();
            QList<QByteArray> lines = told.left(told.lastIndexOf('\n')).split('\n');
            lines.removeAll("saved");
            const int safe = lines.last().mid(5).toInt();
            QVERIFY2(safe > last, "no run went on");

            KeptRun again(folder.path());
            QVERIFY(again.opened);
            const auto kept = again.store.load();
            QVERIFY(kept);
            QVERIFY2(kept->setup.firstStep() >= safe, "what was said to be kept was lost");
            QCOMPARE(kept->curves.points.size(), static_cast<size_t>(kept->setup.firstStep()));
            QCOMPARE(kept->curves.points.back().step, kept->setup.firstStep());
            last = kept->setup.firstStep();
            TrainedModels models;
            models.setFolder(folder.path());
            for (const TrainedModels::Entry& entry : models.list()) {
                QVERIFY2(entry.trouble.isEmpty(), qPrintable(entry.trouble));
                loadModel(entry.path.toStdString());  // every weight is there
            }
            QVERIFY(QDir(folder.path()).entryList({".headlight-*"}, QDir::Files | QDir::Hidden).isEmpty());
        }
        QCOMPARE(killed, 12);
        QVERIFY(QFile::exists(folder.filePath("saved.safetensors")));
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--train")) return trainUntilKilled(arguments.value(2));
    TestRunStore test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_run_store.moc"
