// SPDX-License-Identifier: GPL-3.0-or-later
// The models that ship are as good as docs/models.md says.
#include <QDirIterator>
#include <QTest>
#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/text_reading.h"
#include "core/io/model_file.h"

using namespace headlight;

namespace {

const QString folder = HEADLIGHT_SOURCE_DIR "/resources/models/";

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestShippedModels : public QObject {
    Q_OBJECT
private slots:
    void togetherTheyTakeLessThanThirtyMegabytes() {
        qint64 bytes = 0;
        for (QDirIterator it(folder, {"*.safetensors"}); it.hasNext();)
            bytes += QFileInfo(it.next()).size();
        QVERIFY2(bytes <= 30'000'000, qPrintable(QString::number(bytes)));
    }

    void eachHasItsCommandAndItsLineInTheTable() {
        const QString script = textOf(HEADLIGHT_SOURCE_DIR "/scripts/train-models");
        const QString table = textOf(HEADLIGHT_SOURCE_DIR "/docs/models.md");
        int models = 0;
        for (QDirIterator it(folder, {"*.safetensors"}); it.hasNext(); ++models) {
            const QString name = QFileInfo(it.next()).completeBaseName();
            QVERIFY2(script.contains("\nmodel " + name + " --task ") || script.contains("\n    real " + name + " ") ||
                         script.contains("\ntales " + name + " "),
                     qPrintable(name));
            QVERIFY2(table.contains("| `" + name + "`"), qPrintable(name));
        }
        QCOMPARE(models,
                 static_cast<int>(script.count("\nmodel ") + script.count("\n    real ") + script.count("\ntales ")));
    }

    // The figures of docs/models.md, a little rounded off: of translations whole sentences and BLEU, of texts
    // perplexity.
    void figuresHold_data() {
        QTest::addColumn<double>("test");
        QTest::addColumn<double>("unseen");
        QTest::newRow("vi-en-transformer") << 0.99 << 0.95;
        QTest::newRow("vi-en-pre-norm") << 0.99 << 0.92;
        QTest::newRow("vi-en-unsmoothed") << 0.99 << 0.92;
        QTest::newRow("vi-en-gru") << 0.91 << 0.65;
        QTest::newRow("vi-en-gru-initial") << 0.91 << 0.67;
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
        const CorpusSplits& splits = findTask(model.training.task()).corpus();
        for (const auto& [corpus, least] : {std::pair(&splits.test, test), std::pair(&splits.unseen, unseen)}) {
            const Evaluation result = evaluate(model, *corpus);
            const double found = result.sequenceAccuracy.value_or(-result.perplexity);
            QVERIFY2(found >= least, qPrintable(QString::number(found)));
            if (result.bleu) QVERIFY2(*result.bleu >= 83, qPrintable(QString::number(*result.bleu)));
        }
    }

    // The sentences that they learned from are not the project's: these were written for this test.
    void translatorsOfRealLanguageReadEverydaySentences_data() {
        QTest::addColumn<double>("least");  // BLEU, of six sentences
        QTest::newRow("en-fr-transformer") << 80.0;
        QTest::newRow("fr-en-transformer") << 40.0;
        QTest::newRow("en-fr-lstm-attention") << 60.0;
        QTest::newRow("en-fr-lstm") << 0.0;
    }
    void translatorsOfRealLanguageReadEverydaySentences() {
        QFETCH(double, least);
        const QString name = QTest::currentDataTag(), file = folder + name + QStringLiteral(".safetensors");
        QVERIFY(QFileInfo(file).size() <= 5'000'000);
        const TrainedModel model = loadModel(file.toStdString());
        QVERIFY(model.network->parameters().count() <= 2'500'000);
        QVERIFY(model.training.credit().find("Tatoeba") != std::string::npos);
        QCOMPARE(model.training.savedAs(), std::string("F16"));
        Corpus sentences = {{"The children are playing in the garden.", "Les enfants jouent dans le jardin."},
                            {"She gave me a book for my birthday.", "Elle m'a donné un livre pour mon anniversaire."},
                            {"Tom forgot to close the window.", "Tom a oublié de fermer la fenêtre."},
                            {"I'm looking for my keys.", "Je cherche mes clés."},
                            {"Nobody knows what happened.", "Personne ne sait ce qui s'est passé."},
                            {"The dog is sleeping under the table.", "Le chien dort sous la table."}};
        if (name.startsWith(QLatin1String("fr-")))
            for (SentencePair& pair : sentences)
                std::swap(pair.source, pair.target);
        const Evaluation result = evaluate(model, sentences, {.beam = 5});
        QVERIFY2(*result.bleu > least, qPrintable(QString::number(*result.bleu)));
    }

    // The books are not the project's: this tale was written for this test.
    void aModelOfRealEnglishTellsTales() {
        const TrainedModel model = loadModel((folder + "tales-transformer.safetensors").toStdString());
        QCOMPARE(model.training.savedAs(), std::string("F16"));
        QVERIFY(readingOf(model.training) == TextReading::Paragraphs);
        QVERIFY(model.training.credit().find("public domain") != std::string::npos);
        const auto perplexity = [&](const char* tale) {
            Corpus lines = {{"", tale}};
            lines[0].joint = Joint::None;
            return evaluate(model, lines).perplexity;
        };
        const double told = perplexity(
            "Once upon a time there lived an old king, who had a daughter. She was so beautiful that every prince in "
            "the "
            "world wished to marry her, but she would have none of them. At last the king was angry, and said that she "
            "must marry the first man who came to the palace.");
        const double shuffled = perplexity(
            "Old a king there time daughter upon lived who an had once a. Prince so every she that was the in world "
            "beautiful wished her to would marry none of them but she have. King angry last was at the and she said "
            "that "
            "man must palace the first to the who marry came.");
        QVERIFY2(told < 40, qPrintable(QString::number(told)));
        QVERIFY2(shuffled > 10 * told, qPrintable(QString::number(shuffled)));
    }

    // They are compared as three runs of one thing.
    void threeDifferInNothingButWhatTheyWereFed() {
        std::vector<std::string> stories;
        for (const auto& [name, fed] : {std::pair("vi-en-fed-truth", 1.0), std::pair("vi-en-fed-half", 0.5),
                                        std::pair("vi-en-fed-itself", 0.0)}) {
            const TrainedModel model = loadModel((folder + name + ".safetensors").toStdString());
            nlohmann::json story = model.training.json();
            QCOMPARE(story.contains("teacher_forcing") ? story["teacher_forcing"].front().get<double>() : 1.0, fed);
            for (const char* differs : {"teacher_forcing", "validation_loss", "bleu"})
                story.erase(differs);
            stories.push_back(story.dump());
            QVERIFY(*evaluate(model, findTask("vi-en").corpus().test).bleu >= 85);
        }
        QCOMPARE(stories[1], stories[0]);
        QCOMPARE(stories[2], stories[0]);
    }

    // Two that differ in nothing but ε: of what they have never seen together, the smoothed one is the less sure, and
    // writes more of it rightly.
    void smoothingCostsPerplexityAndPaysInBleu() {
        const auto evaluated = [](const char* name) {
            const TrainedModel model = loadModel((folder + name + ".safetensors").toStdString());
            return evaluate(model, findTask("vi-en").corpus().unseen);
        };
        const Evaluation smoothed = evaluated("vi-en-transformer"), plain = evaluated("vi-en-unsmoothed");
        QVERIFY2(smoothed.perplexity > plain.perplexity + 0.01, qPrintable(QString::number(smoothed.perplexity)));
        QVERIFY2(*smoothed.bleu > *plain.bleu + 1, qPrintable(QString::number(*plain.bleu)));
    }

    // What the lessons show with them: a vanilla RNN learns next to nothing, and one vector holds short sentences only.
    void theWeakOnesAreWeakInTheWayTheLessonsSay() {
        const auto load = [](const char* name) { return loadModel((folder + name + ".safetensors").toStdString()); };
        const CorpusSplits& splits = findTask("vi-en-long").corpus();
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
        const Corpus test = findTask("vi-en").corpus().test;
        QVERIFY(*evaluate(load("vi-en-rnn"), test).bleu < 20);
        QVERIFY(*evaluate(load("vi-en-no-residuals"), test).bleu < 1);
        QVERIFY(accuracy(load("vi-en-long-gru"), 1, 5) > 0.6);
        QVERIFY(accuracy(load("vi-en-long-rnn"), 1, 8) < 0.01);
    }
};

QTEST_APPLESS_MAIN(TestShippedModels)
#include "test_shipped_models.moc"
