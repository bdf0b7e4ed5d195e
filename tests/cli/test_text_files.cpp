// SPDX-License-Identifier: GPL-3.0-or-later
// Text files of one's own, as headlight-cli reads them.
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include "core/io/safetensors.h"
#include "tests/cli/command_line.h"

using namespace cli;

class TestCliTextFiles : public cli::Test {
    Q_OBJECT
private slots:
    void init() { makeFolder(); }

    void runningTextIsReadAsOneStreamAndSoEverAfter() {
        QByteArray wrapped;
        for (int i = 0; i < 40; ++i)
            wrapped += "the small cat sat on\nthe old red mat near\nthe tall oak tree we\nlike\n\n";
        write(path("t.txt"), wrapped);
        const QStringList sizes{"--arch",       "language-model",
                                "--d-model",    "16",
                                "--num-heads",  "2",
                                "--d-ff",       "32",
                                "--steps",      "30",
                                "--batch-size", "8",
                                "--num-layers", "1",
                                "--text-file",  "t.txt"};
        const Result trained = run(QStringList{"train", "--out", "m.safetensors", "--running-text"} + sizes);
        QVERIFY2(trained.status == 0, trained.error);
        QVERIFY2(trained.error.contains("read as breaks") || trained.error.contains("read as paragraphs"),
                 trained.error);
        QCOMPARE(run(QStringList{"train", "--out", "m.safetensors", "--running-text", "paragraphs"} + sizes).status, 0);
        const QJsonObject story = jsonLines(run({"summary", "m.safetensors", "--json"}).out)[0]["training"].toObject();
        QCOMPARE(story["data"].toObject()["running_text"].toString(), QString("paragraphs"));
        QVERIFY(read(path("m.train.yaml")).contains("running_text: paragraphs"));
        QCOMPARE(run({"train", "--config", "m.train.yaml", "--out", "again.safetensors"}).status, 0);
        QCOMPARE(read(path("again.safetensors")), read(path("m.safetensors")));
        // 40 times fifteen words and a break, of which the first is not predicted and the last ends nothing.
        const auto evaluated = [&](const QStringList& more) {
            return jsonLines(run(QStringList{"evaluate", "m.safetensors", "--text-file", "t.txt", "--json"} + more).out)
                .value(0);
        };
        QCOMPARE(evaluated({})["tokens"].toInt(), 40 * 17 - 2);
        QCOMPARE(evaluated({"--running-text", "paragraphs"})["loss"], evaluated({})["loss"]);
        QVERIFY(evaluated({"--running-text", "lines"})["loss"] != evaluated({})["loss"]);
        const Result went = run({"generate", "m.safetensors", "--prompt", "the tall oak tree we like", "--temperature",
                                 "0", "--max-length", "40", "--json"});
        QVERIFY2(went.status == 0, went.error);
        QVERIFY(!jsonLines(went.out)[0]["finished"].toBool());
        QCOMPARE(run({"generate", "m.safetensors", "--prompt", "the cat\nthe mat"}).status, 0);
        // Asked for a sentence a line, what looks otherwise is told of.
        const Result lines = run(QStringList{"train", "--out", "l.safetensors"} + sizes);
        QVERIFY2(lines.status == 0 && lines.error.contains("--running-text"), lines.error);
        QCOMPARE(run({"train", "--task", "copy", "--running-text", "breaks", "--steps", "1", "--out", "n"}).status, 1);
        QCOMPARE(run(QStringList{"train", "--out", "n", "--running-text", "stanzas"} + sizes).status, 2);
    }

    /// A translator takes labels for words; that there is a better way is said where it is not gone.
    void labelsAreToldOf() {
        QByteArray rows = "label,message,,\n";
        for (int i = 0; i < 60; ++i)
            rows += (i % 3 ? "ham,see you at " : "spam,win all of ") + QByteArray::number(i) + ",,\n";
        write(path("messages.csv"), rows);
        const auto train = [&](const char* architecture) {
            QStringList sizes = tinySizes;
            if (architecture == QLatin1String("encoder-classifier")) sizes = {"--d-model", "16", "--num-heads", "2"};
            return run(QStringList{"train", "--pairs", "messages.csv", "--arch", architecture, "--steps", "2", "--out",
                                   "m.safetensors"} +
                       sizes);
        };
        const Result translator = train("transformer"), classifier = train("encoder-classifier");
        QVERIFY2(translator.status == 0 && classifier.status == 0, translator.error + classifier.error);
        QVERIFY2(translator.error.contains("--arch encoder-classifier"), translator.error);
        QVERIFY2(!classifier.error.contains("--arch encoder-classifier"), classifier.error);
    }

