// SPDX-License-Identifier: GPL-3.0-or-later
// headlight-cli train from outside: what a run prints, writes, and goes on with.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>
#include <QThread>
#include <cmath>

#include "core/io/model_file.h"
#include "tests/cli/command_line.h"

using namespace cli;

class TestCliTrain : public cli::Test {
    Q_OBJECT
private slots:
    void init() { makeFolder(); }

    void trainTellsItsStepsAndTwiceGivesTheSameFile() {
        QByteArray bytes;
        for (const char* threads : {"1", "2"}) {
            const Result result =
                run(QStringList{"train", "--task", "copy", "--steps", "20", "--report-every", "10", "--seed", "3",
                                "--json", "--threads", threads, "--out", "m.safetensors"} +
                    tinySizes);
            QCOMPARE(result.status, 0);
            const QList<QJsonObject> lines = jsonLines(result.out);
            QCOMPARE(lines.size(), 4);
            QCOMPARE(lines[0]["step"].toInt(), 10);
            for (const char* key : {"loss", "learning_rate", "tokens_per_second", "gradient_norm"})
                QVERIFY2(lines[0][key].toDouble() > 0, key);
            for (const char* key : {"validation_loss", "perplexity", "token_accuracy", "bleu"})
                QVERIFY2(lines[2].contains(key), key);
            QVERIFY(lines[3]["done"].toBool());
            QCOMPARE(lines[3]["steps"].toInt(), 20);
            if (!bytes.isEmpty()) QCOMPARE(read(path("m.safetensors")), bytes);
            bytes = read(path("m.safetensors"));
        }
    }

    void resumedRunEndsAsOneThatWasNotInterrupted() {
        const QStringList common =
            QStringList{"--task", "copy", "--schedule", "constant", "--learning-rate", "0.003"} + tinySizes;
        QCOMPARE(run(QStringList{"train", "--steps", "14", "--out", "whole.safetensors"} + common).status, 0);
        QCOMPARE(run(QStringList{"train", "--steps", "7", "--out", "half.safetensors", "--checkpoint", "c",
                                 "--checkpoint-every", "7"} +
                     common)
                     .status,
                 0);
        QCOMPARE(
            run(QStringList{"train", "--steps", "14", "--out", "resumed.safetensors", "--resume", "c"} + common).status,
            0);
        QVERIFY(read(path("half.safetensors")) != read(path("whole.safetensors")));
        QCOMPARE(read(path("resumed.safetensors")), read(path("whole.safetensors")));
    }

    void killedTenTimesAtRandomItResumesToTheSameBytes() {
        const QStringList training = QStringList{"train", "--task", "copy", "--steps", "600"} + tinySizes;
        QCOMPARE(run(training + QStringList{"--out", "whole.safetensors"}).status, 0);
        const QByteArray expected = read(path("whole.safetensors"));
        const QStringList saving{"--checkpoint",   "c", "--checkpoint-every", "5", "--out", "killed.safetensors",
                                 "--report-every", "5"};
        int resumed = 0;
        for (int trial = 0; trial < 10; ++trial) {
            QFile::remove(path("c"));
            QFile::remove(path("killed.safetensors"));
            QProcess process;
            process.setWorkingDirectory(path(""));
            process.start(QStringLiteral(HEADLIGHT_CLI), training + saving);
            // Behind a report of the first half; then whatever it is at, within the time of a few steps.
            const int reports = 1 + static_cast<int>(QRandomGenerator::global()->bounded(60));
            QByteArray told;
            while (told.count('\n') < reports && process.waitForReadyRead(headlight::fixture::kLongPatienceMs))
                told += process.readAllStandardOutput();
            QThread::usleep(QRandomGenerator::global()->bounded(3000));
            process.kill();  // SIGKILL
            process.waitForFinished(headlight::fixture::kLongPatienceMs);
            const bool hasCheckpoint = QFile::exists(path("c"));
            resumed += hasCheckpoint && process.exitStatus() == QProcess::CrashExit;
            const Result result =
                run(training + saving + (hasCheckpoint ? QStringList{"--resume", "c"} : QStringList()));
            QVERIFY2(result.status == 0, result.error.constData());
            QVERIFY(read(path("killed.safetensors")) == expected);
        }
        QVERIFY2(resumed >= 3, qPrintable(QString::number(resumed)));
    }

