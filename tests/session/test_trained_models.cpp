// SPDX-License-Identifier: GPL-3.0-or-later
// Models that were trained here: written, listed, renamed, deleted, repeated and trained on.
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/data/recorded_recipe.h"
#include "core/error.h"
#include "tests/session/small_run.h"
#include "ui/session/open/shipped.h"
#include "ui/session/open/trained_models.h"

using namespace headlight;
using fixture::SmallRun;

class TestTrainedModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        // A wastebasket of the test's own.
        QVERIFY(QDir(m_folder.path()).mkpath("share"));
        qputenv("XDG_DATA_HOME", m_folder.filePath("share").toUtf8());
        m_run.run.reset(fixture::smallSetup(60));
        QVERIFY(m_run.trainTo(20));
    }
    void init() {
        m_models = std::make_unique<TrainedModels>();
        m_models->setFolder(m_folder.filePath("models"));
    }
    void cleanup() {
        m_models.reset();
        QDir(m_folder.filePath("models")).removeRecursively();
    }

    void aModelIsSavedWithItsFiguresAndCurves() {
        const ModelToSave model = m_run.model(12);
        const QString path = save(12, "mine");
        const std::vector<TrainedModels::Entry> all = m_models->list();
        QCOMPARE(all.size(), size_t{1});
        QCOMPARE(all[0].path, path);
        QCOMPARE(all[0].name, QStringLiteral("mine"));
        QVERIFY(all[0].trouble.isEmpty());
        const nlohmann::json& story = all[0].card.training.json();
        QCOMPARE(all[0].card.training.steps(), std::optional<long>(12));
        QCOMPARE(all[0].card.training.task(), std::string("copy"));
        QVERIFY(story.at("planned_steps") == 60);
        QVERIFY(story.at("bleu") == model.figures.bleu);
        QVERIFY(story.at("validation_loss") == model.figures.loss);
        QVERIFY(story.at("settings").at("d_model") == "16");
        const RunCurves curves = curvesOf(all[0].card.training);
        QCOMPARE(curves.points.size(), size_t{12});
        QCOMPARE(curves.points.back().loss, m_run.curves.points[11].loss);
        QVERIFY(!curves.validations.empty() && curves.validations.back().step <= 12);
        const TrainedModel loaded = loadModel(path.toStdString());
        QVERIFY(std::ranges::equal(std::as_const(*loaded.network).parameters().flat(),
                                   std::as_const(*model.model->network).parameters().flat()));
    }

    void curvesOfALongRunAreThinned() {
        RunCurves curves;
        for (int step = 1; step <= 6000; ++step)
            curves.points.push_back({step, 1.0 / step, 0, 0, 0, 0});
        const RunCurves few = thinned(curves, 200);
        QCOMPARE(few.points.size(), size_t{200});
        QCOMPARE(few.points.front().step, 1);
        QCOMPARE(few.points.back().step, 6000);
    }

    void theCommandLineRepeatsWhatWasSaved() {
        QVERIFY(m_run.turnRate(0.5));
        QVERIFY(m_run.trainTo(30));
        const QString path = save(25, "mine");
        QProcess process;
        process.setWorkingDirectory(m_models->folder());
        process.start(QStringLiteral(HEADLIGHT_CLI), {"train", "--config", "mine.train.yaml", "--threads", "1"});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const TrainedModel saved = loadModel(path.toStdString());
        const TrainedModel again = loadModel((m_models->folder() + "/mine again.safetensors").toStdString());
        QVERIFY(std::ranges::equal(std::as_const(*saved.network).parameters().flat(),
                                   std::as_const(*again.network).parameters().flat()));
        QVERIFY(again.training.json().at("rate_changes") == "21:0.5");
    }

    /// As a shipped model's file tells of it: without the settings that the window writes.
    void aModelsRunIsMadeAgainFromWhatItsFileTells() {
        TrainingSetup setup = fixture::smallSetup(12);
        setup.options.labelSmoothing = 0.2;
        setup.options.forks.order = {{5, 9}};
        SmallRun first;
        first.run.reset(setup);
        QVERIFY(first.trainTo(12));
        const ModelToSave model = first.model(12);
        QVERIFY(model.model);
        QVERIFY(!model.model->training.json().contains("settings"));
        TrainingSetup told = setupOf(recordedRecipe(*model.model));
        QCOMPARE(told.lastStep(), 12);
        QVERIFY(told.options.forks == setup.options.forks);
        told.options.threads = 1;
        SmallRun again;
        again.run.reset(told);
        QVERIFY(again.trainTo(12));
        const auto flat = std::as_const(*model.model->network).parameters().flat();
        QVERIFY(std::ranges::equal(again.weights(), flat));
        QStringList silent;
        for (const QFileInfo& file : shippedModels()) {
            const TrainedModel shipped = loadModel(file.filePath().toStdString());
            if (shipped.training.task().empty()) {  // of real sentences, which are not here
                QVERIFY_THROWS_EXCEPTION(Error, recordedRecipe(shipped));
                continue;
            }
            if (!shipped.training.json().contains("learning_rate")) silent << file.completeBaseName();
            const TrainingRecipe recipe = recordedRecipe(shipped);
            QCOMPARE(recipe.options.steps, *shipped.training.steps());
            QCOMPARE(recipe.data.files.task, shipped.training.task());
            QVERIFY(recipe.config == shipped.network->config());
        }
        // An earlier engine trained these: made again, they end with other weights, and their files cannot say why.
        QCOMPARE(silent, (QStringList{"sentiment-transformer", "vi-en-transformer"}));
        TrainedModel foreign = *model.model;
        foreign.training = TrainingStory(nlohmann::json{{"imported", {{"kind", "marian"}}}});
        QVERIFY_THROWS_EXCEPTION(Error, recordedRecipe(foreign));
    }

    void theCommandLineRepeatsAFork() {
        TrainingSetup setup = fixture::smallSetup(12);
        setup.options.forks = {{{5, 9}}, {{7, "decoder.layers.0.cross_attn.1"}}};
        SmallRun run;
        run.run.reset(setup);
        QVERIFY(run.trainTo(10));
        const ModelToSave model = run.model(10);
        QVERIFY(model.model);
        const QString path = written(recorded(model, setup, run.curves), recipeOf(setup, 10), "fork");
        QProcess process;
        process.setWorkingDirectory(m_models->folder());
        process.start(QStringLiteral(HEADLIGHT_CLI), {"train", "--config", "fork.train.yaml", "--threads", "1"});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const TrainedModel saved = loadModel(path.toStdString());
        const TrainedModel again = loadModel((m_models->folder() + "/fork again.safetensors").toStdString());
        QVERIFY(std::ranges::equal(std::as_const(*saved.network).parameters().flat(),
                                   std::as_const(*again.network).parameters().flat()));
        QVERIFY(again.training.json().at("order_changes") == "5:9");
        QVERIFY(again.training.json().at("mute_changes") == "7:decoder.layers.0.cross_attn.1");
    }

    void ofFilesTheSettingsSayTheWholePathAndTheModelTheNameAlone() {
        QFile pairs(m_folder.filePath("pairs.tsv"));
        QVERIFY(pairs.open(QIODevice::WriteOnly));
        for (int i = 0; i < 80; ++i)
            pairs.write(QStringLiteral("a%1 b c%2\tx%1 y z%2\n").arg(i % 7).arg(i % 5).toUtf8());
        pairs.close();
        TrainingSetup setup = fixture::smallSetup(8);
        setup.data.files = {.pairs = pairs.fileName().toStdString()};
        SmallRun run;
        run.run.reset(setup);
        QVERIFY(run.trainTo(8));
        const ModelToSave model = run.model(8);
        QVERIFY(model.model);
        const QString path = written(recorded(model, setup, run.curves), recipeOf(setup, 8), "own");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains(m_folder.path().toUtf8()));
        QProcess process;
        process.setWorkingDirectory(m_models->folder());
        process.start(QStringLiteral(HEADLIGHT_CLI), {"train", "--config", "own.train.yaml"});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const TrainedModel again = loadModel((m_models->folder() + "/own again.safetensors").toStdString());
        QVERIFY(std::ranges::equal(std::as_const(*model.model->network).parameters().flat(),
                                   std::as_const(*again.network).parameters().flat()));
    }

    void sentencesKeptForTheEndJudgeWhatIsSavedAsOnTheCommandLine() {
        const auto pairsFile = [this](const char* name, int from, int count) {
            QFile pairs(m_folder.filePath(QLatin1String(name)));
            if (!pairs.open(QIODevice::WriteOnly)) qFatal("no file can be written");
            for (int i = from; i < from + count; ++i)
                pairs.write(QStringLiteral("a%1 b c%2\tx%1 y z%2\n").arg(i % 7).arg(i % 5).toUtf8());
            return pairs.fileName().toStdString();
        };
        TrainingSetup setup = fixture::smallSetup(30);
        setup.data.files = {.pairs = pairsFile("learned.tsv", 0, 80)};
        setup.data.test = {.pairs = pairsFile("kept.tsv", 40, 12)};
        SmallRun run;
        run.run.reset(setup);
        QVERIFY(run.trainTo(30));
        const ModelToSave model = run.model(30);
        QVERIFY(model.model && model.test);
        QCOMPARE(model.test->sentences, 12L);
        const QString path = written(recorded(model, setup, run.curves), recipeOf(setup, 30), "judged");
        QProcess process;
        process.setWorkingDirectory(m_models->folder());
        process.start(QStringLiteral(HEADLIGHT_CLI), {"train", "--config", "judged.train.yaml"});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const TrainedModel again = loadModel((m_models->folder() + "/judged again.safetensors").toStdString());
        const TrainedModel saved = loadModel(path.toStdString());
        for (const char* key : {"test_loss", "test_bleu"}) {
            QVERIFY(saved.training.json().at(key).is_number());
            QVERIFY(saved.training.json().at(key) == again.training.json().at(key));
        }
        // Of a task too: while it learned nobody looked at its test pairs.
        QVERIFY(m_run.model(12).test.has_value());
    }

    void aNameThatIsTakenIsNumbered() {
        save(5, "mine");
        QCOMPARE(QFileInfo(m_models->freePath("mine")).completeBaseName(), QStringLiteral("mine (2)"));
        QCOMPARE(QFileInfo(m_models->freePath("yours")).completeBaseName(), QStringLiteral("yours"));
    }

    void renamingMovesModelAndSettings() {
        const QString path = save(5, "mine");
        save(6, "other");
        const QString to = m_models->rename(path, " a new name ");
        QCOMPARE(QFileInfo(to).completeBaseName(), QStringLiteral("a new name"));
        QVERIFY(QFile::exists(to) && !QFile::exists(path));
        QVERIFY(QFile::exists(m_models->folder() + "/a new name.train.yaml"));
        for (const char* wrong : {"", "other", "a/b", ".hidden"})
            QVERIFY_EXCEPTION_THROWN(m_models->rename(to, wrong), Error);
        QVERIFY_EXCEPTION_THROWN(m_models->rename(to, QString(300, 'n')), Error);
        QVERIFY(QFile::exists(to));
    }

    void deletedModelsAreInTheWastebasket() {
        const QString path = save(5, "mine");
        const QString there = m_models->moveToTrash(path);
        QVERIFY(there != path && loadModel(there.toStdString()).network);
        QVERIFY(m_models->list().empty());
        QVERIFY(!QFile::exists(m_models->folder() + "/mine.train.yaml"));
        QFile foreign(m_folder.filePath("foreign.safetensors"));
        QVERIFY(foreign.open(QIODevice::WriteOnly));
        QVERIFY_EXCEPTION_THROWN(m_models->moveToTrash(foreign.fileName()), Error);
        QVERIFY(foreign.exists());
    }

    /// A home in which no program has kept anything yet: the file is not left lying where this one was started.
    void aWastebasketIsMadeWhereThereIsNone() {
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        const QString home = m_folder.filePath("a/new/home");
        qputenv("XDG_DATA_HOME", home.toUtf8());
        const QString path = save(5, "mine");
        const QString there = m_models->moveToTrash(path);
        if (before.isNull())
            qunsetenv("XDG_DATA_HOME");
        else
            qputenv("XDG_DATA_HOME", before);
        QVERIFY2(there.startsWith(home) || there.contains("/.Trash"), qPrintable(there));
        QVERIFY(QFile::exists(there) && !QFile::exists(path));
    }

    void aFolderThatCannotBeWrittenLosesNothing() {
        const QString path = save(5, "mine");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        QFile blocked(m_folder.filePath("no folder"));
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        blocked.close();
        m_models->setFolder(blocked.fileName());
        const QString why = refusal(m_models->folder() + "/mine.safetensors");
        QVERIFY2(why.contains("no folder") && !why.contains('\n'), qPrintable(why));
        QVERIFY(refusal("/dev/full").contains("/dev/full"));
        QCOMPARE(before, [&] {
            file.seek(0);
            return file.readAll();
        }());
    }

    void aFullDiskIsToldInOneLineAndLeavesNothing() {
        const QString path = save(5, "mine");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        // What a full disk is to a program: writes end in the middle. A process of its own may bear a smaller bound.
        QProcess process;
        process.start("bash", {"-c", QStringLiteral("ulimit -f 8; trap '' XFSZ; exec \"$0\" --full \"$1\" \"$2\""),
                               QCoreApplication::applicationFilePath(), path, path});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        QCOMPARE(process.exitCode(), 0);
        const QString told = QString::fromUtf8(process.readAllStandardOutput()).trimmed();
        QVERIFY2(told.startsWith(path) && told.contains("space on the disk") && !told.contains('\n'), qPrintable(told));
        file.seek(0);
        QCOMPARE(file.readAll(), before);
        QCOMPARE(QDir(m_models->folder()).entryList(QDir::Files | QDir::Hidden).size(), 2);
    }

    void aFileThatIsNoModelIsListedWithItsTrouble() {
        save(5, "mine");
        QFile broken(m_models->folder() + "/broken.safetensors");
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("nothing");
        broken.close();
        const std::vector<TrainedModels::Entry> all = m_models->list();
        QCOMPARE(all.size(), size_t{2});
        for (const TrainedModels::Entry& entry : all)
            QCOMPARE(entry.trouble.isEmpty(), entry.name == QLatin1String("mine"));
    }

    void aSavedModelIsTrainedOn() {
        const QString path = save(20, "mine");
        TrainingSetup setup = TrainedModels::trainOn(path);
        QCOMPARE(setup.fromModel, path);
        QVERIFY(setup.options.rateChanges.empty());
        setup.options.steps = 4;
        SmallRun on;
        on.run.reset(setup);
        QVERIFY(QTest::qWaitFor([&] { return on.run.state() == TrainingState::Paused; }, fixture::kLongPatienceMs));
        const TrainedModel saved = loadModel(path.toStdString());
        const std::vector<float> begins = on.weights();
        QVERIFY(std::ranges::equal(std::as_const(*saved.network).parameters().flat(), begins));
        QVERIFY(on.trainTo(4));
        QVERIFY(on.weights() != begins);
        QFile::remove(m_models->folder() + "/mine.train.yaml");
        QVERIFY_EXCEPTION_THROWN(TrainedModels::trainOn(path), Error);
    }

