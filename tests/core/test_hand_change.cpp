// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that a reader puts into a reading by hand.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/hand_change.h"
#include "core/io/model_file.h"

using namespace headlight;

namespace {

constexpr auto kWeights = "decoder.layers.1.cross_attn.weights";
constexpr auto kSentence = "tôi đang học tiếng anh";

const TrainedModel& transformer() {
    static const TrainedModel model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
    return model;
}

const Trace& plain() {
    static const Trace trace = traceSentence(transformer(), kSentence);
    return trace;
}

/// The reading with the changes, of the words that the model writes without them.
Trace changed(const std::vector<std::string>& texts) {
    std::vector<HandChange> changes;
    for (const std::string& text : texts)
        changes.push_back(parseHandChange(text));
    const std::vector<Intervention> list = interventionsOf(changes, plain());
    const Written own = respond(transformer(), kSentence);
    return traceSentence(transformer(), kSentence, own.text, {}, nullptr, list);
}

std::vector<float> row(const Trace& trace, const std::string& name, int head, int at) {
    const TraceRecord& record = *trace.find(name);
    const auto columns = static_cast<std::ptrdiff_t>(record.shape.back());
    const std::ptrdiff_t rows = record.shape[record.shape.size() - 2];
    const auto begin = record.values.begin() + (head * rows + at) * columns;
    return {begin, begin + columns};
}

QString whyNot(const std::string& text) {
    try {
        interventionsOf({parseHandChange(text)}, plain());
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

}  // namespace

class TestHandChange : public QObject {
    Q_OBJECT

private slots:
    void textsComeBackAsTheyWere_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"encoder.output=0", "encoder.output[2]=-1.5", "decoder.output[:,7]*=2",
                                 "decoder.layers.1.cross_attn.weights[4,2,3]=0.1", "logits[1,2]=1e-09",
                                 "encoder.layers.0.self_attn.mask[2,3]=-inf", "source.mask[3]=-inf"})
            QTest::newRow(text) << QString(text);
    }
    void textsComeBackAsTheyWere() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(parseHandChange(text.toStdString()).text()), text);
    }

    void whatIsNoChangeIsSaid_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "=", "=1", "encoder.output", "encoder.output=", "encoder.output=one", "x[1=2", "x[0]=1", "x[-1]=1",
              "x[]=1", "x[1,]=2", "x[1,2,3,4]=1", "x[a]=1", "x=nan", "x=inf", "x*=-inf", "x=1 ", "x[99999999999]=1"})
            QTest::newRow(text) << QString(text);
    }
    void whatIsNoChangeIsSaid() {
        QFETCH(QString, text);
        QVERIFY_THROWS_EXCEPTION(Error, parseHandChange(text.toStdString()));
    }

    void aPlaceThatIsNotThereIsSaid() {
        QVERIFY(whyNot("nothing=1").contains("no value"));
        QVERIFY(whyNot("source.ids=1").contains("read another sentence"));
        QVERIFY(whyNot("log_probs=1").contains("change logits"));
        QVERIFY(whyNot(kWeights + std::string("[9,1,1]=0.5")).contains("has 8 heads"));
        QVERIFY(whyNot(kWeights + std::string("[1,99,1]=0.5")).contains("rows"));
        QVERIFY(whyNot("encoder.output[1,2,3]=0").contains("rows and columns"));
        QVERIFY(whyNot(kWeights + std::string("[1,1,1]=-0.5")).contains("below 0"));
        QVERIFY(whyNot(kWeights + std::string("[1,1]=0.5")).contains("more than one"));
        QVERIFY(whyNot("encoder.output=-inf").contains("masks alone"));
        QVERIFY(whyNot(kWeights + std::string("[1,1,1]=-inf")).contains("masks"));
        QVERIFY(whyNot("encoder.layers.0.self_attn.mask[1,1]=0.5").contains("0 or -inf"));
        QVERIFY(whyNot("source.mask=-inf").contains("word's number"));
        QVERIFY(whyNot("source.mask[1]=2").contains("word's number"));
        QVERIFY(whyNot("source.mask[9]=-inf").contains("there are 5 words"));
    }

    void aWeightThatIsSetStandsAndItsRowSumsToOne() {
        const std::vector<float> before = row(plain(), kWeights, 3, 1);
        const std::vector<float> after = row(changed({kWeights + std::string("[4,2,3]=0.6")}), kWeights, 3, 1);
        QCOMPARE(after[2], 0.6F);
        double sum = 0;
        for (const float weight : after)
            sum += static_cast<double>(weight);
        QVERIFY(std::abs(sum - 1) < 1e-6);
        for (size_t i = 0; i < after.size(); ++i)
            if (i != 2) QVERIFY(std::abs(after[i] - before[i] * (1 - 0.6F) / (1 - before[2])) < 1e-6F);
    }

    void twoWeightsOfARowBothStand() {
        const std::vector<float> after = row(
            changed({kWeights + std::string("[4,2,3]=0.6"), kWeights + std::string("[4,2,1]=0.25")}), kWeights, 3, 1);
        QCOMPARE(after[2], 0.6F);
        QCOMPARE(after[0], 0.25F);
    }

    void aHeadWhoseWeightsAreZeroIsMuted() {
        const Trace byHand = changed({kWeights + std::string("[4]=0")});
        const Written own = respond(transformer(), kSentence);
        const Trace byMuting = traceSentence(transformer(), kSentence, own.text,
                                             {parseMutedHead("decoder.layers.1.cross_attn.3", *transformer().network)});
        QCOMPARE(byHand.find("logits")->values, byMuting.find("logits")->values);
    }

    void aNeuronIsHeldForEveryWord() {
        const TraceRecord& record = *plain().find("decoder.layers.0.ffn.activation");
        const Trace after = changed({record.name + "[:,5]=2"});
        for (int word = 0; word < record.dim(0); ++word)
            QCOMPARE(row(after, record.name, 0, word)[4], 2.0F);
        QVERIFY(after.find("logits")->values != plain().find("logits")->values);
    }

    void aFactorMultipliesWhatWasThere() {
        const std::vector<float> before = row(plain(), "encoder.output", 0, 1);
        const std::vector<float> after = row(changed({"encoder.output[2]*=0.5"}), "encoder.output", 0, 1);
        for (size_t i = 0; i < after.size(); ++i)
            QCOMPARE(after[i], before[i] * 0.5F);
    }

    void whatIsUpstreamStaysAsItWas() {
        const Trace after = changed({kWeights + std::string("[4,2,3]=0.6")});
        for (const TraceRecord& record : plain().records()) {
            if (record.name == kWeights) break;
            QCOMPARE(after.find(record.name)->values, record.values);
        }
    }

    void aMaskedCellGivesItsWeightToTheOthers() {
        const std::string block = "encoder.layers.0.self_attn";
        const Trace after = changed({block + ".mask[2,3]=-inf"});
        QCOMPARE(after.at(block + ".mask").values[1 * 5 + 2], -std::numeric_limits<float>::infinity());
        for (int head = 0; head < 8; ++head) {
            const std::vector<float> was = row(plain(), block + ".weights", head, 1),
                                     is = row(after, block + ".weights", head, 1);
            QCOMPARE(is[2], 0.0F);
            for (size_t i = 0; i < is.size(); ++i)
                if (i != 2) QVERIFY(std::abs(is[i] - was[i] / (1 - was[2])) < 1e-5F);
            QCOMPARE(row(after, block + ".weights", head, 0), row(plain(), block + ".weights", head, 0));
        }
        // The same through the scores, of one head alone.
        const Trace one = changed({block + ".scores[3,2,3]=-inf"});
        QCOMPARE(row(one, block + ".weights", 2, 1), row(after, block + ".weights", 2, 1));
        QCOMPARE(row(one, block + ".weights", 1, 1), row(plain(), block + ".weights", 1, 1));
    }

    void whatTheMaskForbidsIsAllowedAgain() {
        const Trace after = changed({"decoder.layers.0.self_attn.mask[1,2]=0"});
        const std::vector<float> weights = row(after, "decoder.layers.0.self_attn.weights", 0, 0);
        QVERIFY(weights[1] > 0);
        QVERIFY(std::abs(weights[0] + weights[1] - 1) < 1e-5F);
        QCOMPARE(row(plain(), "decoder.layers.0.self_attn.weights", 0, 0)[1], 0.0F);
    }

    void aRowThatIsMaskedEverywhereIsZeros() {
        for (const char* what : {"mask[2]=-inf", "scores[:,2]=-inf"}) {
            const std::string block = "encoder.layers.0.self_attn";
            const Trace after = changed({block + "." + what});
            for (int head = 0; head < 8; ++head) {
                QCOMPARE(row(after, block + ".weights", head, 1), std::vector<float>(5, 0.0F));
                QCOMPARE(row(after, block + ".heads", head, 1), std::vector<float>(8, 0.0F));
            }
            for (const float number : after.at("log_probs").values)
                QVERIFY(std::isfinite(number));
        }
    }

    void aMaskedWordIsReadNowhere_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("transformer") << "vi-en-transformer";
        QTest::newRow("recurrent") << "vi-en-long-lstm-attention";
        QTest::newRow("one stack") << "sentiment-transformer";
    }
    void aMaskedWordIsReadNowhere() {
        QFETCH(QString, name);
        const TrainedModel model =
            loadModel((HEADLIGHT_SOURCE_DIR "/resources/models/" + name + ".safetensors").toStdString());
        const bool writes = model.network->config().encoderDecoder();
        const Trace before = traceSentence(model, kSentence);
        const std::vector<HandChange> changes = {parseHandChange("source.mask[4]=-inf")};
        const std::vector<Intervention> list = interventionsOf(changes, before);
        const Written written = respond(model, kSentence, {}, list);
        const Trace after =
            traceSentence(model, kSentence, writes ? std::optional(written.text) : std::nullopt, {}, nullptr, list);
        int blocks = 0;
        for (const TraceRecord& record : after.records()) {
            if (!record.is(ModuleKind::Attention, Part::Weights) || record.axes.back() != Axis::SourceToken) continue;
            ++blocks;
            const auto columns = static_cast<size_t>(record.shape.back());
            for (size_t i = 3; i < record.values.size(); i += columns)
                QCOMPARE(record.values[i], 0.0F);
        }
        QVERIFY(blocks > 0);
        QCOMPARE(list.size(), static_cast<size_t>(blocks));
        for (const TraceRecord& record : before.records())
            if (record.is(ModuleKind::Attention, Part::Mask) && record.axes.back() == Axis::SourceToken) {
                QVERIFY(isChanged(changes, record, 0, 0, 3));
                QVERIFY(!isChanged(changes, record, 0, 0, 2));
            }
        if (!writes) return;
        // Step by step it writes what the whole pass says.
        double sum = 0;
        const TraceRecord& logProbs = after.at("log_probs");
        for (size_t at = 0; at < written.tokenLogProbs.size(); ++at) {
            const std::vector<float> said = row(after, "log_probs", 0, static_cast<int>(at));
            sum += static_cast<double>(*std::ranges::max_element(said));
        }
        QCOMPARE(static_cast<size_t>(logProbs.dim(0)), written.tokenLogProbs.size());
        QVERIFY2(std::abs(sum - written.logProb) < 1e-3, qPrintable(QString::number(sum - written.logProb)));
    }

    void theChangedNumbersAreKnown() {
        const std::vector<HandChange> changes = {parseHandChange(kWeights + std::string("[4,2,3]=0.6")),
                                                 parseHandChange("encoder.output[:,5]=1")};
        const TraceRecord &weights = *plain().find(kWeights), &output = *plain().find("encoder.output");
        QVERIFY(isChanged(changes, weights, 3, 1, 2));
        QVERIFY(!isChanged(changes, weights, 3, 1, 1));
        QVERIFY(!isChanged(changes, weights, 2, 1, 2));
        QVERIFY(isChanged(changes, output, 0, 3, 4));
        QVERIFY(!isChanged(changes, output, 0, 3, 5));
    }
};

QTEST_MAIN(TestHandChange)
#include "test_hand_change.moc"
