// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of the whole model: every way begins at what it carries and ends at what takes it in.
#include <QTest>
#include <algorithm>

#include "core/data/translate.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/values/value_panel.h"
#include "ui/widgets/theme/paint.h"

using namespace headlight;

namespace {

using Item = ArchitectureMap::Item;
using ItemKind = ArchitectureMap::ItemKind;
using Line = ArchitectureMap::Line;

bool isNear(QPointF a, QPointF b) {
    return std::abs(a.x() - b.x()) < 1 && std::abs(a.y() - b.y()) < 1;
}
QPointF rightOf(const QRectF& box) {
    return {box.right(), box.center().y()};
}
QPointF leftOf(const QRectF& box) {
    return {box.left(), box.center().y()};
}
QPointF topOf(const QRectF& box) {
    return {box.center().x(), box.top()};
}

/// A stage that has read its model's example.
struct Drawing {
    explicit Drawing(const QString& name, QSize size = {980, 640})
        : stage(&selection), model(fixture::shippedModel(name)) {
        stage.resize(size);
        trace = readSentence(*model, exampleSentence(*model)).trace;
        stage.setReading(model, trace);
        chooseFirstValue(selection, *trace);
    }

    void lookAt(const char* value) { selection.setValue(QLatin1String(value)); }
    int record(const char* name) const { return trace->indexOf(name); }
    const TraceRecord& recordAt(int at) const { return trace->records()[static_cast<size_t>(at)]; }
    /// The box of a kind that looks at this value when it is clicked; not valid: there is none.
    QRectF box(ItemKind kind, const char* value) const {
        for (const Item& item : stage.map().items)
            if (item.kind == kind && item.record == record(value)) return item.rect;
        return {};
    }
    bool hasWay(QPointF from, QPointF to) const {
        return std::ranges::any_of(stage.map().lines, [&](const Line& line) {
            return isNear(line.points.front(), from) && isNear(line.points.back(), to);
        });
    }
    /// From above, and not through the name of the layer around it.
    bool comesDown(QPointF from, const QRectF& into) const {
        return std::ranges::any_of(stage.map().lines, [&](const Line& line) {
            const QPointF to = line.points.back();
            if (!isNear(line.points.front(), from) || std::abs(to.y() - into.top()) > 1) return false;
            for (const ArchitectureMap::Frame& frame : stage.map().frames) {
                const double name =
                    frame.nameAt().x() + paint::textWidth(frame.label, ArchitectureMap::Frame::nameFont());
                if (frame.rect.contains(into.center()) && to.x() < name) return false;
            }
            return to.x() > into.left() && to.x() < into.right();
        });
    }
    bool arrivesAt(QPointF to) const {
        return std::ranges::any_of(stage.map().lines, [&](const Line& line) { return isNear(line.points.back(), to); });
    }
    const OperationGraph::Flow& flow(const char* from, const char* to) const {
        const OperationGraph& graph = stage.graph();
        const auto found = std::ranges::find_if(graph.flows, [&](const OperationGraph::Flow& each) {
            return each.from == graph.nodeOf(record(from)) && each.to == graph.nodeOf(record(to));
        });
        return *found;
    }

    Selection selection;
    ArchitectureStage stage;
    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;
};

}  // namespace

