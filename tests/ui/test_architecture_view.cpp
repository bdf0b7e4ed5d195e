// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of the whole model: it follows the model's own modules, every value can be reached, and what it shows are
// the trace's numbers.
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "core/data/translate.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/matrix_text.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/module_tree.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/architecture/operation_graph.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/value_panel.h"
#include "ui/views/values/values_view.h"
#include "ui/widgets/matrix/arithmetic_lines.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/time/plain_chart.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

constexpr auto kVietnamese = "vi-en-transformer";

struct Opened {
    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;
};

Opened open(const QString& name) {
    Opened opened;
    opened.model = fixture::shippedModel(name);
    opened.trace = readSentence(*opened.model, exampleSentence(*opened.model)).trace;
    return opened;
}

}  // namespace

class TestArchitectureView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        motion::setReduced(true);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void everyValueOfEveryModelIsDrawn_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : fixture::shippedModelNames())
            QTest::newRow(qPrintable(name)) << name;
    }

    /// Each value belongs to a block that has a place in the drawing, and once looked at its matrix is in the detail,
    /// inside of the panel, with nothing over another.
    void everyValueOfEveryModelIsDrawn() {
        QFETCH(QString, name);
        const Opened opened = open(name);
        Selection selection;
        ArchitectureView view(&selection);
        view.resize(1376, 640);
        view.setReading(opened.model, opened.trace);
        view.show();
        ArchitectureStage& stage = *view.stage();
        for (int i = 0; i < static_cast<int>(opened.trace->records().size()); ++i) {
            const TraceRecord& record = opened.trace->records()[static_cast<size_t>(i)];
            selection.setValue(QString::fromStdString(record.name));
            QCOMPARE(stage.current(), i);
            const ModuleTree::Place place = stage.tree().placeOf(i);
            QVERIFY2(place.valid(), record.name.c_str());
            if (record.operation == Operation::Mask) continue;
            const int node = stage.graph().nodeOf(i);
            QVERIFY2(node >= 0, record.name.c_str());
            for (const OperationGraph::Node& each : stage.graph().nodes) {
                QVERIFY2(stage.detailRect().contains(each.matrix), record.name.c_str());
                for (const OperationGraph::Node& other : stage.graph().nodes)
                    QVERIFY2(&each == &other || !each.matrix.intersects(other.matrix), record.name.c_str());
            }
        }
        for (const ArchitectureMap::Item& item : stage.map().items)
            QVERIFY(QRectF(stage.rect()).contains(item.rect));
        stage.grab();
    }

    /// After a rewind an opened block was empty, with no way to where it is computed.
    void whatIsNotComputedYetOffersToGoThere() {
        const Opened translator = open(QLatin1String(kVietnamese));
        Selection selection;
        ArchitectureView view(&selection);
        view.resize(1376, 640);
        view.setReading(translator.model, translator.trace);
        view.show();
        const std::string wanted = "decoder.layers.1.cross_attn.weights";
        selection.setValue(QString::fromStdString(wanted));
        QVERIFY(view.stage()->offerRect().isNull());
        view.setRevealed(5);
        const QRectF offer = view.stage()->offerRect();
        QVERIFY(view.stage()->detailRect().contains(offer));
        QVERIFY(fixture::drawn(*view.stage()).mentions(QStringLiteral("Not computed yet")));
        for (const OperationGraph::Node& node : view.stage()->graph().nodes)
            QVERIFY2(!node.matrix.intersects(offer), "it stands on no matrix");
        QSignalSpy asked(&view, &ArchitectureView::stepWanted);
        QTest::mouseClick(view.stage(), Qt::LeftButton, {}, offer.center().toPoint());
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().toInt(), translator.trace->indexOf(wanted));
        view.setRevealed(-1);
        QVERIFY(view.stage()->offerRect().isNull());
    }

    void theDrawingHasTheModelsOwnModules() {
        const Opened translator = open(QLatin1String(kVietnamese));
        const ModuleTree tree = moduleTree(*translator.trace);
        QCOMPARE(tree.stacks.size(), 2u);
        const auto layers = [](const ModuleStack& stack) {
            return std::ranges::count_if(stack.layers, [](const ModuleLayer& layer) { return layer.isLayer; });
        };
        QCOMPARE(layers(tree.stacks[0]), translator.model->network->config().numEncoderLayers);
        QCOMPARE(layers(tree.stacks[1]), translator.model->network->config().numDecoderLayers);
        QStringList blocks;
        for (const ModuleBlock& block : tree.stacks[1].layers[1].blocks)
            blocks << block.label;
        QCOMPARE(blocks,
                 QStringList({"Masked self-attention", "Norm", "Cross-attention", "Norm", "Feed-forward", "Norm"}));
        const ModuleTree stories = moduleTree(*open(QStringLiteral("stories-lstm")).trace);
        QCOMPARE(stories.stacks.size(), 1u);
        QCOMPARE(stories.stacks[0].layers[1].blocks[0].label, QStringLiteral("LSTM"));
        const ModuleTree chat = moduleTree(*open(QStringLiteral("chat-gru-attention")).trace);
        QCOMPARE(chat.stacks[0].layers[1].blocks[1].label, QStringLiteral("GRU backwards"));
    }

    void theColoursOfTheCellsAreTheTracesNumbers() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ArchitectureStage stage(&selection);
        stage.resize(980, 640);
        stage.setReading(opened.model, opened.trace);
        selection.setHead(5);
        const TraceRecord& heads = opened.trace->at("encoder.layers.0.self_attn.heads");
        selection.setValue(QString::fromStdString(heads.name));
        const int node = stage.graph().nodeOf(stage.current());
        const ColorScale scale = ColorScale::scores(heads.values);
        const QImage image = stage.grab().toImage();
        for (int row = 0; row < matrixRows(heads); ++row)
            for (int column = 0; column < matrixColumns(heads); column += 3) {
                const QRectF cell = stage.graph().regionRect(*opened.trace, node, row, column);
                const QColor want = scale.color(Theme::light(), static_cast<double>(numberAt(heads, {5, row, column})));
                const QColor got = image.pixelColor((cell.center() * image.devicePixelRatio()).toPoint());
                QVERIFY2(std::abs(want.red() - got.red()) < 3 && std::abs(want.blue() - got.blue()) < 3,
                         qPrintable(QStringLiteral("%1,%2: %3 %4").arg(row).arg(column).arg(want.name(), got.name())));
            }
    }

    void whatIsComputedLaterIsAnOutline() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ArchitectureStage stage(&selection);
        stage.resize(980, 640);
        stage.setReading(opened.model, opened.trace);
        selection.setValue(QStringLiteral("encoder.layers.0.self_attn.scores"));
        const int weights = stage.graph().nodeOf(opened.trace->indexOf("encoder.layers.0.self_attn.weights"));
        const QPointF middle = stage.graph().regionRect(*opened.trace, weights, 0, 0).center() + QPointF(12, 6);
        QVERIFY(fixture::colorAt(stage, middle) != Theme::light().surface);
        stage.setRevealed(stage.current());
        QCOMPARE(fixture::colorAt(stage, middle), Theme::light().surface);
    }

    void zoomGoesFromTheWholeModelToOneOperation() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ArchitectureView view(&selection);
        view.resize(1376, 640);
        view.setReading(opened.model, opened.trace);
        view.show();
        ArchitectureStage& stage = *view.stage();
        stage.setFocus();
        QCOMPARE(view.path(), QStringList({"Model", "Encoder", "Layer 1", "Self-attention"}));
        QTest::keyClick(&stage, Qt::Key_Return);
        QCOMPARE(view.path().last(), QStringLiteral("Scores"));
        QCOMPARE(stage.graph().nodes.size(), 3u);  // Q, K and the scores
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&stage, Qt::Key_Escape);
        QCOMPARE(stage.level(), ArchitectureLevel::Model);
        QCOMPARE(view.path(), QStringList({"Model"}));
        QVERIFY(stage.map().frames.empty());
        // A click on a layer opens it, one on a block its inside.
        const auto click = [&](ArchitectureMap::ItemKind kind, const char* scope) {
            for (const ArchitectureMap::Item& item : stage.map().items)
                if (item.kind == kind && item.place.valid() && stage.tree().block(item.place).scope.starts_with(scope))
                    return QTest::mouseClick(&stage, Qt::LeftButton, {}, item.rect.center().toPoint());
            QFAIL("no such item");
        };
        click(ArchitectureMap::ItemKind::ClosedLayer, "decoder.layers.1");
        QCOMPARE(stage.level(), ArchitectureLevel::Layer);
        QCOMPARE(view.path(), QStringList({"Model", "Decoder", "Layer 2"}));
        click(ArchitectureMap::ItemKind::Block, "decoder.layers.1.ffn");
        QCOMPARE(stage.level(), ArchitectureLevel::Block);
        QCOMPARE(selection.value(), QStringLiteral("decoder.layers.1.ffn.output"));
    }

    void noWayAroundCrossesAMatrix() {
        const auto t5 =
            std::make_shared<const TrainedModel>(loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/kind_t5.safetensors"));
        const Trace trace = traceIds(*t5, {5, 9, 11, 7, 6, 3, 8, 4, 10}, {0, 7, 8, 5, 6, 9, 11});
        int around = 0;
        const ModuleTree tree = moduleTree(trace);
        for (const ModuleStack& stack : tree.stacks)
            for (const ModuleLayer& layer : stack.layers)
                for (const ModuleBlock& block : layer.blocks) {
                    const OperationGraph graph = layOutOperations(trace, block.records, {20, 60, 860, 380});
                    for (const OperationGraph::Flow& flow : graph.flows) {
                        if (flow.points.size() == 4) continue;
                        ++around;
                        for (size_t i = 1; i < flow.points.size(); ++i)
                            for (const OperationGraph::Node& node : graph.nodes) {
                                const QRectF way = QRectF(flow.points[i - 1], flow.points[i]).normalized();
                                QVERIFY2(!node.matrix.intersects(way.adjusted(-1, -1, 1, 1)), block.scope.c_str());
                            }
                    }
                }
        QVERIFY(around > 0);
    }

    /// As beside a lesson at 1280 px.
    void anOpenBlockStaysWithinANarrowFrame() {
        const Opened opened = open(QLatin1String(kVietnamese));
        const QRectF area(40, 60, 440, 160);
        for (const ModuleStack& stack : moduleTree(*opened.trace).stacks)
            for (const ModuleLayer& layer : stack.layers)
                for (const ModuleBlock& block : layer.blocks)
                    for (const OperationGraph::Node& node : layOutOperations(*opened.trace, block.records, area).nodes)
                        QVERIFY2(node.matrix.left() >= area.left() && node.matrix.right() <= area.right() + 1,
                                 block.scope.c_str());
    }

    void arrowKeysGoFromValueToValueAndFromHeadToHead() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ArchitectureStage stage(&selection);
        stage.resize(980, 640);
        stage.setReading(opened.model, opened.trace);
        selection.setValue(QStringLiteral("encoder.layers.0.self_attn.scores"));
        QTest::keyClick(&stage, Qt::Key_Right);  // over the mask
        QCOMPARE(selection.value(), QStringLiteral("encoder.layers.0.self_attn.weights"));
        QCOMPARE(selection.block(), QStringLiteral("encoder.layers.0.self_attn"));
        QTest::keyClick(&stage, Qt::Key_Left);
        QTest::keyClick(&stage, Qt::Key_Left);
        QCOMPARE(selection.value(), QStringLiteral("encoder.layers.0.self_attn.v"));
        QTest::keyClick(&stage, Qt::Key_Down);
        QCOMPARE(selection.head(), 1);
    }

    void pointingAtANumberWritesItOut() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ArchitectureView view(&selection);
        view.resize(1376, 640);
        view.setReading(opened.model, opened.trace);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        ArchitectureStage& stage = *view.stage();
        const int node = stage.graph().nodeOf(stage.current());
        QTest::mouseMove(&stage, stage.graph().regionRect(*opened.trace, node, 2, 1).center().toPoint());
        const TraceRecord& scores = opened.trace->at("encoder.layers.0.self_attn.scores");
        const auto& written = view.number()->lines()->arithmetic();
        QVERIFY(written);
        QVERIFY(std::abs(written->steps.back().value - static_cast<double>(numberAt(scores, {0, 2, 1}))) < 1e-4);
        // The bars below are the weights of that row, as the trace has them.
        double sum = 0;
        const TraceRecord& weights = opened.trace->at("encoder.layers.0.self_attn.weights");
        for (size_t i = 0; i < view.number()->row()->bars().size(); ++i) {
            const WordBars::Bar& bar = view.number()->row()->bars()[i];
            QCOMPARE(bar.probability, static_cast<double>(numberAt(weights, {0, 2, static_cast<int>(i)})));
            sum += bar.probability;
        }
        QVERIFY(std::abs(sum - 1) < 1e-5);
        // The same cell is the selection's, for every other view.
        QCOMPARE(selection.shown().query, 2);
        QCOMPARE(selection.shown().key, 1);
    }

    void aMatrixIsCopiedForSpreadsheetsAndForNumPy() {
        const std::vector<float> numbers = {1, -0.1f, INFINITY, 3};
        QCOMPARE(toTsv({"a", "b\tc"}, {"x", "y"}, numbers),
                 QStringLiteral("\tx\ty\na\t1\t-0.100000001\nb c\tinf\t3\n"));
        QCOMPARE(toNumPy(2, 2, numbers),
                 QStringLiteral("np.array([[1, -0.100000001],\n          [np.inf, 3]], dtype=np.float32)"));
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ValuePanel panel(&selection);
        panel.setReading(opened.model, opened.trace);
        selection.setValue(QStringLiteral("encoder.layers.0.self_attn.weights"));
        panel.copyTsv();
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + static_cast<qsizetype>(opened.trace->sourceTokens.size()));
        const float first = lines[1].split(u'\t')[1].toFloat();
        QCOMPARE(first, numberAt(opened.trace->at("encoder.layers.0.self_attn.weights"), {0, 0, 0}));
        panel.copyNumPy();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QLatin1String("np.array([[")));
    }

    void aHistogramCountsEveryFiniteNumberOnce() {
        const std::vector<float> numbers = {0, 1, 2, 3, 4, -INFINITY, 4};
        const Histogram histogram = histogramOf(numbers, 4);
        QCOMPARE(histogram.counts, std::vector<int>({1, 1, 1, 3}));
        QCOMPARE(histogram.notFinite, 1);
        QCOMPARE(histogram.high, 4.0);
    }

    void everyValueIsFoundByItsName() {
        const Opened opened = open(QStringLiteral("vi-en-long-lstm-attention"));
        Selection selection;
        ValuesView view(&selection);
        view.resize(1376, 640);
        view.setReading(opened.model, opened.trace);
        view.show();
        size_t rows = 0, shown = 0;
        const auto count = [&] {
            rows = shown = 0;
            for (int i = 0; i < view.list()->topLevelItemCount(); ++i)
                for (int j = 0; j < view.list()->topLevelItem(i)->childCount(); ++j) {
                    ++rows;
                    shown += view.list()->topLevelItem(i)->child(j)->isHidden() ? 0 : 1;
                }
        };
        count();
        QCOMPARE(rows, opened.trace->records().size());
        QTest::keyClicks(view.filter(), QStringLiteral("forget"));
        count();
        QCOMPARE(shown, 2u);
        selection.setValue(QStringLiteral("decoder.layers.0.gates.forget"));
        QCOMPARE(view.value()->title(), QStringLiteral("Forget gate"));
        const TraceRecord& forget = opened.trace->at("decoder.layers.0.gates.forget");
        QCOMPARE(view.value()->matrix()->data().values, forget.values);
        QTest::keyClick(view.value()->matrix(), Qt::Key_Right);  // pins the first number
        QVERIFY(view.number()->lines()->arithmetic());
        view.value()->showHistogram(true);
        double most = 0;
        for (const QPointF& point : view.value()->histogram()->lines()[0])
            most = std::max(most, point.y());
        QVERIFY(most >= 1);
    }

    void theArithmeticFitsANarrowPanel() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ValuesView view(&selection);
        view.resize(900, 380);
        view.setReading(opened.model, opened.trace);
        view.show();
        selection.setValue(QStringLiteral("encoder.layers.0.self_attn.scores"));
        QTest::keyClick(view.value()->matrix(), Qt::Key_Right);
        QVERIFY(view.number()->lines()->arithmetic());
        QCoreApplication::processEvents();
        const QWidget& content = *view.number()->parentWidget();
        QVERIFY(content.width() <= content.parentWidget()->width());  // it scrolls down only
    }

    /// The range of a masked matrix is that of the cells that may be looked at.
    void theRangeLeavesOutMaskedCells() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ValuePanel panel(&selection);
        panel.resize(420, 420);
        panel.setReading(opened.model, opened.trace);
        selection.setValue(QStringLiteral("decoder.layers.0.self_attn.scores"));
        panel.showHistogram(true);
        panel.show();
        const MatrixData& shown = panel.matrix()->data();
        double low = 1e9, high = -1e9, counted = 0;
        int cells = 0;
        for (int row = 0; row < shown.rows; ++row)
            for (int column = 0; column <= row; ++column, ++cells) {
                low = std::min(low, static_cast<double>(shown.value(row, column)));
                high = std::max(high, static_cast<double>(shown.value(row, column)));
            }
        QVERIFY(shown.isMasked(0, 1) && !shown.isMasked(1, 0));
        const PlainChart::Line& bars = panel.histogram()->lines().front();
        QCOMPARE(bars.front().x(), low);
        QCOMPARE(bars.back().x(), high);
        for (size_t i = 1; i + 1 < bars.size(); i += 2)
            counted += bars[i].y();
        QCOMPARE(counted, double(cells));
    }

    void largeMatricesScroll() {
        const Opened opened = open(QLatin1String(kVietnamese));
        Selection selection;
        ValuePanel panel(&selection);
        panel.resize(420, 420);
        panel.setReading(opened.model, opened.trace);
        selection.setValue(QStringLiteral("log_probs"));
        panel.show();
        QCOMPARE(panel.matrix()->data().columns, 503);
        QTest::keyClick(panel.matrix(), Qt::Key_Right);
        selection.setNumber({0, 1, 450});
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(panel.matrix(), Qt::Key_Right);
        QCOMPARE(panel.matrix()->locked().column, 453);
        QVERIFY(panel.matrix()->viewport()->rect().contains(panel.matrix()->cellRect({1, 453}).toAlignedRect()));
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestArchitectureView)
#include "test_architecture_view.moc"
