// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights of a run are saved, where it is not its last ones; and where it ends for want of a better loss.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/model_file.h"
#include "tests/session/small_run.h"
#include "ui/session/open/run_store.h"

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
    TrainedModel trainedByCommandLine(const TrainingSetup& setup, int step, const std::vector<Setting>& more = {}) {
        const std::string out = m_folder.filePath(QStringLiteral("m.safetensors")).toStdString();
        const QString settings = m_folder.filePath(QStringLiteral("m.yaml"));
        std::vector<Setting> all = settingsOf(recipeOf(setup, step));
        all.push_back({"out", out});
        all.insert(all.end(), more.begin(), more.end());
        writeSettings(settings.toStdString(), all, "again");
        QProcess process;
        process.start(QStringLiteral(HEADLIGHT_CLI), {"train", "--config", settings});
        process.waitForFinished(fixture::kLongPatienceMs);
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

    void aResumedRunChoosesAmongAllValidations_data() {
        QTest::addColumn<KeepOptions>("keep");
        QTest::addColumn<int>("left");
        QTest::newRow("the mean of states before and after") << KeepOptions{.average = 5, .validateEvery = 8} << 44;
        QTest::newRow("left at a validation") << KeepOptions{.average = 4, .validateEvery = 8} << 48;
        QTest::newRow("the least loss") << KeepOptions{.patience = 50, .validateEvery = 6} << 32;
        QTest::newRow("the least loss lies before") << KeepOptions{.patience = 50, .validateEvery = 6} << 59;
    }

    /// Closed where it stood, read back from its file, gone on with.
    void aResumedRunChoosesAmongAllValidations() {
        QFETCH(KeepOptions, keep);
        QFETCH(int, left);
        const TrainingSetup setup = setupWith(keep);
        QTemporaryDir folder;
        {
            SmallRun first;
            RunStore store;
            QVERIFY(store.open(folder.path()));
            int keptAt = -1;
            connect(&first.run, &TrainingRun::standTold, &store,
                    [&](const TrainingCheckpoint& stand) { store.keep(stand, first.curves); });
            connect(&store, &RunStore::kept, &store, [&](int step) { keptAt = step; });
            first.run.keepStandEvery(1000000);
            first.run.reset(setup);
            QVERIFY(first.trainTo(left));
            QTRY_COMPARE_WITH_TIMEOUT(keptAt, left, fixture::kLongPatienceMs);
        }
        RunStore store;
        QVERIFY(store.open(folder.path()));
        const std::optional<RunStore::Kept> kept = store.load();
        QVERIFY(kept);
        QCOMPARE(kept->setup.firstStep(), left);
        SmallRun second;
        second.run.reset(kept->setup);
        QVERIFY(second.trainTo(60));
        const ModelToSave saved = second.model(60);
        const TrainedModel byCommandLine = trainedByCommandLine(setup, 60);
        QVERIFY(flatOf(*saved.model) == flatOf(byCommandLine));
        QCOMPARE(saved.model->training.json().value("weights", ""), byCommandLine.training.json().value("weights", ""));
    }

    void theCommandLineResumedWritesTheSame_data() { aResumedRunChoosesAmongAllValidations_data(); }
    void theCommandLineResumedWritesTheSame() {
        QFETCH(KeepOptions, keep);
        QFETCH(int, left);
        const TrainingSetup setup = setupWith(keep);
        const TrainedModel whole = trainedByCommandLine(setup, 60);
        const std::string checkpoint = m_folder.filePath(QStringLiteral("c.safetensors")).toStdString();
        trainedByCommandLine(setup, left, {{"checkpoint", checkpoint}, {"checkpoint_every", std::to_string(left)}});
        const TrainedModel resumed = trainedByCommandLine(setup, 60, {{"resume", checkpoint}});
        QVERIFY(flatOf(resumed) == flatOf(whole));
        QCOMPARE(resumed.training.json().value("weights", ""), whole.training.json().value("weights", ""));
    }

    void aCheckpointWithoutTheWeightsThatItNamesIsRefused() {
        SmallRun run;
        const std::string path = m_folder.filePath(QStringLiteral("damaged.safetensors")).toStdString();
        run.run.reset(fixture::smallSetup(2));
        QVERIFY(run.trainTo(2));
        const TrainedModel model = *run.model(2).model;
        const auto weights = std::make_shared<const std::vector<float>>(flatOf(model));
        const TrainerState state{2, *weights, *weights};
        saveCheckpoint(model, fixture::smallSetup(2).options, state, path, {.weights = {{1, weights}, {2, weights}}});
        QCOMPARE(loadCheckpoint(path).kept.weights.size(), size_t{2});
        QVERIFY(*loadCheckpoint(path).kept.at(2) == *weights);
        // Twice the same step would read its weights twice.
        saveCheckpoint(model, fixture::smallSetup(2).options, state, path, {.weights = {{2, weights}, {1, weights}}});
        QVERIFY_EXCEPTION_THROWN(loadCheckpoint(path), Error);
    }

    void aRunEndsWhereItsPatienceIsOver() {
        const TrainingSetup setup = setupWith({.patience = 2, .validateEvery = 3});
        SmallRun run;
        run.run.reset(setup);
        run.run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
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
        QTRY_VERIFY_WITH_TIMEOUT(why.contains(QLatin1String("fell no more")), fixture::kLongPatienceMs);
        QVERIFY(run.trainTo(2));
    }

    void anotherRateGivesItItsLastStepBack() {
        SmallRun run;
        run.run.reset(setupWith({.patience = 2, .validateEvery = 3}));
        run.run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QVERIFY(run.trainTo(2));
        QVERIFY(run.turnRate(0.1));
        QTRY_COMPARE(run.run.lastStep(), 60);
    }
};

QTEST_GUILESS_MAIN(TestKeptWeights)
#include "test_kept_weights.moc"
