// SPDX-License-Identifier: GPL-3.0-or-later
// headlight-cli from outside: what it prints, what it leaves behind, and what it says of bad input.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/io/safetensors.h"

namespace {

const QString shippedModel = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
const QString recurrentModel = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-gru.safetensors");
const QString foreignModels = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/");
const QStringList tinySizes{
    "--d-model", "16", "--num-heads",  "2", "--num-encoder-layers", "1", "--num-decoder-layers", "1",
    "--d-ff",    "32", "--batch-size", "32"};

struct Result {
    int status = -1;
    QByteArray out, error;
};

using Variables = QMap<QString, QString>;

/// `variables` are set beside those of the test; one without a value is taken away.
Result runCli(const QString& folder, const QStringList& arguments, const QByteArray& input = {},
              const Variables& variables = {}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto it = variables.begin(); it != variables.end(); ++it)
        if (it.value().isEmpty())
            environment.remove(it.key());
        else
            environment.insert(it.key(), it.value());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(HEADLIGHT_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120000)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<QJsonObject> jsonLines(const QByteArray& text) {
    QList<QJsonObject> objects;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty()) objects << QJsonDocument::fromJson(line).object();
    return objects;
}

}  // namespace

class TestCli : public QObject {
    Q_OBJECT
private slots:
    void init();
    void badInputIsOneLineAndNothingIsLost_data();
    void badInputIsOneLineAndNothingIsLost();
    void helpAndVersion();
    void anotherProgramsModelIsTracedOnExactlyTheseIds_data();
    void anotherProgramsModelIsTracedOnExactlyTheseIds();
    void trainTellsItsStepsAndTwiceGivesTheSameFile();
    void resumedRunEndsAsOneThatWasNotInterrupted();
    void killedTenTimesAtRandomItResumesToTheSameBytes();
    void aTrainingThatBreaksDownKeepsItsLastGoodCheckpoint();
    void anyNumberOfThreadsGivesTheSameFile();
    void variantsAreTrainedAndComparedByLength();
    void headsAreMutedOneByOneAndInSets();
    void theLensTellsEveryDepthOfEveryPosition();
    void translatesTheDecksSentenceInAnyNormalForm();
    void translatesLinesOfStandardInput();
    void aLineThatCannotBeReadLeavesTheOthersInTheirPlaces();
    void evaluationSaysWhatItsBleuIsMadeOf();
    void shippedModelIsAsGoodAsTheReadmeSays();
    void summaryCountsEveryParameter();
    void traceHoldsTheNamesOfTheContract();
    void beamSearchWritesItsTree();
    void languageModelLearnsAndGoesOn();
    void classifierNamesLabels();
    void lessonsAreCheckedAndTheirValuesListed();
    void everyTaskIsListed();
    void pairsWithThreeColumnsAndWindowsLineEndsTrain();
    void aRunIsRepeatedFromTheFileOfItsSettings();
    void aModelGoesOnLearningOnOtherText();
    void textThatIsCutAlreadyComesBackAsItWas();
    void textWithEntitiesOutsideCodesAndVectorsTrainsGzippedOrNot();
    void attentionIsHeldAgainstAlignmentsOfOnesOwn();
    void kernelsThatOpenBlasFoundAreReplacedByTheBestThatTheProcessorRuns_data();
    void kernelsThatOpenBlasFoundAreReplacedByTheBestThatTheProcessorRuns();
    void kernelsChosenOutsideStayWhereTheyRunAndAreWarnedOfWherePoor();
    void anExportThatFindsTheDiskFullLeavesNothing();
    void aLargeModelTakesTheMemoryOfItsWeights_data();
    void aLargeModelTakesTheMemoryOfItsWeights();
    void tooLittleMemoryIsSaidInALine_data();
    void tooLittleMemoryIsSaidInALine();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    Result run(const QStringList& arguments, const QByteArray& input = {}, const Variables& variables = {}) const {
        return runCli(m_folder->path(), arguments, input, variables);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    qsizetype m_files = 0;  ///< that stand there before a command runs
};

void TestCli::init() {
    m_folder = std::make_unique<QTemporaryDir>();
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
    QDir(m_folder->path()).mkdir("folder");
    m_files = QDir(m_folder->path()).entryList(QDir::Files).size();
}

void TestCli::badInputIsOneLineAndNothingIsLost_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("input");
    const auto train = [](const char* name, const QStringList& arguments, const QStringList& how = {"--steps", "5"}) {
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
    train("learning rate out of all measure", {"--task", "copy", "--schedule", "constant", "--warmup-steps", "0",
                                               "--learning-rate", "1e30", "--optimizer", "sgd", "--clip-norm", "0"});
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
    QTest::newRow("bench on 1,000,000,000 threads") << QStringList{"bench", "--threads", "1000000000"} << QByteArray();
    QTest::newRow("variants that no memory holds")
        << QStringList{"experiment", "variants", "--task", "copy", "--steps", "5", "--vary", "d_model=64,16384"}
        << QByteArray();
    QTest::newRow("lens of a recurrent model")
        << QStringList{"experiment", "lens", recurrentModel, "--source", "tôi"} << QByteArray();
    QTest::newRow("lens of no words") << QStringList{"experiment", "lens",    shippedModel, "--source",
                                                     "tôi",        "--words", "0"}
                                      << QByteArray();
    QTest::newRow("why of a word that is not written")
        << QStringList{"why", shippedModel, "--source", "tôi", "--word", "9"} << QByteArray();
    QTest::newRow("why against a word that it does not have")
        << QStringList{"why", shippedModel, "--source", "tôi", "--against", "zzyzx"} << QByteArray();
    QTest::newRow("why against itself") << QStringList{"why",   shippedModel, "--source",  "tôi",
                                                       "--for", "i",          "--against", "i"}
                                        << QByteArray();
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
        << QStringList{"experiment", "attribution", shippedModel, "--source-file", "three", "--target-file", "three"}
        << QByteArray();
    QTest::newRow("codes without end") << QStringList{"bpe", "apply", "--codes", "/dev/urandom"} << QByteArray("a b\n");
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
        << QStringList{"trace", foreignModels + "gpt2", "--source", "5 53", "--out", "out.safetensors"} << QByteArray();
    QTest::newRow("no subcommand") << QStringList{} << QByteArray();
    QTest::newRow("unknown subcommand") << QStringList{"dance"} << QByteArray();
}

void TestCli::badInputIsOneLineAndNothingIsLost() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, input);
    const Result result = run(arguments, input);
    QVERIFY2(result.status == 1 || result.status == 2, qPrintable(QString::number(result.status)));
    QVERIFY2(result.error.startsWith("headlight-cli: error: "), result.error);
    QVERIFY2(!result.error.contains("something went wrong inside"), result.error);
    QCOMPARE(result.error.count('\n'), 1);
    QCOMPARE(result.out, QByteArray());
    QCOMPARE(read(path("out.safetensors")), QByteArray("what stood here before"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files).size(), m_files);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"folder"});
}