    void aTrainingThatBreaksDownKeepsItsLastGoodCheckpoint() {
        const QStringList common = QStringList{"train", "--task", "copy"} + tinySizes;
        const Result result = run(common + QStringList{"--steps", "200", "--optimizer", "sgd", "--schedule", "constant",
                                                       "--learning-rate", "1e7", "--clip-norm", "0", "--checkpoint",
                                                       "c", "--checkpoint-every", "1", "--out", "broken.safetensors"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.error.contains("no longer a number"), result.error.constData());
        QVERIFY2(result.error.contains("checkpoint") || result.error.contains("was not written"),
                 result.error.constData());
        QVERIFY(!QFile::exists(path("broken.safetensors")));
        QCOMPARE(run({"summary", "c"}).status, 0);  // every weight in it is a number, or it would be refused
    }

    void anyNumberOfThreadsGivesTheSameFile() {
        QByteArray first;
        for (const char* threads : {"1", "2", "3"}) {
            for (const QStringList& architecture :
                 {QStringList{"--arch", "transformer", "--task", "reverse"},
                  QStringList{"--arch", "rnn", "--task", "chat", "--attention", "general"}})
                QCOMPARE(run(QStringList{"train", "--steps", "12", "--threads", threads, "--out",
                                         architecture[1] + ".safetensors"} +
                             architecture)
                             .status,
                         0);
            const QByteArray bytes = read(path("transformer.safetensors")) + read(path("rnn.safetensors"));
            if (first.isEmpty()) first = bytes;
            QVERIFY(bytes == first);
        }
    }

    void aRunIsRepeatedFromTheFileOfItsSettings() {
        write(path("mine.yaml"),
              "# all that I want\ntask: copy\nsteps: 30\nd_model: 8\nnum-heads: 2\nd_ff: 16\n"
              "schedule: noam\nlowercase: true\nvalidate_every: 10\naverage: 2\n");
        const Result first =
            run({"train", "--config", "mine.yaml", "--seed", "5", "--steps", "20", "--out", "m.safetensors"});
        QVERIFY2(first.status == 0, first.error);
        QVERIFY2(first.error.contains("the mean of the weights at the last 2 validations"), first.error);
        const QByteArray settings = read(path("m.train.yaml"));
        for (const char* line :
             {"steps: 20", "seed: 5", "d_model: 8", "num_heads: 2", "schedule: noam", "lowercase: true"})
            QVERIFY2(settings.contains(line), settings);
        const Result again = run({"train", "--config=m.train.yaml", "--out", "again.safetensors"});
        QVERIFY2(again.status == 0, again.error);
        QCOMPARE(read(path("again.safetensors")), read(path("m.safetensors")));
        const QJsonObject story = jsonLines(run({"summary", "m.safetensors", "--json"}).out)[0]["training"].toObject();
        QCOMPARE(story["schedule"].toString(), QStringLiteral("noam"));
        QCOMPARE(story["label_smoothing"].toDouble(), 0.1);
    }

    void aModelGoesOnLearningOnOtherText() {
        const auto loss = [this](const QString& model) {
            return jsonLines(run({"evaluate", model, "--task", "vi-en", "--part", "unseen", "--json"}).out)[0]["loss"]
                .toDouble();
        };
        const Result result = run({"train", "--from", shippedModel, "--task", "vi-en", "--steps", "1",
                                   "--learning-rate", "1e-9", "--validate-every", "0", "--out", "on.safetensors"});
        QVERIFY2(result.status == 0, result.error);
        QVERIFY(std::abs(loss("on.safetensors") - loss(shippedModel)) < 1e-3);
        QVERIFY(!result.out.contains("validation"));
    }

    void languageModelLearnsAndGoesOn() {
        QByteArray text;
        for (int i = 0; i < 60; ++i)
            text += "the cat sees the <unk> bird\nthe dog hears the cat\n\n";
        write(path("text"), text);
        for (const QString& arch : {QStringLiteral("language-model"), QStringLiteral("rnn-language-model")}) {
            const QString model = arch + ".safetensors";
            QCOMPARE(run({"train", "--text-file", "text", "--arch", arch, "--steps", "120", "--learning-rate", "0.01",
                          "--max-length", "16", "--out", model})
                         .status,
                     0);
            const Result measured = run({"evaluate", model, "--text-file", "text", "--json"});
            const QJsonObject figures = QJsonDocument::fromJson(measured.out).object();
            QVERIFY(figures["perplexity"].toDouble() < 2);
            QVERIFY(figures["bleu"].isNull() && figures["sequence_accuracy"].isNull());
            const QStringList ask{"generate", model, "--prompt", "the dog", "--seed", "3"};
            QCOMPARE(run(ask + QStringList{"--temperature", "0"}).out, QByteArray("the dog hears the cat\n"));
            QCOMPARE(run(ask).out, run(ask).out);
            for (const QStringList& wrong : {QStringList{"--temperature", "-1"}, QStringList{"--top-p", "0"},
                                             QStringList{"--prompt", "the zzyzx"}}) {
                const Result refused = run(QStringList{"generate", model, "--prompt", "the"} + wrong);
                QVERIFY(refused.status != 0);
                QCOMPARE(refused.error.count('\n'), 1);
            }
            QVERIFY(run({"translate", model, "the cat"}).status == 1);
        }
    }

    /// A sentence has several right translations: the model writes one of them.
    void eachSourceIsHeldAgainstAllOfItsTranslations() {
        write(path("several.tsv"),
              "she lives here\telle vit ici maintenant\nshe lives here\ton habite là toujours\n"
              "he sleeps there\til dort par là\nhe sleeps there\tce garçon sommeille là\n"
              "we eat bread\tnous mangeons du pain\n");
        const QString credit = QStringLiteral("written for this test, CC0");
        QCOMPARE(run({"train",
                      "--pairs",
                      "several.tsv",
                      "--validation-pairs",
                      "several.tsv",
                      "--arch",
                      "transformer",
                      "--d-model",
                      "32",
                      "--num-heads",
                      "2",
                      "--steps",
                      "200",
                      "--label-smoothing",
                      "0",
                      "--title",
                      "English to French",
                      "--credit",
                      credit,
                      "--example",
                      "he sleeps there",
                      "--out",
                      "several.safetensors"})
                     .status,
                 0);
        const Result measured = run({"evaluate", "several.safetensors", "--pairs", "several.tsv", "--json"});
        const QJsonObject figures = QJsonDocument::fromJson(measured.out).object();
        const QJsonObject all = figures["all_references"].toObject();
        QCOMPARE(all["sources"].toInt(), 3);
        QCOMPARE(all["exact"].toDouble(), 1.0);
        QVERIFY(std::abs(all["bleu"].toDouble() - 100) < 1e-6);
        QVERIFY(figures["bleu"].toDouble() < 90);
        QCOMPARE(figures["sequence_accuracy"].toDouble(), 0.6);
        const QByteArray summary = run({"summary", "several.safetensors"}).out;
        for (const QString& told : {credit, QStringLiteral("English to French"), QStringLiteral("he sleeps there")})
            QVERIFY2(summary.contains(told.toUtf8()), qPrintable(told));
        QVERIFY(read(path("several.train.yaml")).contains(credit.toUtf8()));
        write(path("once.tsv"), "we eat bread\tnous mangeons du pain\n");
        const Result once = run({"evaluate", "several.safetensors", "--pairs", "once.tsv", "--json"});
        QVERIFY(!once.out.contains("all_references"));
    }

    void classifierNamesLabels() {
        QByteArray pairs;
        for (const char* who : {"steve", "anna", "the king", "the queen", "my uncle", "our teacher"})
            for (const char* how : {"kind", "clever", "funny", "rude", "dull", "mean"}) {
                const bool good = strcmp(how, "kind") == 0 || strcmp(how, "clever") == 0 || strcmp(how, "funny") == 0;
                pairs += QByteArray(who) + " is " + how + "\t" + (good ? "positive" : "negative") + "\n";
                pairs += QByteArray(who) + " is not " + how + "\t" + (good ? "negative" : "positive") + "\n";
            }
        write(path("labels.tsv"), pairs);
        QCOMPARE(run({"train", "--pairs", "labels.tsv", "--validation-pairs", "labels.tsv", "--arch",
                      "encoder-classifier", "--steps", "300", "--batch-size", "16", "--out", "c.safetensors"})
                     .status,
                 0);
        const Result measured = run({"evaluate", "c.safetensors", "--pairs", "labels.tsv", "--json"});
        const QJsonObject figures = QJsonDocument::fromJson(measured.out).object();
        QCOMPARE(figures["sequence_accuracy"].toDouble(), 1.0);
        QVERIFY(figures["bleu"].isNull());
        QCOMPARE(run({"trace", "c.safetensors", "--source", "steve is not rude", "--out", "t.safetensors"}).status, 0);

        QCOMPARE(run({"translate", "c.safetensors", "steve is not rude", "anna is mean"}).out,
                 QByteArray("positive\nnegative\n"));
        QCOMPARE(run({"translate", "c.safetensors"}, "the king is kind\n\nour teacher is not clever\n").out,
                 QByteArray("positive\n\nnegative\n"));
        const QJsonObject told =
            jsonLines(run({"translate", "c.safetensors", "steve is rude", "--n-best", "2", "--json"}).out)[0];
        const QJsonArray labels = told["hypotheses"].toArray();
        QCOMPARE(labels.size(), 2);
        QCOMPARE(labels[0]["text"].toString(), QString("negative"));
        QCOMPARE(labels[1]["text"].toString(), QString("positive"));
        const double sum = std::exp(labels[0]["log_prob"].toDouble()) + std::exp(labels[1]["log_prob"].toDouble());
        QVERIFY(std::abs(sum - 1) < 1e-6);
        QVERIFY(run({"translate", "c.safetensors", "steve is zzyzx"}).error.contains("does not know"));
        QCOMPARE(run({"translate", "c.safetensors", "steve is rude", "--tree", "tree.json"}).status, 1);
    }

    void weightsAreSavedAsHalvesAndJudgedAsTheyAreSaved() {
        const QStringList common = QStringList{"train", "--task", "copy", "--steps", "20", "--json"} + tinySizes;
        QCOMPARE(run(common + QStringList{"--out", "wide.safetensors"}).status, 0);
        const Result halved = run(common + QStringList{"--dtype", "f16", "--out", "half.safetensors"});
        QVERIFY2(halved.status == 0, halved.error);
        QVERIFY(read(path("half.safetensors")).size() < read(path("wide.safetensors")).size());
        const auto summary = [&](const QString& file) {
            return jsonLines(run({"summary", file, "--json"}).out).value(0);
        };
        QCOMPARE(summary("half.safetensors")["dtype"].toString(), QString("F16"));
        QCOMPARE(summary("wide.safetensors")["dtype"].toString(), QString("F32"));
        QVERIFY(run({"summary", "half.safetensors"}).out.contains("F16"));
        // Its settings are of such a file too.
        QVERIFY(read(path("half.train.yaml")).contains("dtype: f16"));
        QCOMPARE(run({"train", "--config", "half.train.yaml", "--out", "again.safetensors"}).status, 0);
        QCOMPARE(read(path("again.safetensors")), read(path("half.safetensors")));
        const QJsonObject judged =
            jsonLines(run({"evaluate", "half.safetensors", "--task", "copy", "--part", "validation", "--json"}).out)
                .value(0);
        QVERIFY(std::abs(summary("half.safetensors")["training"].toObject()["validation_loss"].toDouble() -
                         judged["loss"].toDouble()) < 1e-6);
        // One that is there already is written again.
        QCOMPARE(run({"import", "wide.safetensors", "--dtype", "f16", "--out", "later.safetensors"}).status, 0);
        const auto weights = [this](const QString& file) {
            const auto opened = headlight::safetensors::File::read(path(file).toStdString());
            std::map<std::string, std::vector<float>> all;
            for (const auto& [name, entry] : opened.entries())
                all[name] = opened.floats(name);
            return all;
        };
        QVERIFY(weights("later.safetensors") == weights("half.safetensors"));
        QCOMPARE(run({"import", "later.safetensors", "--out", "widened.safetensors"}).status, 0);
        QCOMPARE(summary("widened.safetensors")["dtype"].toString(), QString("F32"));
        QVERIFY(weights("widened.safetensors") == weights("half.safetensors"));
        QCOMPARE(
            run({"export", "later.safetensors", "--format", "pytorch", "--dtype", "f16", "--out", "folder"}).status, 0);
        QVERIFY(weights("folder/model.safetensors") == weights("half.safetensors"));
        QCOMPARE(summary("folder")["dtype"].toString(), QString("F16"));
        QCOMPARE(run({"import", "wide.safetensors", "--dtype", "f64", "--out", "no.safetensors"}).status, 2);
    }

    void whatARunHasLearnedIsKeptWhereHalvesCannotHoldIt() {
        const QStringList common = QStringList{"train", "--task", "copy", "--steps", "2"} + tinySizes;
        QCOMPARE(run(common + QStringList{"--out", "m.safetensors"}).status, 0);
        headlight::TrainedModel model = headlight::loadModel(path("m.safetensors").toStdString());
        model.network->parameters().flat()[0] = 70000;  // of <pad>, which nothing reads
        headlight::saveModel(model, path("large.safetensors").toStdString());
        const Result told = run({"train", "--task", "copy", "--steps", "1", "--from", "large.safetensors", "--dtype",
                                 "f16", "--out", "on.safetensors"});
        QCOMPARE(told.status, 1);
        QVERIFY2(told.error.contains("was written as F32") && told.error.contains("70000"), told.error);
        QCOMPARE(jsonLines(run({"summary", "on.safetensors", "--json"}).out).value(0)["dtype"].toString(),
                 QString("F32"));
        const Result refused = run({"import", "large.safetensors", "--dtype", "f16", "--out", "none.safetensors"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.error.contains("65504"), refused.error);
        QVERIFY(!QFile::exists(path("none.safetensors")));
    }

    void variantsAreTrainedAndComparedByLength() {
        const QStringList choices = QStringList{"--task", "copy", "--steps", "40"} + tinySizes;
        const Result result =
            run(QStringList{"experiment", "variants", "--vary", "residuals=true,false", "--vary", "norm_order=pre,post",
                            "--lengths", "4,6,8", "--out-folder", ".", "--json"} +
                choices);
        QVERIFY2(result.status == 0, result.error.constData());
        const QList<QJsonObject> lines = jsonLines(result.out);
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[1]["variant"].toObject()["norm-order"].toString(), QStringLiteral("post"));
        QCOMPARE(lines[2]["variant"].toObject()["residuals"].toString(), QStringLiteral("false"));
        double sentences = 0;
        for (const QJsonValue& bin : lines[0]["by_length"].toArray())
            sentences += bin.toObject()["sentences"].toDouble();
        QCOMPARE(sentences, lines[0]["sentences"].toDouble());
        // The same as training it by itself.
        QCOMPARE(run(QStringList{"train", "--residuals", "false", "--norm-order", "pre", "--out", "alone.safetensors"} +
                     choices)
                     .status,
                 0);
        const auto weights = [this](const QString& file) {
            const QByteArray bytes = read(path(file));
            return bytes.mid(bytes.indexOf("}}") + 2).right(4096);
        };
        QCOMPARE(weights("residuals=false_norm-order=pre.safetensors"), weights("alone.safetensors"));
    }
};

QTEST_GUILESS_MAIN(TestCliTrain)
#include "test_train.moc"
