// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of single words: PyTorch's numbers, its gradient by differences, its two parts, and a reading's words
// against what training adds up.
#include <QTest>
#include <cmath>
#include <fstream>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/translate.h"
#include "core/experiment/loss_of_words.h"
#include "core/io/model_file.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

const std::string lossOfWordsRoot = HEADLIGHT_SOURCE_DIR;

nlohmann::json expectedLosses() {
    std::ifstream file(lossOfWordsRoot + "/tests/golden/losses.json");
    return nlohmann::json::parse(file);
}

bool nearly(double a, double b, double within = 1e-9) {
    return std::abs(a - b) <= within * std::max(1.0, std::abs(b));
}

WordLoss wordOf(const nlohmann::json& each) {
    return {each["logits"].get<std::vector<double>>(), each["target"].get<int>(), each["smoothing"].get<double>()};
}

}  // namespace

class TestLossOfWords : public QObject {
    Q_OBJECT
private slots:
    void whatPyTorchSays() {
        const nlohmann::json all = expectedLosses();
        for (const nlohmann::json& each : all["cases"]) {
            const WordLoss word = wordOf(each);
            QVERIFY(nearly(word.loss(), each["loss"]));
            QVERIFY(nearly(word.probability(word.target()), each["probability"]));
            for (int k = 0; k < word.vocabulary(); ++k)
                QVERIFY(nearly(word.gradient(k), each["gradient"][size_t(k)]));
            QVERIFY(nearly(word.stepped().loss(), each["after"]));
        }
    }

    void theGradientIsThatOfTheLoss() {
        const nlohmann::json all = expectedLosses();
        for (const nlohmann::json& each : all["cases"]) {
            const WordLoss word = wordOf(each);
            constexpr double h = 1e-5;
            for (int k = 0; k < word.vocabulary(); ++k) {
                const auto lossAt = [&](double by) {
                    std::vector<double> logits = word.logits();
                    logits[size_t(k)] += by;
                    return WordLoss(logits, word.target(), word.smoothing()).loss();
                };
                QVERIFY(std::abs((lossAt(h) - lossAt(-h)) / (2 * h) - word.gradient(k)) < 1e-6);
            }
        }
    }

    void whatAddsUpToOneAndToNothing() {
        const nlohmann::json all = expectedLosses();
        for (const nlohmann::json& each : all["cases"]) {
            const WordLoss word = wordOf(each);
            double p = 0, q = 0, loss = 0;
            for (int k = 0; k < word.vocabulary(); ++k) {
                p += word.probability(k);
                q += word.wanted(k);
                loss -= word.wanted(k) * word.logProbability(k);
            }
            QVERIFY(nearly(p, 1) && nearly(q, 1));
            QVERIFY(nearly(word.loss(), loss));
            QVERIFY(nearly(word.ownPart() + word.othersPart(), loss));
        }
    }

    void theLeastLoss() {
        const nlohmann::json all = expectedLosses();
        for (const nlohmann::json& each : all["least"]) {
            const double at = each["at"], smoothing = each["smoothing"];
            const int vocabulary = each["vocabulary"];
            QVERIFY(nearly(leastLoss(at, smoothing, vocabulary), each["loss"]));
            for (const double by : {-0.01, 0.01})
                QVERIFY(leastLoss(at + by, smoothing, vocabulary) > leastLoss(at, smoothing, vocabulary));
        }
        QVERIFY(nearly(leastLoss(0.25, 0, 10), std::log(4)));
    }

    void stepsLeadToTheTargetDistribution() {
        const WordLoss word({2, 1, 0.1, -3}, 3, 0.2);
        QVERIFY(word.stepped().loss() < word.loss());
        const WordLoss far = word.stepped(500);
        for (int k = 0; k < 4; ++k)
            QVERIFY(nearly(far.probability(k), word.wanted(k), 1e-6));
    }

    void theWordsOfAReading_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("translator") << "vi-en-transformer"
                                    << "tôi đang học tiếng anh"
                                    << "i am learning apple" << QStringList{"i", "am", "learning", "apple", "<eos>"};
        QTest::newRow("recurrent") << "vi-en-gru"
                                   << "tôi yêu bạn"
                                   << "i love you" << QStringList{"i", "love", "you", "<eos>"};
        QTest::newRow("text") << "stories-transformer"
                              << "once there was a little girl"
                              << "" << QStringList{"once", "there", "was", "a", "little", "girl"};
        QTest::newRow("recurrent text") << "stories-lstm"
                                        << "once there was a girl"
                                        << "" << QStringList{"once", "there", "was", "a", "girl"};
    }
    void theWordsOfAReading() {
        QFETCH(QString, model);
        QFETCH(QString, source);
        QFETCH(QString, target);
        QFETCH(QStringList, words);
        const TrainedModel opened = fixture::loadShipped(qPrintable(model));
        const Trace trace = traceSentence(opened, source.toStdString(),
                                          target.isEmpty() ? std::nullopt : std::optional(target.toStdString()));
        const std::vector<int> targets = targetWords(opened.network->config(), trace);
        const std::vector<WordCost> costs = costsOf(trace, targets, 4);
        QStringList said;
        for (const WordCost& cost : costs)
            said << QString::fromStdString(opened.target->vocabulary().token(cost.target));
        QCOMPARE(said, words);
        for (const WordCost& cost : costs) {
            for (const double smoothing : {0.0, 0.1, 0.4}) {
                const WordLoss whole(logitsAt(trace, cost.position), cost.target, smoothing);
                QVERIFY(nearly(cost.loss(smoothing), whole.loss(), 1e-4));
                QVERIFY(nearly(cost.ownPart(smoothing), whole.ownPart(), 1e-4));
            }
            QCOMPARE(cost.likely.size(), size_t(4));
            for (size_t i = 1; i < cost.likely.size(); ++i)
                QVERIFY(cost.likely[i - 1].probability >= cost.likely[i].probability);
        }
        // What training says of the same words.
        std::vector<int> ids;
        for (const WordCost& cost : costs)
            ids.push_back(cost.target);
        Example example;
        if (opened.network->config().encoderDecoder()) {
            example.source = opened.source->encode(source.toStdString());
            ids.pop_back();
        } else {
            ids.insert(ids.begin(), trace.at("ids").ids().front());
        }
        example.target = ids;
        const LossReport report = lossOn(opened, {example});
        const SentenceLoss mean = meanLoss(costs, 0);
        QVERIFY(nearly(mean.plain, report.loss, 1e-4));
        QVERIFY(nearly(mean.smoothed, mean.plain));
        QVERIFY(nearly(mean.perplexity, std::exp(report.loss), 1e-3));
    }
};

QTEST_APPLESS_MAIN(TestLossOfWords)
#include "test_loss_of_words.moc"