private:
    QString save(int step, const QString& name) {
        const ModelToSave model = m_run.model(step);
        const TrainingSetup setup = m_run.run.setup();
        return written(recorded(model, setup, m_run.curves), recipeOf(setup, step), name);
    }

    QString written(TrainedModel model, const TrainingRecipe& recipe, const QString& name) {
        QSignalSpy saved(m_models.get(), &TrainedModels::saved);
        const QString path = m_models->freePath(name);
        m_models->save(std::move(model), recipe, path);
        if (!QTest::qWaitFor([&] { return !saved.isEmpty(); }, fixture::kPatienceMs)) return {};
        return path;
    }

    QString refusal(const QString& path) {
        QSignalSpy failed(m_models.get(), &TrainedModels::failed);
        const ModelToSave model = m_run.model(5);
        m_models->save(*model.model, recipeOf(m_run.run.setup(), 5), path);
        if (!QTest::qWaitFor([&] { return !failed.isEmpty(); }, fixture::kPatienceMs)) return {};
        return failed.first().first().toString();
    }

    QTemporaryDir m_folder;
    SmallRun m_run;
    std::unique_ptr<TrainedModels> m_models;
};

namespace {

/// Writes a model over itself, and prints what is said of it.
int saveWhereThereIsNoRoom(const QString& from, const QString& to) {
    TrainedModels models;
    QString why;
    QObject::connect(&models, &TrainedModels::failed, [&](const QString& told) { why = told; });
    bool saved = false;
    QObject::connect(&models, &TrainedModels::saved, [&] { saved = true; });
    models.save(loadModel(from.toStdString()), {}, to);
    if (!QTest::qWaitFor([&] { return saved || !why.isEmpty(); }, fixture::kPatienceMs) || saved) return 1;
    std::puts(qPrintable(why));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--full")) return saveWhereThereIsNoRoom(arguments[2], arguments[3]);
    TestTrainedModels test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_trained_models.moc"
