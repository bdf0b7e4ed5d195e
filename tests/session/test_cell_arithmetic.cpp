// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "core/io/model_file.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/cell_arithmetic.h"
#include "ui/session/trace/positions.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

using namespace headlight;

namespace {

QStringList shippedModelNames() {
    const QDir directory(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models"));
    return directory.entryList({QStringLiteral("*.safetensors")});
}

std::string pathOf(const QString& name) {
    return QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/%1").arg(name).toStdString();
}

constexpr const char* kGolden = HEADLIGHT_SOURCE_DIR "/tests/golden";

/// The numbers of each value's corners and of its middle are what their own written arithmetic comes to, and each has
/// one.
void compareAll(const TrainedModel& model, const Trace& trace) {
    for (const TraceRecord& record : trace.records()) {
        if (record.operation == Operation::Input || record.operation == Operation::Mask) continue;
        const int rows = matrixRows(record), columns = matrixColumns(record), heads = matrixHeads(record);
        for (const int head : {0, heads - 1})
            for (const int row : {0, rows / 2, rows - 1})
                for (const int column : {0, columns / 2, columns - 1}) {
                    const ValueCell cell{head, row, column};
                    const std::optional<CellArithmetic> written = cellArithmetic(model, trace, record, cell);
                    QVERIFY2(written && !written->steps.empty(), record.name.c_str());
                    const auto want = static_cast<double>(numberAt(record, cell));
                    const double got = written->steps.back().value;
                    QVERIFY2(std::abs(got - want) < 2e-4 * std::max(1.0, std::abs(want)),
                             qPrintable(QStringLiteral("%1[%2,%3,%4]: %5, not %6")
                                            .arg(QString::fromStdString(record.name))
                                            .arg(head)
                                            .arg(row)
                                            .arg(column)
                                            .arg(got)
                                            .arg(want)));
                }
    }
}

}  // namespace

class TestCellArithmetic : public QObject {
    Q_OBJECT
private slots:
    void everyNumberIsItsOwnArithmetic_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : shippedModelNames())
            QTest::newRow(qPrintable(name)) << name;
    }

    /// Of every value of every shipped model, the numbers of its corners and of its middle are what their own written
    /// arithmetic comes to, and each has one.
    void everyNumberIsItsOwnArithmetic() {
        QFETCH(QString, name);
        const TrainedModel model = loadModel(pathOf(name));
        const QString sentence = exampleSentence(model);
        QVERIFY(!sentence.isEmpty());
        compareAll(model, traceSentence(model, sentence.toStdString()));
    }

    void everyNumberOfTheGoldenModelsIsToo_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : QDir(QLatin1String(kGolden)).entryList({QStringLiteral("*.safetensors")}))
            if (!name.contains(QLatin1String(".expected."))) QTest::newRow(qPrintable(name)) << name;
    }

    /// They have what no shipped model has: positions beside the embedding, a final norm, tied weights, gates that read
    /// two directions side by side.
    void everyNumberOfTheGoldenModelsIsToo() {
        QFETCH(QString, name);
        const TrainedModel model = loadModel(QStringLiteral("%1/%2").arg(QLatin1String(kGolden), name).toStdString());
        compareAll(model, traceSentence(model, "w4 w9 w12 w5"));
    }

    void aModelThatIsToldNoPositionsHandsItsEmbeddingsOn() {
        const TrainedModel model = loadModel(pathOf(QStringLiteral("vi-en-transformer.safetensors")));
        const auto deaf = withoutPositions(model);
        const Trace trace = traceSentence(*deaf, "tôi yêu bạn");
        QCOMPARE(trace.at("encoder.input").operation, Operation::Identity);
        compareAll(*deaf, trace);
    }

    void aMutedHeadsMixIsWrittenAsZero() {
        const TrainedModel model = loadModel(pathOf(QStringLiteral("vi-en-transformer.safetensors")));
        const Trace trace = traceSentence(model, "tôi yêu bạn", {}, {{"encoder.layers.0.self_attn", 2}});
        const TraceRecord& mixed = trace.at("encoder.layers.0.self_attn.heads");
        const auto written = cellArithmetic(model, trace, mixed, {2, 1, 3});
        QVERIFY(written);
        QCOMPARE(written->steps.back().value, 0.0);
        QVERIFY(written->steps.size() == 2);
    }

    void aScoreComesFromARowOfQueriesAndARowOfKeys() {
        const TrainedModel model = loadModel(pathOf(QStringLiteral("vi-en-transformer.safetensors")));
        const Trace trace = traceSentence(model, "tôi yêu bạn");
        const TraceRecord& scores = trace.at("decoder.layers.0.cross_attn.scores");
        const ValueCell cell{4, 2, 1};
        const auto query = inputRegion(trace, scores, 0, cell), key = inputRegion(trace, scores, 1, cell);
        QVERIFY(query && key);
        QCOMPARE(query->row, 2);
        QCOMPARE(query->head, 4);
        QCOMPARE(key->row, 1);
        const auto joined = inputRegion(trace, trace.at("decoder.layers.0.cross_attn.concat"), 0, {0, 1, 17});
        QCOMPARE(joined->head, 2);
        QCOMPARE(joined->column, 1);
    }

    void theFormulaOfAScoreSaysAllThatItIsDividedBy() {
        const TrainedModel model = loadModel(std::string(kGolden) + "/kind_gpt2.safetensors");
        QVERIFY(model.network->config().scaleScoresByLayer && model.network->config().numLayers == 2);
        const Trace trace = traceIds(model, {4, 5, 6});
        for (const auto& [layer, divisor] :
             {std::pair("0", " / √d<sub>k</sub>"), std::pair("1", " / (2√d<sub>k</sub>)")}) {
            const TraceRecord& scores = trace.at(std::string("layers.") + layer + ".self_attn.scores");
            QVERIFY2(formulaText(scores).contains(QString::fromUtf8(divisor)), qPrintable(formulaText(scores)));
            const auto written = cellArithmetic(model, trace, scores, {0, 2, 1});
            QVERIFY2(written->formula.contains(QString::fromUtf8(divisor)), qPrintable(written->formula));
        }
    }

    void valuesHaveNamesForReaders() {
        const TrainedModel model = loadModel(pathOf(QStringLiteral("vi-en-transformer.safetensors")));
        const Trace trace = traceSentence(model, "tôi yêu bạn");
        QCOMPARE(valueTitle(trace.at("encoder.layers.0.self_attn.scores")), QStringLiteral("Scores"));
        QCOMPARE(valueTitle(trace.at("encoder.output")), QStringLiteral("Memory"));
        QCOMPARE(valueTitle(trace.at("decoder.layers.1.residual2")), QStringLiteral("Sum"));
        QCOMPARE(scopeTitle(trace.at("decoder.layers.1.cross_attn.weights")),
                 QStringLiteral("Decoder, layer 2, cross-attention"));
        QCOMPARE(shapeText(trace.at("encoder.layers.0.self_attn.q")), QStringLiteral("3×8"));
        QCOMPARE(rowNames(model, trace, trace.at("encoder.layers.0.self_attn.q")), QStringList({"tôi", "yêu", "bạn"}));
        QCOMPARE(columnNames(model, trace, trace.at("logits")).mid(0, 2), QStringList({"<pad>", "<bos>"}));
    }
};

QTEST_GUILESS_MAIN(TestCellArithmetic)
#include "test_cell_arithmetic.moc"
