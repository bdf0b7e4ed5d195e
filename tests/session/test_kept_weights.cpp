// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights of a run are saved, where it is not its last ones; and where it ends for want of a better loss.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/io/model_file.h"
#include "tests/session/small_run.h"

using namespace headlight;
using fixture::SmallRun;

class TestKeptWeights : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static std::vector<float> flatOf(const TrainedModel& model) {
        const auto flat = std::as_const(*model.network).parameters().flat();
        return {flat.begin(), flat.end()};
    }

    /// What the command line writes that is told the same.
    TrainedModel trainedByCommandLine(const TrainingSetup& setup, int step) {
        const std::string out = m_folder.filePath(QStringLiteral("m.safetensors")).toStdString();
        const QString settings = m_folder.filePath(QStringLiteral("m.yaml"));
        std::vector<Setting> all = settingsOf(recipeOf(setup, step));
        all.push_back({"out", out});
        writeSettings(settings.toStdString(), all, "again");
        QProcess process;
        process.start(QStringLiteral(HEADLIGHT_CLI), {"train", "--config", settings});
        process.waitForFinished(120000);
        if (process.exitCode() != 0) qWarning() << process.readAllStandardError();
        return loadModel(out);
    }

    static TrainingSetup setupWith(const KeepOptions& keep) {
        TrainingSetup setup = fixture::smallSetup(60);
        setup.keep = keep;
        if (keep.patience > 0) {  // a rate so high that the loss goes up and down
            setup.options.schedule = ScheduleKind::Constant;
            setup.options.learningRate = 0.05;
        }
        return setup;
    }

private slots:
    void aSavedModelHasTheWeightsThatTheCommandLineChooses_data() {
        QTest::addColumn<KeepOptions>("keep");
        QTest::addColumn<int>("step");
        QTest::newRow("the mean at the end") << KeepOptions{.average = 3, .validateEvery = 8} << 60;
        QTest::newRow("the mean between two validations") << KeepOptions{.average = 4, .validateEvery = 8} << 21;
        QTest::newRow("the mean of those there are") << KeepOptions{.average = 5, .validateEvery = 10} << 12;
        QTest::newRow("the least loss up to a step") << KeepOptions{.patience = 50, .validateEvery = 6} << 34;
        QTest::newRow("the least loss of all") << KeepOptions{.patience = 50, .validateEvery = 6} << 60;
    }

    void aSavedModelHasTheWeightsThatTheCommandLineChooses() {
        QFETCH(KeepOptions, keep);
        QFETCH(int, step);
        const TrainingSetup setup = setupWith(keep);
        SmallRun run;
        run.run.reset(setup);
        QVERIFY(run.trainTo(60));
        const ModelToSave saved = run.model(step);
        QVERIFY(saved.model);
        const TrainedModel byCommandLine = trainedByCommandLine(setup, step);
        QVERIFY(flatOf(*saved.model) == flatOf(byCommandLine));
        QCOMPARE(saved.figures.step, step);
        QCOMPARE(saved.model->training.steps(), std::optional<long>(step));
        QCOMPARE(saved.model->training.json().value("weights", ""), byCommandLine.training.json().value("weights", ""));
        QCOMPARE(run.run.step(), 60);  // where it stands is where it stood
    }

    void aRunEndsWhereItsPatienceIsOver() {
        const TrainingSetup setup = setupWith({.patience = 2, .validateEvery = 3});
        SmallRun run;
        run.run.reset(setup);
        run.run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.run.state(), TrainingState::Finished, 120000);
        const int end = run.run.lastStep();
        QVERIFY(end < 60);
        QCOMPARE(run.run.step(), end);
        const ModelToSave saved = run.model(end);
        const TrainedModel byCommandLine = trainedByCommandLine(setup, 0);
        QCOMPARE(byCommandLine.training.steps(), std::optional<long>(end));
        QVERIFY(flatOf(*saved.model) == flatOf(byCommandLine));
        // There is no later step to go to, and an earlier one is.
        QString why;
        connect(&run.run, &TrainingRun::notReached, this, [&](int, int, const QString& text) { why = text; });
        run.run.trainTo(60);
        QTRY_VERIFY_WITH_TIMEOUT(why.contains(QLatin1String("fell no more")), 120000);
        QVERIFY(run.trainTo(2));
    }

    void anotherRateGivesItItsLastStepBack() {
        SmallRun run;
        run.run.reset(setupWith({.patience = 2, .validateEvery = 3}));
        run.run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.run.state(), TrainingState::Finished, 120000);
        QVERIFY(run.trainTo(2));
        QVERIFY(run.turnRate(0.1));
        QTRY_COMPARE(run.run.lastStep(), 60);
    }
};

QTEST_GUILESS_MAIN(TestKeptWeights)
#include "test_kept_weights.moc"