    /// What is not recognised can be said, and is kept; what the file denies is told in a line.
    void theKindOfAFileMayBeSaid() {
        QByteArray rows, objects;
        for (int i = 0; i < 40; ++i) {
            rows += "the small cat " + QByteArray::number(i % 7) + ",die kleine Katze\n";
            objects += (i ? ",{\"en\":\"the cat " : "{\"en\":\"the cat ") + QByteArray::number(i % 7) +
                       "\",\"de\":\"die Katze\"}";
        }
        write(path("plain.txt"), rows);
        write(path("sets.json"), "{\"info\": [{\"a\": \"b\"}], \"data\": [" + objects + "], \"more\": 1}");
        const auto train = [&](const QStringList& more) {
            return run(QStringList{"train", "--arch", "transformer", "--steps", "5", "--out", "m.safetensors"} +
                       tinySizes + more);
        };
        const Result said = train({"--pairs", "plain.txt", "--kind", "csv"});
        QVERIFY2(said.status == 0, said.error);
        QVERIFY2(said.error.contains("read as comma-separated values"), said.error);
        QVERIFY(read(path("m.train.yaml")).contains("kind: csv"));
        const QJsonObject story = jsonLines(run({"summary", "m.safetensors", "--json"}).out)[0]["training"].toObject();
        QCOMPARE(story["data"].toObject()["kind"].toString(), QString("csv"));
        QCOMPARE(run({"train", "--config", "m.train.yaml", "--out", "again.safetensors"}).status, 0);
        QCOMPARE(read(path("again.safetensors")), read(path("m.safetensors")));
        const Result list = train({"--pairs", "sets.json"});
        QVERIFY2(list.status == 0, list.error);
        QVERIFY2(list.error.contains("read as the JSON list \"data\" (and not info, which --list would name)"),
                 list.error);
        const auto isRefused = [&](const QStringList& more, const char* why) {
            const Result refused = train(more);
            QCOMPARE(refused.status, 1);
            // How it was to be read may be noted on the lines before.
            QVERIFY2(refused.error.trimmed().split('\n').last().contains(why), refused.error);
        };
        isRefused({"--pairs", "plain.txt", "--kind", "tabs"}, "has no tab between cells");
        isRefused({"--pairs", "plain.txt", "--kind", "json-lines"}, "line 1 is no JSON object");
        isRefused({"--pairs", "plain.txt", "--kind", "lines"}, "give it as a text (--text-file)");
        isRefused({"--pairs", "sets.json", "--list", "dev"}, "without a list of objects called \"dev\"");
        isRefused({"--task", "copy", "--kind", "csv"}, "--kind and --list are said of --pairs or --text-file");
        QCOMPARE(train({"--pairs", "plain.txt", "--kind", "xml"}).status, 2);
    }

    /// Other forms of sentences are told by name, with what to do.
    void whatIsNoTextIsToldByItsName() {
        const std::pair<const char*, QByteArray> files[] = {
            {"a.xlsx", QByteArray("PK\x03\x04\x14\0", 6)},
            {"a.tsv.bz2", "BZh91AY&SY"},
            {"a.tsv.xz", QByteArray("\xfd\x37zXZ\0", 6)},
            {"a.parquet", QByteArray("PAR1\x15\0", 6)},
            {"a.srt", "1\n00:00:01,000 --> 00:00:02,500\nHello.\n"},
            {"a.tmx", "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\">\n"}};
        for (const auto& [name, bytes] : files) {
            write(path(QLatin1String(name)), bytes);
            for (const QStringList& how :
                 {QStringList{"--pairs", QLatin1String(name)},
                  {"--source-file", QLatin1String(name), "--target-file", QLatin1String(name)}}) {
                const Result told = run(QStringList{"train", "--steps", "1", "--out", "n"} + how);
                QCOMPARE(told.status, 1);
                QVERIFY2(told.error.contains("; ") && told.error.contains(name) &&
                             told.error.trimmed().count('\n') == 0 && !told.error.contains("NUL"),
                         told.error);
            }
        }
    }

    void pairsWithThreeColumnsAndWindowsLineEndsTrain() {
        QByteArray pairs("\xEF\xBB\xBF");
        for (int i = 0; i < 60; ++i)
            pairs += "mot " + QByteArray::number(i) + "\tword " + QByteArray::number(i) + "\tCC-BY somebody\r\n";
        write(path("pairs.tsv"), pairs);
        const Result result =
            run(QStringList{"train", "--pairs", "pairs.tsv", "--steps", "3", "--out", "m.safetensors"} + tinySizes);
        QVERIFY2(result.status == 0, result.error);
        const QJsonObject summary = jsonLines(run({"summary", "m.safetensors", "--json"}).out).value(0);
        QCOMPARE(summary["training"].toObject()["data"].toObject()["pairs"].toString(), QStringLiteral("pairs.tsv"));
        QVERIFY(!read(path("m.safetensors")).contains("CC-BY"));
    }

