// SPDX-License-Identifier: GPL-3.0-or-later
// The models that ship are as good as the README says.
#include <QDirIterator>
#include <QTest>
#include <cmath>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/io/model_file.h"

using namespace headlight;

namespace {

const QString folder = HEADLIGHT_SOURCE_DIR "/resources/models/";

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestShippedModels : public QObject {
    Q_OBJECT
private slots:
    void togetherTheyTakeLessThanTwelveMegabytes() {
        qint64 bytes = 0;
        for (QDirIterator it(folder, {"*.safetensors"}); it.hasNext();)
            bytes += QFileInfo(it.next()).size();
        QVERIFY2(bytes <= 12'000'000, qPrintable(QString::number(bytes)));
    }

    void eachHasItsCommandAndItsLineInTheReadme() {
        const QString script = read(HEADLIGHT_SOURCE_DIR "/scripts/train-models");
        const QString readme = read(HEADLIGHT_SOURCE_DIR "/README.md");
        int models = 0;
        for (QDirIterator it(folder, {"*.safetensors"}); it.hasNext(); ++models) {
            const QString name = QFileInfo(it.next()).completeBaseName();
            QVERIFY2(script.contains("\nmodel " + name + " --task "), qPrintable(name));
            QVERIFY2(readme.contains("| `" + name + "`"), qPrintable(name));
        }
        QCOMPARE(models, static_cast<int>(script.count("\nmodel ")));
    }

    // The figures of the README, a little rounded off: of translations whole sentences and BLEU, of texts perplexity.
    void figuresHold_data() {
        QTest::addColumn<double>("test");
        QTest::addColumn<double>("unseen");
        QTest::newRow("vi-en-transformer") << 0.99 << 0.95;
        QTest::newRow("fr-en-transformer") << 0.98 << 0.98;
        QTest::newRow("vi-en-gru") << 0.91 << 0.65;
        QTest::newRow("vi-en-long-lstm-attention") << 0.96 << 0.95;
        QTest::newRow("chat-gru-attention") << 0.98 << 0.98;
        QTest::newRow("sentiment-transformer") << 0.99 << 0.99;
        QTest::newRow("stories-transformer") << -1.56 << -1.59;
        QTest::newRow("stories-lstm") << -1.66 << -1.72;
    }
    void figuresHold() {
        QFETCH(double, test);
        QFETCH(double, unseen);
        const TrainedModel model =
            loadModel((folder + QTest::currentDataTag() + QStringLiteral(".safetensors")).toStdString());
        const CorpusSplits splits = findTask(model.training.task()).generate();
        for (const auto& [corpus, least] : {std::pair(&splits.test, test), std::pair(&splits.unseen, unseen)}) {
            const Evaluation result = evaluate(model, *corpus);
            const double found = result.sequenceAccuracy.value_or(-result.perplexity);
            QVERIFY2(found >= least, qPrintable(QString::number(found)));
            if (result.bleu) QVERIFY2(*result.bleu >= 83, qPrintable(QString::number(*result.bleu)));
        }
    }

    // What the lessons show with them: a vanilla RNN learns next to nothing, and one vector holds short sentences only.
    void theWeakOnesAreWeakInTheWayTheLessonsSay() {
        const auto load = [](const char* name) { return loadModel((folder + name + ".safetensors").toStdString()); };
        const CorpusSplits splits = findTask("vi-en-long").generate();
        const auto accuracy = [&](const TrainedModel& model, size_t shortest, size_t longest) {
            Corpus part;
            for (const SentencePair& pair : splits.test) {
                const size_t words = model.source->split(pair.source).size();
                if (words >= shortest && words <= longest) part.push_back(pair);
            }
            return *evaluate(model, part).sequenceAccuracy;
        };
        const TrainedModel without = load("vi-en-long-lstm"), with = load("vi-en-long-lstm-attention");
        QVERIFY(accuracy(without, 1, 5) > 0.6);
        QVERIFY(accuracy(without, 31, 40) < 0.05);
        QVERIFY(accuracy(with, 31, 40) > 0.9);
        QVERIFY(*evaluate(load("vi-en-rnn"), findTask("vi-en").generate().test).bleu < 20);
    }
};

QTEST_APPLESS_MAIN(TestShippedModels)
#include "test_shipped_models.moc"