void TestCli::helpAndVersion() {
    QCOMPARE(run({"--version"}).out, QByteArray("headlight-cli " HEADLIGHT_VERSION "\n"));
    for (const QStringList& arguments : {QStringList{"--help"}, {"train", "--help"}, {"translate", "--help"}}) {
        const Result result = run(arguments);
        QCOMPARE(result.status, 0);
        QVERIFY(result.out.contains("--help"));
    }
}

void TestCli::anotherProgramsModelIsTracedOnExactlyTheseIds_data() {
    QTest::addColumn<QString>("model");
    for (const QFileInfo& folder : QDir(foreignModels).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (QFile::exists(folder.filePath() + ".expected.safetensors"))
            QTest::newRow(qPrintable(folder.fileName())) << folder.fileName();
}

/// Imported or not: what is read is what was asked for, and every number that PyTorch computed of it is there.
void TestCli::anotherProgramsModelIsTracedOnExactlyTheseIds() {
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

void TestCli::trainTellsItsStepsAndTwiceGivesTheSameFile() {
    QByteArray bytes;
    for (const char* threads : {"1", "2"}) {
        const Result result = run(QStringList{"train", "--task", "copy", "--steps", "20", "--report-every", "10",
                                              "--seed", "3", "--json", "--threads", threads, "--out", "m.safetensors"} +
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

void TestCli::resumedRunEndsAsOneThatWasNotInterrupted() {
    const QStringList common =
        QStringList{"--task", "copy", "--schedule", "constant", "--learning-rate", "0.003"} + tinySizes;
    QCOMPARE(run(QStringList{"train", "--steps", "14", "--out", "whole.safetensors"} + common).status, 0);
    QCOMPARE(run(QStringList{"train", "--steps", "7", "--out", "half.safetensors", "--checkpoint", "c",
                             "--checkpoint-every", "7"} +
                 common)
                 .status,
             0);
    QCOMPARE(
        run(QStringList{"train", "--steps", "14", "--out", "resumed.safetensors", "--resume", "c"} + common).status, 0);
    QVERIFY(read(path("half.safetensors")) != read(path("whole.safetensors")));
    QCOMPARE(read(path("resumed.safetensors")), read(path("whole.safetensors")));
}

void TestCli::killedTenTimesAtRandomItResumesToTheSameBytes() {
    const QStringList training = QStringList{"train", "--task", "copy", "--steps", "600"} + tinySizes;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(run(training + QStringList{"--out", "whole.safetensors"}).status, 0);
    const auto whole = static_cast<int>(timer.elapsed());
    const QByteArray expected = read(path("whole.safetensors"));
    const QStringList saving{"--checkpoint", "c", "--checkpoint-every", "5", "--out", "killed.safetensors"};
    int resumed = 0;
    for (int trial = 0; trial < 10; ++trial) {
        QFile::remove(path("c"));
        QFile::remove(path("killed.safetensors"));
        QProcess process;
        process.setWorkingDirectory(path(""));
        process.start(QStringLiteral(HEADLIGHT_CLI), training + saving);
        process.waitForFinished(whole / 8 + QRandomGenerator::global()->bounded(whole));
        process.kill();  // SIGKILL
        process.waitForFinished();
        const bool hasCheckpoint = QFile::exists(path("c"));
        resumed += hasCheckpoint && process.exitStatus() == QProcess::CrashExit;
        const Result result = run(training + saving + (hasCheckpoint ? QStringList{"--resume", "c"} : QStringList()));
        QVERIFY2(result.status == 0, result.error.constData());
        QVERIFY(read(path("killed.safetensors")) == expected);
    }
    QVERIFY2(resumed >= 3, qPrintable(QString::number(resumed)));
}

void TestCli::aTrainingThatBreaksDownKeepsItsLastGoodCheckpoint() {
    const QStringList common = QStringList{"train", "--task", "copy"} + tinySizes;
    const Result result = run(common + QStringList{"--steps", "200", "--optimizer", "sgd", "--schedule", "constant",
                                                   "--learning-rate", "1e7", "--clip-norm", "0", "--checkpoint", "c",
                                                   "--checkpoint-every", "1", "--out", "broken.safetensors"});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.error.contains("no longer a number"), result.error.constData());
    QVERIFY2(result.error.contains("checkpoint") || result.error.contains("was not written"), result.error.constData());
    QVERIFY(!QFile::exists(path("broken.safetensors")));
    QCOMPARE(run({"summary", "c"}).status, 0);  // every weight in it is a number, or it would be refused
}

void TestCli::anyNumberOfThreadsGivesTheSameFile() {
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

void TestCli::variantsAreTrainedAndComparedByLength() {
    const QStringList choices = QStringList{"--task", "copy", "--steps", "40"} + tinySizes;
    const Result result = run(QStringList{"experiment", "variants", "--vary", "residuals=true,false", "--vary",
                                          "norm_order=pre,post", "--lengths", "4,6,8", "--out-folder", ".", "--json"} +
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
    QCOMPARE(
        run(QStringList{"train", "--residuals", "false", "--norm-order", "pre", "--out", "alone.safetensors"} + choices)
            .status,
        0);
    const auto weights = [this](const QString& file) {
        const QByteArray bytes = read(path(file));
        return bytes.mid(bytes.indexOf("}}") + 2).right(4096);
    };
    QCOMPARE(weights("residuals=false_norm-order=pre.safetensors"), weights("alone.safetensors"));
}

void TestCli::headsAreMutedOneByOneAndInSets() {
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

void TestCli::theLensTellsEveryDepthOfEveryPosition() {
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

void TestCli::translatesTheDecksSentenceInAnyNormalForm() {
    const QString sentence = QStringLiteral("tôi đang học tiếng anh");
    for (const auto form : {QString::NormalizationForm_C, QString::NormalizationForm_D}) {
        const Result result = run({"translate", shippedModel, sentence.normalized(form)});
        QCOMPARE(result.out, QByteArray("i am learning english\n"));
    }
}

void TestCli::translatesLinesOfStandardInput() {
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

void TestCli::aLineThatCannotBeReadLeavesTheOthersInTheirPlaces() {
    QByteArray text = QByteArray("tôi yêu bạn\n\nt\xff\xfei\n") + QByteArray("tôi ").repeated(300) + "\n";
    for (int i = 0; i < 3000; ++i)  // more than are translated together
        text += "tôi đang học tiếng anh\n";
    const Result plain = run({"translate", shippedModel}, text);
    QCOMPARE(plain.status, 0);
    QCOMPARE(plain.out, QByteArray("i love you\n\n\n\n") + QByteArray("i am learning english\n").repeated(3000));
    for (const char* told : {"line 3 of standard input", "line 4 of standard input: it has 300 tokens", "2 of 3,004"})
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

void TestCli::evaluationSaysWhatItsBleuIsMadeOf() {
    const auto evaluate = [this](const QStringList& more) {
        return jsonLines(
                   run(QStringList{"evaluate", shippedModel, "--task", "vi-en", "--part", "unseen", "--json"} + more)
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

void TestCli::shippedModelIsAsGoodAsTheReadmeSays() {
    QVERIFY(QFileInfo(shippedModel).size() <= 3 * 1024 * 1024);
    const auto bleu = [this](const char* part) {
        return jsonLines(run({"evaluate", shippedModel, "--task", "vi-en", "--part", part, "--json"}).out)
            .value(0)["bleu"]
            .toDouble();
    };
    QVERIFY(bleu("test") >= 90);
    QVERIFY(bleu("unseen") >= 60);
}

void TestCli::summaryCountsEveryParameter() {
    const QJsonObject summary = jsonLines(run({"summary", shippedModel, "--json"}).out).value(0);
    double total = 0;
    for (const QJsonValue& tensor : summary["tensors"].toArray())
        total += tensor.toObject()["parameters"].toDouble();
    QVERIFY(total > 0);
    QCOMPARE(summary["parameters"].toDouble(), total);
    QCOMPARE(summary["config"].toObject()["architecture"].toString(), QStringLiteral("transformer"));
}

void TestCli::traceHoldsTheNamesOfTheContract() {
    QCOMPARE(run({"trace", shippedModel, "--source", "tôi yêu bạn", "--out", "t.safetensors"}).status, 0);
    const auto file = headlight::safetensors::File::read(path("t.safetensors").toStdString());
    for (const char* name : {"source.ids", "target.ids", "encoder.input", "encoder.layers.1.ffn.hidden",
                             "encoder.output", "decoder.layers.0.self_attn.mask", "decoder.layers.1.cross_attn.weights",
                             "decoder.layers.1.norm3", "decoder.output", "logits", "log_probs"})
        QVERIFY2(file.contains(name), name);
    const std::vector<int64_t> expected{8, 4, 3};  // heads, <bos> i love you, tôi yêu bạn
    QCOMPARE(file.entry("decoder.layers.1.cross_attn.weights").shape, expected);
}

void TestCli::beamSearchWritesItsTree() {
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

void TestCli::languageModelLearnsAndGoesOn() {
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
        for (const QStringList& wrong :
             {QStringList{"--temperature", "-1"}, QStringList{"--top-p", "0"}, QStringList{"--prompt", "the zzyzx"}}) {
            const Result refused = run(QStringList{"generate", model, "--prompt", "the"} + wrong);
            QVERIFY(refused.status != 0);
            QCOMPARE(refused.error.count('\n'), 1);
        }
        QVERIFY(run({"translate", model, "the cat"}).status == 1);
    }
}

void TestCli::classifierNamesLabels() {
    QByteArray pairs;
    for (const char* who : {"steve", "anna", "the king", "the queen", "my uncle", "our teacher"})
        for (const char* how : {"kind", "clever", "funny", "rude", "dull", "mean"}) {
            const bool good = strcmp(how, "kind") == 0 || strcmp(how, "clever") == 0 || strcmp(how, "funny") == 0;
            pairs += QByteArray(who) + " is " + how + "\t" + (good ? "positive" : "negative") + "\n";
            pairs += QByteArray(who) + " is not " + how + "\t" + (good ? "negative" : "positive") + "\n";
        }
    write(path("labels.tsv"), pairs);
    QCOMPARE(run({"train", "--pairs", "labels.tsv", "--validation-pairs", "labels.tsv", "--arch", "encoder-classifier",
                  "--steps", "300", "--batch-size", "16", "--out", "c.safetensors"})
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

void TestCli::lessonsAreCheckedAndTheirValuesListed() {
    const QString lessons = QStringLiteral(HEADLIGHT_SOURCE_DIR "/lessons");
    const Result good = run({"lessons", "check", lessons});
    QCOMPARE(good.status, 0);
    QVERIFY(good.out.endsWith("lessons, no mistake\n"));
    QDir(m_folder->path()).mkpath(QStringLiteral("mine/en"));
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

void TestCli::everyTaskIsListed() {
    QStringList names;
    for (const QJsonObject& task : jsonLines(run({"tasks", "--json"}).out)) {
        names << task["name"].toString();
        QVERIFY(task["train"].toInt() >= 3000);
    }
    QCOMPARE(names, QStringList({"vi-en", "vi-en-long", "fr-en", "es-en", "reverse", "copy", "sort", "shift", "dates",
                                 "chat", "stories", "sentiment"}));
}

void TestCli::aRunIsRepeatedFromTheFileOfItsSettings() {
    write(path("mine.yaml"),
          "# all that I want\ntask: copy\nsteps: 30\nd_model: 8\nnum-heads: 2\nd_ff: 16\n"
          "schedule: noam\nlowercase: true\nvalidate_every: 10\naverage: 2\n");
    const Result first =
        run({"train", "--config", "mine.yaml", "--seed", "5", "--steps", "20", "--out", "m.safetensors"});
    QVERIFY2(first.status == 0, first.error);
    QVERIFY2(first.error.contains("the mean of the weights at the last 2 validations"), first.error);
    const QByteArray settings = read(path("m.train.yaml"));
    for (const char* line : {"steps: 20", "seed: 5", "d_model: 8", "num_heads: 2", "schedule: noam", "lowercase: true"})
        QVERIFY2(settings.contains(line), settings);
    const Result again = run({"train", "--config=m.train.yaml", "--out", "again.safetensors"});
    QVERIFY2(again.status == 0, again.error);
    QCOMPARE(read(path("again.safetensors")), read(path("m.safetensors")));
    const QJsonObject story = jsonLines(run({"summary", "m.safetensors", "--json"}).out)[0]["training"].toObject();
    QCOMPARE(story["schedule"].toString(), QStringLiteral("noam"));
    QCOMPARE(story["label_smoothing"].toDouble(), 0.1);
    for (const auto& [file, told] : {std::pair("heads.yaml", "heads.yaml, line 2: train has no option --heads"),
                                     std::pair("list.yaml", "list.yaml, line 1: task is one value"),
                                     std::pair("twice.yaml", "line 2: task is given twice")}) {
        const Result refused = run({"train", "--config", file, "--steps", "5", "--out", "no.safetensors"});
        QVERIFY2(refused.error.contains(told), refused.error);
    }
}

void TestCli::aModelGoesOnLearningOnOtherText() {
    const auto loss = [this](const QString& model) {
        return jsonLines(run({"evaluate", model, "--task", "vi-en", "--part", "unseen", "--json"}).out)[0]["loss"]
            .toDouble();
    };
    const Result result = run({"train", "--from", shippedModel, "--task", "vi-en", "--steps", "1", "--learning-rate",
                               "1e-9", "--validate-every", "0", "--out", "on.safetensors"});
    QVERIFY2(result.status == 0, result.error);
    QVERIFY(std::abs(loss("on.safetensors") - loss(shippedModel)) < 1e-3);
    QVERIFY(!result.out.contains("validation"));
}

void TestCli::textThatIsCutAlreadyComesBackAsItWas() {
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

/// Packed by gzip or not it is the same text, and so the same model.
void TestCli::textWithEntitiesOutsideCodesAndVectorsTrainsGzippedOrNot() {
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

/// The shipped task's own links, written to files and read again, give its own figures.
void TestCli::attentionIsHeldAgainstAlignmentsOfOnesOwn() {
    write(path("s"), "tôi yêu bạn\n\nbạn yêu tôi\n");
    write(path("t"), "i love you\n\nyou love me\n");
    write(path("gold"), "0-0 1-1 2-2\n\n0-0 1-1 2-2\n");
    const Result measured = run({"experiment", "alignment", shippedModel, "--source-file", "s", "--target-file", "t",
                                 "--alignments", "gold", "--json"});
    QVERIFY2(measured.status == 0, measured.error);
    for (const QJsonObject& line : jsonLines(measured.out)) {
        QCOMPARE(line["gold"].toInt(), 6);
        QCOMPARE(line["proposed"].toInt(), 6);
    }
    const Result without = run({"experiment", "alignment", shippedModel, "--source-file", "s", "--target-file", "t"});
    QVERIFY2(without.error.contains("--alignments"), without.error);
}

void TestCli::pairsWithThreeColumnsAndWindowsLineEndsTrain() {
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

void TestCli::kernelsThatOpenBlasFoundAreReplacedByTheBestThatTheProcessorRuns_data() {
    QTest::addColumn<QString>("found");
    for (const char* name : {"Prescott", "Haswell", "SkylakeX"})
        QTest::newRow(name) << name;
}

/// OpenBLAS is made to find other kernels than it would by itself.
void TestCli::kernelsThatOpenBlasFoundAreReplacedByTheBestThatTheProcessorRuns() {
    QFETCH(QString, found);
    const Result result = run({"bench", "--kernels", "--json"}, {},
                              {{"OPENBLAS_CORETYPE", found}, {"HEADLIGHT_TEST_CORETYPE_FOUND", "1"}});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.error, QByteArray());
    const QJsonObject told = jsonLines(result.out).value(0);
    const QString features = told["features"].toString(), kernels = told["kernels"].toString();
    const auto is = [&kernels](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* name) { return kernels == QLatin1String(name); });
    };
    if (features.contains("AVX-512"))
        QVERIFY2(is({"SkylakeX", "Cooperlake", "SapphireRapids"}), qPrintable(kernels));
    else if (features.contains("AVX2"))
        QVERIFY2(is({"Haswell", "Zen", "Excavator"}), qPrintable(kernels));
    else
        QVERIFY2(!kernels.isEmpty(), qPrintable(kernels));
}

void TestCli::kernelsChosenOutsideStayWhereTheyRunAndAreWarnedOfWherePoor() {
    const Result chosen = run({"bench", "--kernels", "--json"}, {}, {{"OPENBLAS_CORETYPE", "Prescott"}});
    QCOMPARE(chosen.status, 0);
    const QJsonObject told = jsonLines(chosen.out).value(0);
    // An OpenBLAS that was built for one processor has no choice.
    if (told["kernels"].toString() == "Prescott" && told["features"].toString().contains("SSE4.2"))
        QVERIFY2(chosen.error.contains("warning") && chosen.error.contains("OPENBLAS_CORETYPE"), chosen.error);
    const Result own = run({"bench", "--kernels"}, {}, {{"OPENBLAS_CORETYPE", ""}});
    QCOMPARE(own.status, 0);
    QCOMPARE(own.error, QByteArray());
    QVERIFY(own.out.contains("OpenBLAS kernels for "));
    // Kernels that the processor cannot run would end the program at its first product.
    const Result beyond = run({"translate", shippedModel, "tôi yêu bạn"}, {}, {{"OPENBLAS_CORETYPE", "SkylakeX"}});
    QVERIFY2(beyond.status == 0, beyond.error);
    QCOMPARE(beyond.out, QByteArray("i love you\n"));
}

/// A limit on the size of a file stands for a disk that is full: writing fails in the middle of it.
void TestCli::anExportThatFindsTheDiskFullLeavesNothing() {
    QProcess shell;
    shell.setWorkingDirectory(m_folder->path());
    shell.start("/bin/sh",
                {"-c", QStringLiteral("trap '' XFSZ; ulimit -f 64; exec '%1' export '%2' --format pytorch --out new")
                           .arg(QStringLiteral(HEADLIGHT_CLI), shippedModel)});
    QVERIFY(shell.waitForFinished(60000));
    const QByteArray error = shell.readAllStandardError();
    QCOMPARE(shell.exitCode(), 1);
    QVERIFY2(error.startsWith("headlight-cli: error: ") && error.contains("cannot be written"), error);
    QCOMPARE(error.count('\n'), 1);
    const QStringList left = QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    QVERIFY2(!left.contains("new") && left.filter(".headlight").isEmpty(), qPrintable(left.join(' ')));
}

void TestCli::aLargeModelTakesTheMemoryOfItsWeights_data() {
    QTest::addColumn<QString>("dtype");
    QTest::newRow("F32") << "F32";
    QTest::newRow("F16") << "F16";
}

/// A hundred megabytes of weights, all of them zero, so that the file is a hole.
void TestCli::aLargeModelTakesTheMemoryOfItsWeights() {
    QFETCH(QString, dtype);
    const int vocabulary = 32000, width = 512, layers = 4, positions = 64;
    QDir(m_folder->path()).mkdir("large");
    QJsonObject header;
    qint64 size = 0;
    const auto add = [&](const QString& name, const QList<int>& shape) {
        qint64 bytes = dtype == "F32" ? 4 : 2;
        QJsonArray dims;
        for (const int dim : shape) {
            bytes *= dim;
            dims.append(dim);
        }
        header[name] = QJsonObject{{"dtype", dtype}, {"shape", dims}, {"data_offsets", QJsonArray{size, size + bytes}}};
        size += bytes;
    };
    add("wte.weight", {vocabulary, width});
    add("wpe.weight", {positions, width});
    const auto addNorm = [&](const QString& name) {
        for (const char* part : {".weight", ".bias"})
            add(name + part, {width});
    };
    for (int i = 0; i < layers; ++i) {
        const QString layer = QStringLiteral("h.%1.").arg(i);
        const auto addMap = [&](const QString& name, int in, int out) {
            add(layer + name + ".weight", {in, out});
            add(layer + name + ".bias", {out});
        };
        addMap("attn.c_attn", width, 3 * width);
        addMap("attn.c_proj", width, width);
        addMap("mlp.c_fc", width, 4 * width);
        addMap("mlp.c_proj", 4 * width, width);
        addNorm(layer + "ln_1");
        addNorm(layer + "ln_2");
    }
    addNorm("ln_f");
    QByteArray json = QJsonDocument(header).toJson(QJsonDocument::Compact);
    json.append(QByteArray(-json.size() & 7, ' '));
    const qint64 length = json.size();
    write(path("large/model.safetensors"), QByteArray(reinterpret_cast<const char*>(&length), 8) + json);
    QVERIFY(QFile::resize(path("large/model.safetensors"), 8 + length + size));
    write(path("large/config.json"), QJsonDocument(QJsonObject{{"model_type", "gpt2"},
                                                               {"n_embd", width},
                                                               {"n_layer", layers},
                                                               {"n_head", 8},
                                                               {"n_positions", positions},
                                                               {"vocab_size", vocabulary}})
                                         .toJson());

    const Result result = run({"bench", "--model", "large", "--tokens", "8", "--json"});
    QVERIFY2(result.status == 0, result.error);
    const QJsonObject told = jsonLines(result.out).value(0);
    const double weights = 4 * told["parameters"].toDouble(), peak = told["peak_bytes"].toDouble();
    QVERIFY(weights > 100e6);
    // Beside the weights: the program itself, what OpenBLAS holds, and the values.
    QVERIFY2(peak < 1.3 * weights + 40e6, qPrintable(QStringLiteral("%1 of %2").arg(peak).arg(weights)));
}

void TestCli::tooLittleMemoryIsSaidInALine_data() {
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

void TestCli::tooLittleMemoryIsSaidInALine() {
    QFETCH(QStringList, command);
    QFETCH(int, megabytes);
    QStringList quoted;
    for (const QString& word : command)
        quoted << "'" + word + "'";
    QProcess shell;
    shell.setWorkingDirectory(m_folder->path());
    shell.start("/bin/sh", {"-c", QStringLiteral("ulimit -v %1; exec '%2' %3")
                                      .arg(megabytes * 1000)
                                      .arg(QStringLiteral(HEADLIGHT_CLI), quoted.join(' '))});
    // What has memory enough may take its time; what has not says so at once.
    if (!shell.waitForFinished(60000)) {
        shell.kill();
        shell.waitForFinished();
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

QTEST_GUILESS_MAIN(TestCli)
#include "test_cli.moc"