    void textThatIsCutAlreadyComesBackAsItWas() {
        QByteArray source, target;
        for (int i = 0; i < 40; ++i) {
            source += "l' homme mar@@ che , vite .\ndon't stop@@ ping\n";
            target += "the man walk@@ s , fast .\nne t' arr\xc3\xaa@@ te pas\n";
        }
        write(path("s"), source);
        write(path("t"), target);
        const Result trained = run(QStringList{"train", "--source-file", "s", "--target-file", "t", "--tokenizer",
                                               "whitespace", "--steps", "150", "--out", "m.safetensors"} +
                                   tinySizes);
        QVERIFY2(trained.status == 0, trained.error);
        const Result result = run({"translate", "m.safetensors"}, "l' homme mar@@ che , vite .\n");
        QCOMPARE(result.out, QByteArray("the man walk@@ s , fast .\n"));
        QCOMPARE(
            jsonLines(
                run({"evaluate", "m.safetensors", "--source-file", "s", "--target-file", "t", "--json"}).out)[0]["bleu"]
                .toDouble(),
            100.0);
    }

    void textWithEntitiesOutsideCodesAndVectorsTrainsGzippedOrNot() {
        QByteArray source, target;
        for (int i = 0; i < 40; ++i) {
            source += "l &apos; homme marche " + QByteArray::number(i % 10) + "\n";
            target += "the man walks " + QByteArray::number(i % 10) + "\n";
        }
        write(path("s"), source);
        write(path("t"), target);
        write(path("codes"), "#version: 0.2\nm a\nc h\n");
        QByteArray vectors("2 16\n");
        for (const char* word : {"man", "woman"})
            vectors += QByteArray(word) + QByteArray(" 0.5").repeated(16) + "\n";
        write(path("vectors"), vectors);
        for (const char* name : {"s", "t", "codes", "vectors"})
            QCOMPARE(QProcess::execute(QStringLiteral("gzip"), {"-k", path(name)}), 0);
        const auto train = [&](const QString& ending, const QString& out) {
            return run(QStringList{"train",
                                   "--source-file",
                                   "s" + ending,
                                   "--target-file",
                                   "t" + ending,
                                   "--undo-entities",
                                   "--validation-source-file",
                                   "s" + ending,
                                   "--validation-target-file",
                                   "t" + ending,
                                   "--tokenizer",
                                   "whitespace",
                                   "--source-codes",
                                   "codes" + ending,
                                   "--target-embeddings",
                                   "vectors" + ending,
                                   "--tokens-per-batch",
                                   "128",
                                   "--min-count",
                                   "2",
                                   "--steps",
                                   "60",
                                   "--d-model",
                                   "16",
                                   "--num-heads",
                                   "2",
                                   "--num-encoder-layers",
                                   "1",
                                   "--num-decoder-layers",
                                   "1",
                                   "--d-ff",
                                   "32",
                                   "--out",
                                   out});
        };
        const Result plain = train("", "plain.safetensors"), packed = train(".gz", "packed.safetensors");
        QVERIFY2(plain.status == 0, plain.error);
        QVERIFY2(packed.status == 0, packed.error);
        // Of the sentences that are learned from, and of those that are looked at.
        QVERIFY2(plain.error.contains("80 entities were undone"), plain.error);
        QVERIFY2(plain.error.contains("1 of 13 target words start with a vector of vectors"), plain.error);
        const auto weights = [&](const QString& name) {
            const auto file = headlight::safetensors::File::read(path(name).toStdString());
            return file.metadata().at("headlight.tokenizer.source");
        };
        QCOMPARE(weights("plain.safetensors"), weights("packed.safetensors"));
        QCOMPARE(run({"translate", "plain.safetensors", "l ' homme marche 3"}).out,
                 run({"translate", "packed.safetensors", "l ' homme marche 3"}).out);
        QVERIFY(QString::fromStdString(weights("plain.safetensors")).contains("\"'\""));
        const QByteArray settings = read(path("plain.train.yaml"));
        QVERIFY2(settings.contains("tokens_per_batch: 128") && settings.contains("undo_entities"), settings);
        const Result translated = run({"translate", "packed.safetensors", "--source-file", "s.gz", "--allow-unknown"});
        QCOMPARE(translated.out.count('\n'), 40);
    }

    void attentionIsHeldAgainstAlignmentsOfOnesOwn() {
        write(path("s"), "tôi yêu bạn\n\nbạn yêu tôi\n");
        write(path("t"), "i love you\n\nyou love me\n");
        write(path("gold"), "0-0 1-1 2-2\n\n0-0 1-1 2-2\n");
        const Result measured = run({"experiment", "alignment", shippedModel, "--source-file", "s", "--target-file",
                                     "t", "--alignments", "gold", "--json"});
        QVERIFY2(measured.status == 0, measured.error);
        for (const QJsonObject& line : jsonLines(measured.out)) {
            QCOMPARE(line["gold"].toInt(), 6);
            QCOMPARE(line["proposed"].toInt(), 6);
        }
        const Result without =
            run({"experiment", "alignment", shippedModel, "--source-file", "s", "--target-file", "t"});
        QVERIFY2(without.error.contains("--alignments"), without.error);
    }
};

QTEST_GUILESS_MAIN(TestCliTextFiles)
#include "test_text_files.moc"
