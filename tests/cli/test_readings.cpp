// SPDX-License-Identifier: GPL-3.0-or-later
// What headlight-cli prints of a model and of a sentence that it reads.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>

#include "core/io/safetensors.h"
#include "tests/cli/command_line.h"

using namespace cli;

class TestCliReadings : public cli::Test {
    Q_OBJECT
private slots:
    void init() { makeFolder(); }

    void helpAndVersion() {
        QCOMPARE(run({"--version"}).out, QByteArray("headlight-cli " HEADLIGHT_VERSION "\n"));
        for (const QStringList& arguments : {QStringList{"--help"}, {"train", "--help"}, {"translate", "--help"}}) {
            const Result result = run(arguments);
            QCOMPARE(result.status, 0);
            QVERIFY(result.out.contains("--help"));
        }
    }

    void translatesTheDecksSentenceInAnyNormalForm() {
        const QString sentence = QStringLiteral("tôi đang học tiếng anh");
        for (const auto form : {QString::NormalizationForm_C, QString::NormalizationForm_D}) {
            const Result result = run({"translate", shippedModel, sentence.normalized(form)});
            QCOMPARE(result.out, QByteArray("i am learning english\n"));
        }
    }

    void translatesLinesOfStandardInput() {
        const Result result = run({"translate", shippedModel, "-", "--json"}, "tôi yêu bạn\r\ntôi zzyzx bạn\n");
        QCOMPARE(result.status, 0);
        const QList<QJsonObject> lines = jsonLines(result.out);
        QCOMPARE(lines.size(), 2);
        const QJsonObject best = lines[0]["hypotheses"].toArray()[0].toObject();
        QCOMPARE(best["text"].toString(), QStringLiteral("i love you"));
        QVERIFY(best["finished"].toBool());
        QVERIFY(best["log_prob"].toDouble() < 0);
        QCOMPARE(lines[1]["tokens"].toArray()[1].toString(), QStringLiteral("<unk>"));
        QVERIFY(result.error.contains("note"));
    }

