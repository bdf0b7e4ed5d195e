// SPDX-License-Identifier: GPL-3.0-or-later
// headlight-cli with models that are named, not found by a path.
#include <QTest>

#include "tests/cached_model.h"
#include "tests/cli/command_line.h"

using namespace cli;

class TestCliModelNames : public cli::Test {
    Q_OBJECT
private slots:
    void init() {
        makeFolder();
        headlight::fixture::cacheModel(cache(), "EleutherAI/pythia-70m", "gpt_neox", "1a2b3c4d");
        headlight::fixture::cacheModel(cache(), "google-bert/bert-base", "bert", "5e6f7a8b");
    }

    void everyCommandTakesAName_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString name = QStringLiteral("EleutherAI/pythia-70m");
        QTest::newRow("trace") << QStringList{"trace", name, "--source", "5 9 11", "--out", "trace.safetensors"};
        QTest::newRow("summary") << QStringList{"summary", name, "--json"};
        QTest::newRow("summary, without the owner") << QStringList{"summary", "pythia-70m", "--json"};
        QTest::newRow("summary, of a commit") << QStringList{"summary", name + "@1a2b", "--json"};
        QTest::newRow("generate") << QStringList{"generate", name, "--prompt", "5 9", "--max-length", "3"};
        QTest::newRow("import") << QStringList{"import", name, "--out", "model.safetensors"};
        QTest::newRow("export") << QStringList{"export", name, "--format", "pytorch", "--out", "exported"};
        QTest::newRow("attribute") << QStringList{"attribute", "bert-base", "--source", "5 9 11"};
    }
    void everyCommandTakesAName() {
        QFETCH(QStringList, arguments);
        const Result named = runNamed(arguments);
        QVERIFY2(named.status == 0, named.error);
    }

    void theNameGivesWhatThePathGives() {
        const QStringList rest{"--source", "5 9 11", "--out"};
        QCOMPARE(runNamed(QStringList{"trace", "EleutherAI/pythia-70m"} + rest + QStringList{"a.safetensors"}).status,
                 0);
        QCOMPARE(run(QStringList{"trace", foreignModels + "gpt_neox"} + rest + QStringList{"b.safetensors"}).status, 0);
        QVERIFY(!read(path("a.safetensors")).isEmpty());
        QCOMPARE(read(path("a.safetensors")), read(path("b.safetensors")));
    }

    void whatIsNotThereIsOneLine_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("unknown") << "EleutherAI/pythia-1b" << QByteArray("headlight --get EleutherAI/pythia-1b");
        QTest::newRow("like one") << "pythia-1b" << QByteArray("which has EleutherAI/pythia-70m:");
        QTest::newRow("revision") << "pythia-70m@v1" << QByteArray("no revision v1");
    }
    void whatIsNotThereIsOneLine() {
        QFETCH(QString, name);
        QFETCH(QByteArray, said);
        const Result result = runNamed({"summary", name});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.error.startsWith("headlight-cli: error: ") && result.error.contains(said), result.error);
        QCOMPARE(result.error.count('\n'), 1);
        QVERIFY(result.out.isEmpty());
    }

private:
    std::filesystem::path cache() const { return path("home/hub").toStdString(); }
    Result runNamed(const QStringList& arguments) const {
        return run(arguments, {},
                   {{"HF_HOME", path("home")}, {"HF_HUB_CACHE", QString()}, {"HUGGINGFACE_HUB_CACHE", QString()}});
    }
};

QTEST_GUILESS_MAIN(TestCliModelNames)
#include "test_model_names.moc"
