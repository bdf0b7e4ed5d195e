// SPDX-License-Identifier: GPL-3.0-or-later
// What headlight-cli says of bad input, of too little memory and of a full disk: one line, and nothing is lost.
#include <QDir>
#include <QProcess>
#include <QTest>

#include "tests/cli/command_line.h"

using namespace cli;

class TestCliBadInput : public cli::Test {
    Q_OBJECT
private slots:
    void init() {
        makeFolder();
        write(path("three"), "a b\nc d\ne f\n");
        write(path("two"), "x y\nz w\n");
        write(path("one-label"), "a b\tgood\nc d\tgood\ne f\tgood\ng h\tgood\n");
        write(path("empty"), "");
        write(path("binary"), QByteArray("\x7f"
                                         "ELF\x02\x01\x00\xff\xfe\x80",
                                         10)
                                  .repeated(300));
        write(path("nul"), QByteArray("a b\nc\0d\ne f\n", 12));
        write(path("torn.gz"), QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x52", 12));
        write(path("out.safetensors"), "what stood here before");
        write(path("heads.yaml"), "task: copy\nheads: 4\n");
        write(path("list.yaml"), "task: [copy, reverse]\n");
        write(path("twice.yaml"), "task: copy\ntask: reverse\n");
        write(path("steps.yaml"), "task: copy\nsteps: many\n");
        write(path("truncated"), read(shippedModel).left(100000));
        QDir(folder()).mkdir("folder");
        m_files = QDir(folder()).entryList(QDir::Files).size();
    }

    void badInputIsOneLineAndNothingIsLost_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("input");
        const auto train = [](const char* name, const QStringList& arguments,
                              const QStringList& how = {"--steps", "5"}) {
            QTest::newRow(name) << QStringList{"train", "--out", "out.safetensors"} + how + arguments << QByteArray();
        };
        train("empty file", {"--source-file", "empty", "--target-file", "three"});
        train("binary junk", {"--source-file", "three", "--target-file", "binary"});
        train("NUL byte", {"--source-file", "nul", "--target-file", "three"});
        train("unequal lengths", {"--source-file", "three", "--target-file", "two"});
        train("folder as a file", {"--source-file", "folder", "--target-file", "three"});
        train("missing file", {"--source-file", "nowhere", "--target-file", "three"});
        train("endless file", {"--source-file", "/dev/zero", "--target-file", "three"});
        train("no tab", {"--pairs", "three"});
        train("only a source", {"--source-file", "three"});
        train("two sources of data", {"--task", "copy", "--pairs", "three"});
        train("no data", {});
        train("unknown task", {"--task", "klingon"});
        train("heads do not divide d_model", {"--task", "copy", "--d-model", "65", "--num-heads", "4"});
        train("dropout above 1", {"--task", "copy", "--dropout", "1.5"});
        train("unknown activation", {"--task", "copy", "--activation", "tanh"});
        train("unknown architecture", {"--task", "copy", "--arch", "mamba"});
        train("setting of another architecture", {"--task", "copy", "--arch", "transformer", "--cell", "lstm"});
        train("recurrent model with heads", {"--task", "copy", "--arch", "rnn", "--num-heads", "4"});
        train("text for a translator", {"--text-file", "three", "--arch", "transformer"});
        train("pairs for a language model", {"--task", "copy", "--arch", "language-model"});
        train("empty text", {"--text-file", "empty", "--arch", "rnn-language-model"});
        train("one label", {"--pairs", "one-label", "--arch", "encoder-classifier"});
        train("teacher forcing above 1", {"--task", "copy", "--arch", "rnn", "--teacher-forcing", "2"});
        train("teacher forcing in words", {"--task", "copy", "--arch", "rnn", "--teacher-forcing", "often"});
        train("hidden size 0", {"--task", "copy", "--arch", "rnn", "--hidden-size", "0"});
        train("unknown tokenizer", {"--task", "copy", "--tokenizer", "syllable"});
        train("bpe without its merges", {"--task", "copy", "--tokenizer", "bpe"});
        train("joint merges of words", {"--task", "copy", "--joint-bpe"});
        train("a minimal count of 0", {"--task", "copy", "--min-count", "0"});
        train("a minimal count that no word has", {"--task", "copy", "--min-count", "1000000"});
        train("codes and learned merges", {"--task", "copy", "--tokenizer", "bpe:10", "--source-codes", "three"});
        train("codes that are a text", {"--task", "copy", "--source-codes", "two"});
        train("codes that are missing", {"--task", "copy", "--target-codes", "nowhere"});
        train("vectors that are a text", {"--task", "copy", "--source-embeddings", "three"});
        train("vectors that are missing", {"--task", "copy", "--target-embeddings", "nowhere"});
        train("batches of pairs and of tokens", {"--task", "copy", "--batch-size", "8", "--tokens-per-batch", "100"});
        train("batches too small for a pair", {"--task", "copy", "--tokens-per-batch", "3"});
        train("a gzip file that breaks off", {"--source-file", "torn.gz", "--target-file", "three"});
        train("words of their own for a model to go on with",
              {"--task", "vi-en", "--from", shippedModel, "--min-count", "2"});
        QTest::newRow("alignments of a task")
            << QStringList{"experiment", "alignment", shippedModel, "--task", "vi-en", "--alignments", "three"}
            << QByteArray();
        QTest::newRow("alignments that are a text")
            << QStringList{"experiment",    "alignment", shippedModel,   "--source-file", "three",
                           "--target-file", "three",     "--alignments", "three"}
            << QByteArray();
        train("no steps", {"--task", "copy"}, {"--steps", "0"});
        train("steps are no number", {"--task", "copy"}, {"--steps", "many"});
        train("unknown option", {"--task", "copy", "--heads", "4"});
        train("settings that are missing", {"--config", "nowhere"});
        train("settings that are none", {"--config", "binary"});
        train("settings that are a text", {"--config", "three"});
        train("an unknown setting", {"--config", "heads.yaml"});
        train("a list for a setting", {"--config", "list.yaml"});
        train("a setting given twice", {"--config", "twice.yaml"});
        train("a value that the option does not take", {"--config", "steps.yaml"}, {});
        train("patience and average", {"--task", "copy", "--patience", "2", "--average", "3"});
        train("patience without validations", {"--task", "copy", "--patience", "2", "--validate-every", "0"});
        train("a model to go on with, and another's settings",
              {"--task", "vi-en", "--from", shippedModel, "--d-model", "8"});
        train("a model to go on with that is none", {"--task", "vi-en", "--from", "binary"});
        train("resume from a model that is no checkpoint", {"--task", "copy", "--resume", shippedModel});
        train("learning rate out of all measure",
              {"--task", "copy", "--schedule", "constant", "--warmup-steps", "0", "--learning-rate", "1e30",
               "--optimizer", "sgd", "--clip-norm", "0"});
        QTest::newRow("out folder missing")
            << QStringList{"train", "--task", "copy", "--steps", "5", "--out", "no/such/m.safetensors"} << QByteArray();
        QTest::newRow("out is a folder") << QStringList{"train", "--task", "copy", "--steps", "5", "--out", "folder"}
                                         << QByteArray();
        const auto translate = [](const char* name, const QStringList& arguments, const QByteArray& input = {}) {
            QTest::newRow(name) << QStringList{"translate"} + arguments << input;
        };
        translate("truncated model", {"truncated", "tôi"});
        translate("model is junk", {"binary", "tôi"});
        translate("model is empty", {"empty", "tôi"});
        translate("model is missing", {"nowhere", "tôi"});
        translate("unknown word", {shippedModel, "tôi zzyzx"});
        translate("no word", {shippedModel, "  "});
        translate("10,000 words", {shippedModel, QStringLiteral("tôi ").repeated(10000)});
        translate("10,000 words on standard input", {shippedModel, "-"}, QByteArray("tôi ").repeated(10000));
        translate("nothing on standard input", {shippedModel, "-"});
        translate("beam of 0", {shippedModel, "tôi yêu bạn", "--beam", "0"});
        translate("more hypotheses than the beam", {shippedModel, "tôi yêu bạn", "--beam", "2", "--n-best", "3"});
        translate("unknown length penalty", {shippedModel, "tôi yêu bạn", "--length-penalty", "gnmt:x"});
        translate("tree of two sentences", {shippedModel, "tôi", "bạn", "--tree", "out.safetensors"});
        translate("prefix that cannot be written", {shippedModel, "tôi yêu bạn", "--prefix", "zzyzx"});
        translate("not UTF-8", {shippedModel, "-"}, "t\xff\xfei\n");
        train("5,000 threads", {"--task", "copy", "--threads", "5000"});
        train("sizes that no memory holds", {"--task", "copy", "--d-model", "16384", "--num-encoder-layers", "64"});
        train("a file's name of 5,000 letters",
              {"--task", "copy", "--checkpoint-every", "5", "--checkpoint", QString(5000, 'n')});
        QTest::newRow("bench on 5,000 threads") << QStringList{"bench", "--threads", "5000"} << QByteArray();
        QTest::newRow("bench on 1,000,000,000 threads")
            << QStringList{"bench", "--threads", "1000000000"} << QByteArray();
        QTest::newRow("variants that no memory holds")
            << QStringList{"experiment", "variants", "--task", "copy", "--steps", "5", "--vary", "d_model=64,16384"}
            << QByteArray();
        QTest::newRow("lens of a recurrent model")
            << QStringList{"experiment", "lens", recurrentModel, "--source", "tôi"} << QByteArray();
        QTest::newRow("lens of no words")
            << QStringList{"experiment", "lens", shippedModel, "--source", "tôi", "--words", "0"} << QByteArray();
        QTest::newRow("why of a word that is not written")
            << QStringList{"why", shippedModel, "--source", "tôi", "--word", "9"} << QByteArray();
        QTest::newRow("why against a word that it does not have")
            << QStringList{"why", shippedModel, "--source", "tôi", "--against", "zzyzx"} << QByteArray();
        QTest::newRow("why against itself")
            << QStringList{"why", shippedModel, "--source", "tôi", "--for", "i", "--against", "i"} << QByteArray();
        QTest::newRow("why deeper than it goes")
            << QStringList{"why", shippedModel, "--source", "tôi", "--depth", "5"} << QByteArray();
        QTest::newRow("patch of two that answer alike")
            << QStringList{"patch", shippedModel, "--source", "tôi", "--from", "tôi"} << QByteArray();
        QTest::newRow("patch without a head that is none")
            << QStringList{"patch", shippedModel, "--source", "tôi", "--without", "encoder.9"} << QByteArray();
        QTest::newRow("patch read by a model of another shape")
            << QStringList{"patch", shippedModel, "--source", "tôi", "--read-by", recurrentModel} << QByteArray();
        QTest::newRow("patch without a second reading")
            << QStringList{"patch", shippedModel, "--source", "tôi"} << QByteArray();
        QTest::newRow("patch of a kind that is none")
            << QStringList{"patch", shippedModel, "--source", "tôi", "--from", "bạn", "--kind", "word"} << QByteArray();
        QTest::newRow("attention of a model without it")
            << QStringList{"attribute", recurrentModel, "--source", "tôi", "--method", "attention"} << QByteArray();
        QTest::newRow("attribute by a method that is none")
            << QStringList{"attribute", shippedModel, "--source", "tôi", "--method", "guess"} << QByteArray();
        QTest::newRow("attribute a word that is not written")
            << QStringList{"attribute", shippedModel, "--source", "tôi", "--word", "0"} << QByteArray();
        QTest::newRow("attribution without alignments")
            << QStringList{"experiment", "attribution",   shippedModel, "--source-file",
                           "three",      "--target-file", "three"}
            << QByteArray();
        QTest::newRow("codes without end")
            << QStringList{"bpe", "apply", "--codes", "/dev/urandom"} << QByteArray("a b\n");
        QTest::newRow("values of a name of 5,000 letters")
            << QStringList{"lessons", "values", QString(5000, 'n')} << QByteArray();
        translate("model is a folder", {"folder", "tôi"});
        QTest::newRow("mute a head that is not")
            << QStringList{"trace", shippedModel,     "--source", "tôi", "--mute", "decoder.layers.7.cross_attn.0",
                           "--out", "out.safetensors"}
            << QByteArray();
        QTest::newRow("bpe of nothing") << QStringList{"bpe", "learn", "--merges", "10"} << QByteArray();
        QTest::newRow("bpe of junk") << QStringList{"bpe", "learn", "--merges", "10"} << QByteArray("a\xff\n");
        QTest::newRow("codes that are none") << QStringList{"bpe", "apply", "--codes", "binary"} << QByteArray("a b\n");
        QTest::newRow("codes that are missing") << QStringList{"bpe", "apply", "--codes", "no"} << QByteArray("a b\n");
        QTest::newRow("evaluate on nothing") << QStringList{"evaluate", shippedModel} << QByteArray();
        QTest::newRow("lessons nowhere") << QStringList{"lessons", "check", "/nowhere"} << QByteArray();
        QTest::newRow("lessons in a folder without any") << QStringList{"lessons", "check", "."} << QByteArray();
        QTest::newRow("values of no model") << QStringList{"lessons", "values", "../vi-en-gru"} << QByteArray();
        QTest::newRow("values of unknown words")
            << QStringList{"lessons", "values", "vi-en-gru", "--source", " "} << QByteArray();
        for (const char* model : {"folder", "binary", "empty", "nowhere", "/dev/zero"})
            QTest::newRow(qPrintable(QString("import ") + model))
                << QStringList{"import", model, "--out", "out.safetensors"} << QByteArray();
        const auto exportTo = [](const char* name, const QString& out, const QString& format = "pytorch",
                                 const QString& model = shippedModel) {
            QTest::newRow(name) << QStringList{"export", model, "--format", format, "--out", out} << QByteArray();
        };
        exportTo("export in an unknown format", "new", "onnx");
        exportTo("export of a model that no kind of Hugging Face's computes", "new", "huggingface");
        exportTo("export of no model", "new", "pytorch", "nowhere");
        exportTo("export into a folder that is not empty", ".");
        exportTo("export over a file", "three");
        exportTo("export into a folder that is not there", "no/such/folder");
        exportTo("export to a name of 5,000 letters", QString(5000, 'n'));
        for (const char* out : {"new.npz", "new.json", "out.safetensors"})
            QTest::newRow(qPrintable(QString("trace of a value that is not, as ") + out))
                << QStringList{"trace", shippedModel, "--source", "tôi", "--only", "encoder.layers.9", "--out", out}
                << QByteArray();
        QTest::newRow("ids that the model does not have")
            << QStringList{"trace", foreignModels + "gpt2", "--source", "5 53", "--out", "out.safetensors"}
            << QByteArray();
        QTest::newRow("no subcommand") << QStringList{} << QByteArray();
        QTest::newRow("unknown subcommand") << QStringList{"dance"} << QByteArray();
    }
    void badInputIsOneLineAndNothingIsLost() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, input);
        const Result result = run(arguments, input);
        QVERIFY2(result.status == 1 || result.status == 2, qPrintable(QString::number(result.status)));
        QVERIFY2(result.error.startsWith("headlight-cli: error: "), result.error);
        QVERIFY2(!result.error.contains("something went wrong inside"), result.error);
        QCOMPARE(result.error.count('\n'), 1);
        QCOMPARE(result.out, QByteArray());
        QCOMPARE(read(path("out.safetensors")), QByteArray("what stood here before"));
        QCOMPARE(QDir(folder()).entryList(QDir::Files).size(), m_files);
        QCOMPARE(QDir(folder()).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"folder"});
    }

    void aFileOfSettingsIsRefusedByItsLine() {
        for (const auto& [file, told] : {std::pair("heads.yaml", "heads.yaml, line 2: train has no option --heads"),
                                         std::pair("list.yaml", "list.yaml, line 1: task is one value"),
                                         std::pair("twice.yaml", "line 2: task is given twice")}) {
            const Result refused = run({"train", "--config", file, "--steps", "5", "--out", "no.safetensors"});
            QVERIFY2(refused.error.contains(told), refused.error);
        }
    }

    void tooLittleMemoryIsSaidInALine_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("megabytes");
        for (const int megabytes : {110, 150, 200, 250, 300, 350, 400}) {
            QTest::addRow("translate, %d MB", megabytes)
                << QStringList{"translate", shippedModel, "tôi yêu bạn"} << megabytes;
            QTest::addRow("train, %d MB", megabytes)
                << QStringList{"train", "--task", "copy", "--steps", "3", "--threads", "2", "--out", "m.safetensors"}
                << megabytes;
            QTest::addRow("evaluate, %d MB", megabytes)
                << QStringList{"evaluate", shippedModel, "--task", "vi-en", "--beam", "20"} << megabytes;
        }
        QTest::addRow("sizes beyond it") << QStringList{"train", "--task",       "copy",          "--steps",
                                                        "3",     "--out",        "m.safetensors", "--d-model",
                                                        "4096",  "--max-length", "65536"}
                                         << 4000;
    }
    void tooLittleMemoryIsSaidInALine() {
        QFETCH(QStringList, command);
        QFETCH(int, megabytes);
        QStringList quoted;
        for (const QString& word : command)
            quoted << "'" + word + "'";
        QProcess shell;
        shell.setWorkingDirectory(folder());
        shell.start("/bin/sh", {"-c", QStringLiteral("ulimit -v %1; exec '%2' %3")
                                          .arg(megabytes * 1000)
                                          .arg(QStringLiteral(HEADLIGHT_CLI), quoted.join(' '))});
        // What has memory enough may take its time; what has not says so at once.
        if (!shell.waitForFinished(headlight::fixture::kLongPatienceMs)) {
            shell.kill();
            shell.waitForFinished(headlight::fixture::kLongPatienceMs);
            QFAIL("it hangs");
        }
        QCOMPARE(shell.exitStatus(), QProcess::NormalExit);
        const QByteArray error = shell.readAllStandardError();
        if (megabytes > 1000) QVERIFY2(error.contains("GiB"), error);
        if (shell.exitCode() == 0) return;
        QCOMPARE(shell.exitCode(), 1);
        QVERIFY2(error.startsWith("headlight-cli: error: ") && error.contains("memory"), error);
        QCOMPARE(error.count('\n'), 1);
    }

    void anExportThatFindsTheDiskFullLeavesNothing() {
        QProcess shell;
        shell.setWorkingDirectory(folder());
        shell.start(
            "/bin/sh",
            {"-c", QStringLiteral("trap '' XFSZ; ulimit -f 64; exec '%1' export '%2' --format pytorch --out new")
                       .arg(QStringLiteral(HEADLIGHT_CLI), shippedModel)});
        QVERIFY(shell.waitForFinished(headlight::fixture::kLongPatienceMs));
        const QByteArray error = shell.readAllStandardError();
        QCOMPARE(shell.exitCode(), 1);
        QVERIFY2(error.startsWith("headlight-cli: error: ") && error.contains("cannot be written"), error);
        QCOMPARE(error.count('\n'), 1);
        const QStringList left = QDir(folder()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        QVERIFY2(!left.contains("new") && left.filter(".headlight").isEmpty(), qPrintable(left.join(' ')));
    }

private:
    qsizetype m_files = 0;  ///< that stand there before a command runs
};

QTEST_GUILESS_MAIN(TestCliBadInput)
#include "test_bad_input.moc"