    void aLineThatCannotBeReadLeavesTheOthersInTheirPlaces() {
        QByteArray text = QByteArray("tôi yêu bạn\n\nt\xff\xfei\n") + QByteArray("tôi ").repeated(300) + "\n";
        for (int i = 0; i < 3000; ++i)  // more than are translated together
            text += "tôi đang học tiếng anh\n";
        const Result plain = run({"translate", shippedModel}, text);
        QCOMPARE(plain.status, 0);
        QCOMPARE(plain.out, QByteArray("i love you\n\n\n\n") + QByteArray("i am learning english\n").repeated(3000));
        for (const char* told :
             {"line 3 of standard input", "line 4 of standard input: it has 300 tokens", "2 of 3,004"})
            QVERIFY2(plain.error.contains(told), plain.error);

        QFile file(path("lines.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const QList<QJsonObject> lines =
            jsonLines(run({"translate", shippedModel, "--source-file", "lines.txt", "--json"}).out);
        QCOMPARE(lines.size(), 3004);
        QVERIFY(!lines[1].contains("error") && lines[1]["hypotheses"].toArray().isEmpty());
        QVERIFY(lines[3]["error"].toString().startsWith("line 4 of lines.txt"));
        QCOMPARE(lines[3003]["hypotheses"].toArray().at(0).toObject()["text"].toString(),
                 QStringLiteral("i am learning english"));
    }

    void evaluationSaysWhatItsBleuIsMadeOf() {
        const auto evaluate = [this](const QStringList& more) {
            return jsonLines(
                       run(QStringList{"evaluate", shippedModel, "--task", "vi-en", "--part", "unseen", "--json"} +
                           more)
                           .out)
                .value(0);
        };
        const QJsonObject found = evaluate({});
        double product = found["brevity_penalty"].toDouble();
        for (const QJsonValue& precision : found["precisions"].toArray())
            product *= std::pow(precision.toDouble(), 0.25);
        QVERIFY(std::abs(product - found["bleu"].toDouble()) < 1e-9);
        const double written = found["hypothesis_length"].toDouble(), wanted = found["reference_length"].toDouble();
        QVERIFY(std::abs(found["brevity_penalty"].toDouble() - std::min(1.0, std::exp(1 - wanted / written))) < 1e-9);
        // Without a penalty a beam of many prefers what is short.
        const auto length = [&](const char* penalty) {
            return evaluate({"--beam", "8", "--length-penalty", penalty})["hypothesis_length"].toDouble();
        };
        QVERIFY(length("none") < length("power:2"));
    }

    void shippedModelIsAsGoodAsTheReadmeSays() {
        QVERIFY(QFileInfo(shippedModel).size() <= 3 * 1024 * 1024);
        const auto bleu = [this](const char* part) {
            return jsonLines(run({"evaluate", shippedModel, "--task", "vi-en", "--part", part, "--json"}).out)
                .value(0)["bleu"]
                .toDouble();
        };
        QVERIFY(bleu("test") >= 90);
        QVERIFY(bleu("unseen") >= 60);
    }

    void summaryCountsEveryParameter() {
        const QJsonObject summary = jsonLines(run({"summary", shippedModel, "--json"}).out).value(0);
        double total = 0;
        for (const QJsonValue& tensor : summary["tensors"].toArray())
            total += tensor.toObject()["parameters"].toDouble();
        QVERIFY(total > 0);
        QCOMPARE(summary["parameters"].toDouble(), total);
        QCOMPARE(summary["config"].toObject()["architecture"].toString(), QStringLiteral("transformer"));
    }

    void traceHoldsTheNamesOfTheContract() {
        QCOMPARE(run({"trace", shippedModel, "--source", "tôi yêu bạn", "--out", "t.safetensors"}).status, 0);
        const auto file = headlight::safetensors::File::read(path("t.safetensors").toStdString());
        for (const char* name :
             {"source.ids", "target.ids", "encoder.input", "encoder.layers.1.ffn.hidden", "encoder.output",
              "decoder.layers.0.self_attn.mask", "decoder.layers.1.cross_attn.weights", "decoder.layers.1.norm3",
              "decoder.output", "logits", "log_probs"})
            QVERIFY2(file.contains(name), name);
        const std::vector<int64_t> expected{8, 4, 3};  // heads, <bos> i love you, tôi yêu bạn
        QCOMPARE(file.entry("decoder.layers.1.cross_attn.weights").shape, expected);
    }

    void anotherProgramsModelIsTracedOnExactlyTheseIds_data() {
        QTest::addColumn<QString>("model");
        for (const QFileInfo& folder : QDir(foreignModels).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (QFile::exists(folder.filePath() + ".expected.safetensors"))
                QTest::newRow(qPrintable(folder.fileName())) << folder.fileName();
    }
    void anotherProgramsModelIsTracedOnExactlyTheseIds() {
        QFETCH(QString, model);
        const auto expected =
            headlight::safetensors::File::read((foreignModels + model + ".expected.safetensors").toStdString());
        const auto ids = [&](const char* name, qsizetype from) {
            QStringList words;
            for (const int64_t id : expected.integers(name))
                words += QString::number(id);
            return words.mid(from).join(' ');
        };
        const bool pair = expected.contains("source.ids");
        QStringList asked{"--source", ids(pair ? "source.ids" : "ids", 0)};
        if (pair) asked += {"--target", ids("target.ids", 1)};  // behind what the decoder reads by itself
        QCOMPARE(run({"import", foreignModels + model, "--out", "imported"}).status, 0);
        for (const auto& [from, out] : {std::pair<QString, QString>("imported", "a"), {foreignModels + model, "b"}}) {
            const Result result = run(QStringList{"trace", from, "--out", out} + asked);
            QVERIFY2(result.status == 0, result.error);
        }
        QVERIFY(!read(path("a")).isEmpty());
        QCOMPARE(read(path("a")), read(path("b")));
        const auto found = headlight::safetensors::File::read(path("a").toStdString());
        int compared = 0;
        for (const auto& [name, entry] : expected.entries()) {
            if (name.starts_with("beam.") || name == "continuation") continue;
            QCOMPARE(found.entry(name).shape, entry.shape);
            ++compared;
            if (name.ends_with("ids")) {
                QCOMPARE(found.integers(name), expected.integers(name));
                continue;
            }
            const std::vector<float> ours = found.floats(name), theirs = expected.floats(name);
            for (size_t i = 0; i < ours.size(); ++i)
                QVERIFY2(std::abs(ours[i] - theirs[i]) < 1e-4f, name.c_str());
        }
        QVERIFY(compared >= 4);
    }

    void whatItsOwnProgramsSearchKeepsToBesidesIsNoted() {
        QDir(folder()).mkdir("asks");
        for (const char* file : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(foreignModels + "bart/" + file, path(QString("asks/") + file)));
        QCOMPARE(run({"import", "asks", "--out", "m.safetensors"}).error, QByteArray());
        write(path("asks/generation_config.json"), R"({"min_length": 56, "no_repeat_ngram_size": 3})");
        const Result told = run({"import", "asks", "--out", "m.safetensors"});
        QCOMPARE(told.status, 0);
        QVERIFY2(told.error.startsWith("headlight-cli: note: ") &&
                     told.error.contains("no_repeat_ngram_size 3, min_length 56, which is left out here"),
                 told.error);
    }

    void beamSearchWritesItsTree() {
        const Result result = run({"translate", shippedModel, "tôi đang học tiếng anh", "--beam", "3", "--n-best", "2",
                                   "--length-penalty", "gnmt:0.6", "--tree", "tree.json", "--json"});
        QCOMPARE(result.status, 0);
        const QJsonArray hypotheses = QJsonDocument::fromJson(result.out).object()["hypotheses"].toArray();
        QCOMPARE(hypotheses.size(), 2);
        QCOMPARE(hypotheses[0].toObject()["text"].toString(), QStringLiteral("i am learning english"));
        const QJsonObject tree = QJsonDocument::fromJson(read(path("tree.json"))).object();
        QCOMPARE(tree["beam"].toInt(), 3);
        QCOMPARE(tree["length_penalty"].toString(), QStringLiteral("gnmt:0.6"));
        const QJsonArray nodes = tree["nodes"].toArray();
        QCOMPARE(nodes.size(), 6 * tree["steps"].toInt());
        QSet<QString> states;
        for (const QJsonValue& value : nodes) {
            const QJsonObject node = value.toObject();
            states.insert(node["state"].toString());
            const double before =
                node["parent"].isNull() ? 0 : nodes[node["parent"].toInt()].toObject()["cumulative"].toDouble();
            QVERIFY(std::abs(before + node["log_prob"].toDouble() - node["cumulative"].toDouble()) < 1e-9);
        }
        QCOMPARE(states, (QSet<QString>{"kept", "pruned", "finished"}));
    }

    void headsAreMutedOneByOneAndInSets() {
        const QStringList corpus{"--task", "vi-en", "--json"};
        const Result heads = run(QStringList{"experiment", "heads", shippedModel, "--sentences", "20"} + corpus);
        QCOMPARE(heads.status, 0);
        const QList<QJsonObject> lines = jsonLines(heads.out);
        QCOMPARE(lines.size(), 1 + 6 * 8);
        QVERIFY(lines[0]["block"].isNull());
        for (const QJsonObject& line : lines.mid(1))
            QCOMPARE(line["loss_rise"].toDouble(), line["loss"].toDouble() - lines[0]["loss"].toDouble());
        QStringList allOfTheLast{"evaluate", shippedModel, "--mute"};
        for (int head = 0; head < 8; ++head)
            allOfTheLast << QStringLiteral("decoder.layers.1.cross_attn.%1").arg(head);
        const auto bleu = [&](const QStringList& command) {
            return jsonLines(run(command + corpus).out)[0]["bleu"].toDouble();
        };
        QVERIFY(bleu(allOfTheLast) < bleu({"evaluate", shippedModel}) - 10);
    }

    void theLensTellsEveryDepthOfEveryPosition() {
        const QStringList command{"experiment", "lens", shippedModel, "--source", "tôi đang học tiếng anh", "--json"};
        const Result result = run(command);
        QVERIFY2(result.status == 0, result.error.constData());
        const QList<QJsonObject> lines = jsonLines(result.out);
        QCOMPARE(lines.size(), 7 * 5);
        QCOMPARE(lines[0]["after"].toString(), QStringLiteral("embedding"));
        QVERIFY(lines[0]["layer"].isNull() && !lines[0].contains("source"));
        const QJsonObject crossing = lines[2 * 5 + 1], last = lines.back();
        QCOMPARE(crossing["value"].toString(), QStringLiteral("decoder.layers.0.norm2"));
        QCOMPARE(crossing["token"].toString(), QStringLiteral("i"));
        QVERIFY(QString("tôi đang học tiếng anh").split(u' ').contains(crossing["source"].toString()));
        QCOMPARE(last["final"].toString(), QStringLiteral("<eos>"));
        QCOMPARE(last["in_text"].toString(), QStringLiteral("<eos>"));
        QCOMPARE(last["words"].toArray()[0].toObject()["word"].toString(), QStringLiteral("<eos>"));
        QCOMPARE(last["final_rank"].toInt(), 1);
        // The last depth's answers are the translation's words.
        double logProb = 0;
        for (const QJsonObject& line : lines.last(5))
            logProb += std::log(line["final_probability"].toDouble());
        const Result translated = run({"translate", shippedModel, "tôi đang học tiếng anh", "--json"});
        const QJsonObject best = jsonLines(translated.out)[0]["hypotheses"].toArray()[0].toObject();
        QVERIFY(std::abs(logProb - best["log_prob"].toDouble()) < 1e-4);
        const QStringList muted = command + QStringList{"--mute", "decoder.layers.0.cross_attn.0"};
        QVERIFY(jsonLines(run(muted).out)[2 * 5]["words"] != lines[2 * 5]["words"]);
    }

    void lessonsAreCheckedAndTheirValuesListed() {
        const QString lessons = QStringLiteral(HEADLIGHT_SOURCE_DIR "/lessons");
        const Result good = run({"lessons", "check", lessons});
        QCOMPARE(good.status, 0);
        QVERIFY(good.out.endsWith("lessons, no mistake\n"));
        QDir(folder()).mkpath(QStringLiteral("mine/en"));
        QFile::copy(lessons + "/template.md", path("mine/en/03-mine.md"));
        const Result bare = run({"lessons", "check", "mine"});
        QCOMPARE(bare.status, 0);
        write(path("mine/en/04-wrong.md"),
              "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\nmodel: vi-en-gru\nsources: [a]\n---\n## "
              "A\n```stage\nfocus: nothing.at.all\n```\n");
        const Result bad = run({"lessons", "check", "mine"});
        QCOMPARE(bad.status, 1);
        QVERIFY(bad.out.contains("en/04-wrong.md:11: focus: the trace of vi-en-gru has no \"nothing.at.all\"\n"));
        write(path("course.yaml"), "title: a\nlessons:\n  - nowhere\n");
        const Result course = run({"lessons", "check", "course.yaml"});
        QCOMPARE(course.status, 1);
        QCOMPARE(course.out, QByteArray("course.yaml:3: there is no lesson \"nowhere\"\n"));
        QCOMPARE(run({"lessons", "check", lessons + "/courses/attention-in-an-afternoon.yaml"}).status, 0);
        QVERIFY(run({"lessons", "values", "vi-en-gru"}).out.contains("encoder.layers.0.gates.update [5,128]\n"));
    }

    void everyTaskIsListed() {
        QStringList names;
        for (const QJsonObject& task : jsonLines(run({"tasks", "--json"}).out)) {
            names << task["name"].toString();
            QVERIFY(task["train"].toInt() >= 3000);
        }
        QCOMPARE(names, QStringList({"vi-en", "vi-en-long", "fr-en", "es-en", "reverse", "copy", "sort", "shift",
                                     "dates", "chat", "stories", "sentiment"}));
    }
};

QTEST_GUILESS_MAIN(TestCliReadings)
#include "test_readings.moc"