class TestArchitectureWays : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        motion::setReduced(true);
    }
    void cleanupTestCase() { m_theme.reset(); }

    /// The lower way's “±1.0” was written on the strip above it.
    void whatAStripsColoursStandForIsWrittenOnNoStrip() {
        for (const QSize& size : {QSize(980, 640), QSize(980, 520), QSize(2260, 1200)}) {
            const Drawing drawn("en-fr-lstm-attention", size);
            int strips = 0;
            for (const Item& strip : drawn.stage.map().items) {
                if (strip.kind != ItemKind::Strip) continue;
                ++strips;
                for (const Item& other : drawn.stage.map().items)
                    if (other.kind == ItemKind::Strip) QVERIFY(!other.rect.intersects(drawn.stage.stripLabel(strip)));
            }
            QVERIFY(strips > 4);
        }
    }

    /// They stood in series: the backward layer seemed to read what the forward one made.
    void bothDirectionsReadTheEmbeddingAndJoin() {
        const Drawing drawn("chat-gru-attention");
        const QRectF forward = drawn.box(ItemKind::Block, "encoder.layers.0.hidden"),
                     backward = drawn.box(ItemKind::Block, "encoder.layers.0.reverse.hidden"),
                     embedding = drawn.box(ItemKind::Strip, "encoder.embedding");
        QVERIFY(forward.isValid() && backward.isValid() && embedding.isValid());
        QVERIFY2(!forward.intersects(backward) && std::abs(forward.left() - backward.left()) < 1, "two lanes");
        QVERIFY(!drawn.hasWay(rightOf(forward), leftOf(backward)));
        const double middle = embedding.center().y();
        QVERIFY(drawn.hasWay({embedding.right(), middle}, leftOf(forward)));
        QVERIFY(drawn.hasWay({embedding.right(), middle}, leftOf(backward)));
        // What each made is shown, and both go into the map behind them.
        const QRectF made = drawn.box(ItemKind::Strip, "encoder.layers.0.hidden"),
                     madeBackward = drawn.box(ItemKind::Strip, "encoder.layers.0.reverse.hidden"),
                     join = drawn.box(ItemKind::Block, "encoder.state");
        QVERIFY(made.isValid() && madeBackward.isValid() && join.isValid());
        QVERIFY(drawn.hasWay(rightOf(made), {join.left(), middle}));
        QVERIFY(drawn.hasWay(rightOf(madeBackward), {join.left(), middle}));
    }

    /// The memory left the thought vector, which is what attention does away with.
    void theMemoryIsTheEncodersOutputAndTheThoughtVectorHasAWayOfItsOwn() {
        for (const char* name : {"chat-gru-attention", "vi-en-long-lstm-attention"}) {
            const Drawing drawn(name);
            const QRectF memory = drawn.box(ItemKind::Strip, "encoder.output"),
                         thought = drawn.box(ItemKind::Strip, "encoder.state"),
                         attention = drawn.box(ItemKind::Block, "decoder.attention.scores"),
                         decoder = drawn.box(ItemKind::Block, "decoder.layers.0.hidden");
            QVERIFY(memory.isValid() && thought.isValid() && attention.isValid() && decoder.isValid());
            QVERIFY2(drawn.hasWay(rightOf(memory), topOf(attention)), name);
            QVERIFY2(drawn.comesDown(rightOf(thought), decoder), name);
            QVERIFY2(!drawn.hasWay(rightOf(thought), topOf(attention)), name);
        }
    }

    /// Nothing looks at the states: what the decoder gets is the thought vector, which was not drawn.
    void withoutAttentionTheThoughtVectorAloneIsHandedOver() {
        for (const char* name : {"vi-en-long-lstm", "vi-en-gru", "vi-en-rnn"}) {
            const Drawing drawn(name);
            const QRectF thought = drawn.box(ItemKind::Strip, "encoder.state");
            QVERIFY2(thought.isValid(), name);
            int between = 0;
            for (const Line& line : drawn.stage.map().lines)
                between += line.points.front().y() < 320 && line.points.back().y() > 320 ? 1 : 0;
            QCOMPARE(between, 1);
            const bool first = drawn.trace->indexOf("decoder.input") < 0;
            const QRectF to = drawn.box(ItemKind::Block, first ? "decoder.layers.0.hidden" : "decoder.input");
            QVERIFY2(to.isValid() && drawn.comesDown(rightOf(thought), to), name);
        }
    }

    /// With the second layer open the memory still went into the first alone.
    void everyLayerOfADecoderGetsTheMemory() {
        Drawing drawn("vi-en-transformer", {1400, 640});
        for (const int open : {0, 1}) {
            drawn.lookAt(open == 0 ? "decoder.layers.0.cross_attn.scores" : "decoder.layers.1.cross_attn.scores");
            const QRectF block = drawn.box(ItemKind::Block, open == 0 ? "decoder.layers.0.cross_attn.scores"
                                                                      : "decoder.layers.1.cross_attn.scores");
            QVERIFY(block.isValid() && drawn.arrivesAt(topOf(block)));
            int closed = 0;
            for (const Item& item : drawn.stage.map().items)
                if (item.kind == ItemKind::ClosedLayer && item.place.stack == 1) {
                    ++closed;
                    QVERIFY(drawn.arrivesAt(topOf(item.rect)));
                }
            QCOMPARE(closed, 1);
        }
    }

    void queryAndKeyLeadToTheWordsThatAreSelected_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("block");
        QTest::newRow("self") << "vi-en-transformer"
                              << "encoder.layers.0.self_attn";
        QTest::newRow("cross") << "vi-en-transformer"
                               << "decoder.layers.1.cross_attn";
        QTest::newRow("one stack") << "sentiment-transformer"
                                   << "layers.0.self_attn";
    }

    /// From the row of Q to the word of that row, from that of K over the top to the word of its column.
    void queryAndKeyLeadToTheWordsThatAreSelected() {
        QFETCH(QString, name);
        QFETCH(QString, block);
        for (const QSize size : {QSize(880, 700), QSize(1400, 900)}) {
            Drawing drawn(name, size);
            const auto value = [&](const char* part) { return (block + QLatin1String(part)).toStdString(); };
            drawn.lookAt(value(".scores").c_str());
            const TraceRecord& scores = drawn.trace->at(value(".scores"));
            for (const auto& [query, key] : {std::pair(0, 1), std::pair(4, 2), std::pair(1, 4)}) {
                drawn.selection.setNumber({0, query, key});
                const OperationGraph& graph = drawn.stage.graph();
                const auto cell = [&](const char* part, int row, int column) {
                    return graph.regionRect(*drawn.trace, graph.nodeOf(drawn.record(value(part).c_str())), row, column);
                };
                const QRectF target = cell(".scores", query, key);
                const auto& q = drawn.flow(value(".q").c_str(), value(".scores").c_str()).points;
                const auto& k = drawn.flow(value(".k").c_str(), value(".scores").c_str()).points;
                QVERIFY(std::abs(q.front().y() - cell(".q", query, -1).center().y()) < 1);
                QVERIFY(std::abs(q.back().y() - target.center().y()) < 1);
                QVERIFY2(q.back().x() < cell(".scores", 0, 0).left(), "at the words of the rows");
                QVERIFY(std::abs(k.front().y() - cell(".k", key, -1).center().y()) < 1);
                QVERIFY(std::abs(k.back().x() - target.center().x()) < 1);
                QVERIFY2(k.back().y() < cell(".scores", 0, 0).top(), "at the words of the columns");
                QVERIFY2(k[k.size() - 2].y() < k.back().y(), "from above");
                for (const QPointF& point : k)
                    QVERIFY2(drawn.stage.detailRect().contains(point), "inside of the block");
            }
            QVERIFY(matrixRows(scores) >= 5);
        }
    }

    /// Each on a scale of its own: the same blue is 3 in one and 0.3 beside it.
    void everyMatrixSaysWhatItsColoursStandFor() {
        const std::pair<const char*, const char*> opened[] = {
            {"vi-en-transformer", "encoder.layers.0.self_attn.scores"},
            {"vi-en-transformer", "decoder.layers.1.cross_attn.weights"},
            {"vi-en-transformer", "encoder.layers.0.ffn.hidden"},
            {"vi-en-long-lstm-attention", "encoder.layers.0.cell"},
            {"vi-en-gru", "encoder.layers.0.hidden"}};
        for (const auto& [model, value] : opened)
            for (const QSize size : {QSize(700, 640), QSize(860, 560), QSize(980, 640), QSize(1500, 860)}) {
                Drawing drawn(QLatin1String(model), size);
                drawn.lookAt(value);
                QVERIFY2(!drawn.stage.graph().nodes.empty(), value);
                QStringList wanted;
                for (const OperationGraph::Node& node : drawn.stage.graph().nodes)
                    wanted << rangeText(scaleOf(drawn.recordAt(node.record)));
                for (const Item& item : drawn.stage.map().items)
                    if (item.kind == ItemKind::Strip && !drawn.stage.isDetailAlone())
                        wanted << rangeText(scaleOf(drawn.recordAt(item.record)));
                QStringList written = fixture::drawn(drawn.stage).texts();
                for (const QString& range : wanted) {
                    const auto at = std::ranges::find_if(written, [&](const QString& each) {
                        return each == range || each == QString(range).remove(u' ') || each.endsWith(u' ' + range);
                    });
                    QVERIFY2(at != written.end(),
                             qPrintable(QStringLiteral("%1 of %2").arg(range, QLatin1String(value))));
                    written.erase(at);
                }
            }
    }

    void ofAnLstmTheCellGoesBackIntoItself() {
        const auto back = [](const Drawing& drawn) {
            std::vector<std::string> names;
            for (const OperationGraph::Flow& flow : drawn.stage.graph().flows)
                if (const auto& nodes = drawn.stage.graph().nodes; flow.back && flow.from == flow.to)
                    names.push_back(drawn.recordAt(nodes[static_cast<size_t>(flow.from)].record).name);
            return names;
        };
        Drawing lstm("vi-en-long-lstm-attention");
        lstm.lookAt("encoder.layers.0.cell");
        QCOMPARE(back(lstm), std::vector<std::string>({"encoder.layers.0.cell"}));
        Drawing gru("vi-en-gru");
        gru.lookAt("encoder.layers.0.hidden");
        QVERIFY(back(gru).empty());
    }

    /// Number 12 of the vocabulary is not less than number 480: ids are names.
    void idsHaveNoColour() {
        Drawing drawn("vi-en-transformer");
        drawn.lookAt("source.ids");
        const int node = drawn.stage.graph().nodeOf(drawn.record("source.ids"));
        const int rows = matrixRows(drawn.trace->at("source.ids"));
        const QImage image = drawn.stage.grab().toImage();
        QSet<QRgb> colours;
        for (int row = 0; row < rows; ++row) {
            const QRectF cell = drawn.stage.graph().regionRect(*drawn.trace, node, row, 0);
            const QPointF at = cell.topLeft() + QPointF(3, 3);
            colours.insert(image.pixelColor((at * image.devicePixelRatio()).toPoint()).rgb());
        }
        QCOMPARE(colours.size(), 1);
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestArchitectureWays)
#include "test_architecture_ways.moc"
