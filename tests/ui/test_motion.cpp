// SPDX-License-Identifier: GPL-3.0-or-later
// What is played computes: at phases 0, ¼, ½, ¾ and 1 of each operation the picture holds what has been added up by
// then, and going back draws the same pictures again.
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/data/translate.h"
#include "tests/ui/animation_clock.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/playhead.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/value_panel.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

namespace {

constexpr double kPhases[] = {0, 0.25, 0.5, 0.75, 1};
const std::string kBlock = "encoder.layers.0.self_attn";

/// The matrix of a head, for sums of one's own.
struct Matrix {
    std::span<const float> values;
    int columns = 0;

    double operator()(int row, int column) const {
        return static_cast<double>(values[cellIndex(row, column, columns)]);
    }
};

Matrix matrixOf(const Trace& trace, const std::string& name) {
    const TraceRecord& record = trace.at(name);
    return {matrixValues(record, 0), matrixColumns(record)};
}

}  // namespace

class TestMotion : public QObject {
    Q_OBJECT

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<fixture::LightTheme> m_theme;

    int indexOf(const std::string& part) const { return m_trace->indexOf(kBlock + "." + part); }
    void show(ArchitectureView& view, Selection& selection, const std::string& part) const {
        view.resize(1856, 900);
        view.setReading(m_model, m_trace);
        selection.setValue(QString::fromStdString(kBlock + "." + part));
        selection.setHead(0);
        view.show();
    }
    EquationStage::Equation worked() const {
        EquationStage::Equation equation;
        equation.input = workedExample();
        equation.result = attend(equation.input, true, 1);
        equation.queries = equation.keys = QStringList({"<start>", "I", "am", "learning", "English"});
        return equation;
    }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        m_model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        m_trace = readSentence(*m_model, exampleSentence(*m_model)).trace;
    }
    void cleanupTestCase() { m_theme.reset(); }

    void theEquationAddsUpItsScores() {
        EquationStage stage;
        stage.resize(1180, 560);
        stage.setEquation(worked());
        const QueryKeyValue& input = stage.equation().input;
        using Of = EquationStage::Matrix;
        for (const double phase : kPhases) {
            stage.playhead()->setTime(phase);
            int there = 0;
            for (int key = 0; key < input.keys; ++key)
                there += stage.isThere({Of::Scores, 0, key}) ? 1 : 0;
            QCOMPARE(there, static_cast<int>(std::floor(phase * input.keys)));
            QVERIFY(stage.isThere({Of::Scores, 1, 0}));  // of another row nothing is played
            QVERIFY(!stage.isThere({Of::Weights, 0, 0}));
            QVERIFY(!stage.isThere({Of::Output, 0, 0}));
            if (phase == 1) continue;
            double sum = 0;
            for (int i = 0; i < stage.score()->products; ++i)
                sum += static_cast<double>(input.query[static_cast<size_t>(i)]) *
                       static_cast<double>(input.key[cellIndex(stage.keyNow(), i, input.width)]);
            QCOMPARE(stage.products().size(), stage.score()->products);
            QCOMPARE(stage.sum(), formatNumber(sum));
        }
        QCOMPARE(stage.products().size(), input.width);
    }

    void theEquationsSoftmaxAndMixtureAddUp() {
        EquationStage stage;
        stage.resize(1180, 560);
        stage.setEquation(worked());
        const QueryKeyValue& input = stage.equation().input;
        const QueryKeyValueResult& result = stage.equation().result;
        using Of = EquationStage::Matrix;
        for (const double phase : kPhases) {
            stage.playhead()->setTime(1 + phase);
            QVERIFY(stage.isThere({Of::Scores, 0, input.keys - 1}));
            QCOMPARE(stage.isThere({Of::Weights, 0, 0}), phase == 1);
            QCOMPARE(stage.softmax().has_value(), phase > 0 && phase < 1);  // at 0 the scores are just done
            if (!stage.softmax()) continue;
            double sum = 0;
            for (int key = 0; key < stage.softmax()->counted; ++key)
                sum += std::exp(static_cast<double>(result.scores[static_cast<size_t>(key)]));
            QCOMPARE(stage.softmax()->sum, sum);
        }
        for (const double phase : kPhases) {
            stage.playhead()->setTime(2 + phase);
            QCOMPARE(stage.isThere({Of::Output, 0, 0}), phase == 1);
            QCOMPARE(stage.mix().has_value(), phase > 0 && phase < 1);
            if (!stage.mix()) continue;
            for (int i = 0; i < input.width; ++i) {
                double sum = 0;
                for (int key = 0; key < stage.mix()->added; ++key)
                    sum += static_cast<double>(result.weights[static_cast<size_t>(key)]) *
                           static_cast<double>(input.value[cellIndex(key, i, input.width)]);
                QCOMPARE(stage.mix()->sum[static_cast<size_t>(i)], sum);
            }
        }
        QCOMPARE(stage.textOf({Of::Output, 0, 1}), QStringLiteral("0.488"));
    }

    /// Scrubbing reverses it.
    void backwardsTheEquationDrawsTheSamePictures() {
        EquationStage stage;
        stage.resize(1180, 560);
        stage.setEquation(worked());
        std::vector<QImage> pictures;
        for (double time = 0; time <= 3; time += 0.125) {
            stage.playhead()->setTime(time);
            pictures.push_back(stage.grab().toImage());
        }
        for (size_t i = 1; i < pictures.size(); ++i)
            QVERIFY(pictures[i] != pictures[i - 1]);
        for (size_t i = pictures.size(); i-- > 0;) {
            stage.playhead()->setTime(static_cast<double>(i) * 0.125);
            QVERIFY(stage.grab().toImage() == pictures[i]);
        }
    }

    void scoresFillCellByCellFromTheirProducts() {
        Selection selection;
        ArchitectureView view(&selection);
        show(view, selection, "scores");
        const ArchitectureStage& stage = *view.stage();
        const Matrix q = matrixOf(*m_trace, kBlock + ".q"), k = matrixOf(*m_trace, kBlock + ".k");
        const TraceRecord& scores = m_trace->at(kBlock + ".scores");
        const int cells = matrixRows(scores) * matrixColumns(scores);
        for (const double phase : kPhases) {
            view.setRevealed(indexOf("scores"), phase);
            const long filled = stage.filledOf(indexOf("scores"));
            QCOMPARE(filled, phase == 1 ? -1L : static_cast<long>(std::floor(phase * cells)));
            QCOMPARE(stage.filledOf(indexOf("q")), -1L);  // what was computed before is there
            if (phase == 1) continue;
            const ScoreMotion& motion = *stage.underWay()->score;
            double sum = 0;
            for (int i = 0; i < motion.products; ++i)
                sum += q(motion.row, i) * k(motion.column, i);
            QCOMPARE(motion.sum, sum);
            // The same number grows beside the drawing.
            QVERIFY(view.number()->lines()->soFar());
            QCOMPARE(view.number()->lines()->soFar()->sum, sum);
            QCOMPARE(view.value()->matrix()->progress()->filled, filled);
        }
        QVERIFY(!view.value()->matrix()->progress());
        QVERIFY(!view.number()->lines()->soFar());
        QCOMPARE(view.value()->matrix()->data().value(1, 2),
                 matrixValues(scores, 0)[cellIndex(1, 2, matrixColumns(scores))]);
    }

    /// A cell has its number's colour once it is filled, and none before.
    void aCellHasItsColourOnceItIsFilled() {
        Selection selection;
        ArchitectureView view(&selection);
        show(view, selection, "scores");
        ArchitectureStage& stage = *view.stage();
        const int node = stage.graph().nodeOf(indexOf("scores"));
        const TraceRecord& scores = m_trace->at(kBlock + ".scores");
        const int columns = matrixColumns(scores), rows = matrixRows(scores);
        const auto colorOf = [&](int row, int column) {
            const QRectF cell = stage.graph().regionRect(*m_trace, node, row, column);
            return fixture::colorAt(stage, cell.topLeft() + QPointF(3, 3));
        };
        view.setRevealed(indexOf("scores"));
        std::vector<QColor> whole;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                whole.push_back(colorOf(row, column));
        view.setRevealed(indexOf("scores"), 0.5);
        const long filled = stage.filledOf(indexOf("scores"));
        QVERIFY(filled > columns && filled < columns * rows - columns);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const auto at = static_cast<long>(row) * columns + column;
                // The chip of the growing sum lies over the cells around the one that is under way.
                if (std::abs(at - filled) <= 1) continue;
                QCOMPARE(colorOf(row, column), at < filled ? whole[static_cast<size_t>(at)] : Theme::light().surface);
            }
    }

    void rowsOfAMixtureAddUp() {
        Selection selection;
        ArchitectureView view(&selection);
        show(view, selection, "heads");
        const Matrix a = matrixOf(*m_trace, kBlock + ".weights"), v = matrixOf(*m_trace, kBlock + ".v");
        for (const double phase : {0.0, 0.25, 0.5, 0.75}) {
            view.setRevealed(indexOf("heads"), phase);
            const MixMotion& mix = *view.stage()->underWay()->mix;
            QCOMPARE(mix.row, static_cast<int>(phase * matrixRows(m_trace->at(kBlock + ".heads"))));
            for (int i = 0; i < v.columns; ++i) {
                double sum = 0;
                for (int key = 0; key < mix.added; ++key)
                    sum += a(mix.row, key) * v(key, i);
                QCOMPARE(mix.sum[static_cast<size_t>(i)], sum);
            }
            QVERIFY(!view.grab().isNull());
        }
        view.setRevealed(indexOf("heads"), 1);
        QVERIFY(!view.stage()->underWay());
    }

    void everyOperationOfEveryModelCanBeStoppedInItsMiddle_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : fixture::shippedModelNames())
            QTest::newRow(qPrintable(name)) << name;
    }
    void everyOperationOfEveryModelCanBeStoppedInItsMiddle() {
        QFETCH(QString, name);
        const auto model = fixture::shippedModel(name);
        const auto trace = readSentence(*model, exampleSentence(*model)).trace;
        Selection selection;
        ArchitectureView view(&selection);
        view.resize(1200, 640);
        view.setReading(model, trace);
        view.show();
        for (int i = 0; i < static_cast<int>(trace->records().size()); ++i) {
            const TraceRecord& record = trace->records()[static_cast<size_t>(i)];
            selection.setValue(QString::fromStdString(record.name));
            for (const double phase : {0.0, 0.5, 0.99}) {
                view.setRevealed(i, phase);
                const long filled = view.stage()->filledOf(i);
                QVERIFY2(filled >= 0 && filled < static_cast<long>(matrixRows(record)) * matrixColumns(record),
                         record.name.c_str());
            }
            if (i % 5 == 0) QVERIFY(!view.grab().isNull());
        }
    }

    void theBeadRunsAlongTheWire() {
        Selection selection;
        ArchitectureView view(&selection);
        show(view, selection, "q");
        ArchitectureStage& stage = *view.stage();
        const int first = indexOf("q");
        const QRectF block = stage.map().rectOf(stage.tree().placeOf(first));
        double before = -1;
        for (const double phase : kPhases) {
            view.setRevealed(first, phase);
            const auto bead = stage.bead();
            QVERIFY(bead);
            QVERIFY(bead->x() > before);
            before = bead->x();
        }
        QVERIFY(std::abs(before - block.left()) < 2);
        view.setRevealed(indexOf("scores"), 0.5);  // inside of the block it waits at its door
        QCOMPARE(stage.bead()->x(), before);
        QCOMPARE(fixture::colorAt(stage, *stage.bead()), Theme::light().now);
        view.setRevealed(-1);
        QVERIFY(!stage.bead());
    }

    /// As between two steps of a lesson that look at one block after another.
    void theBeamGoesFromBlockToBlock() {
        Selection selection;
        ArchitectureView view(&selection);
        show(view, selection, "scores");
        const ArchitectureStage& stage = *view.stage();
        const double from = stage.beamSource().left();
        fixture::AnimationClock clock;
        selection.setValue(QStringLiteral("encoder.layers.0.ffn.hidden"));
        QCOMPARE(stage.beamSource().left(), from);
        const double to = stage.map().rectOf(stage.tree().placeOf(stage.current())).left();
        QVERIFY(to > from + 100);
        clock.advanceBy(motion::kZoom / 2);
        QVERIFY(stage.beamSource().left() > from + 20 && stage.beamSource().left() < to - 20);
        clock.advanceBy(motion::kZoom);
        QCOMPARE(stage.beamSource().left(), to);
        motion::setReduced(true);
        selection.setValue(QString::fromStdString(kBlock + ".scores"));
        motion::setReduced(false);
        QCOMPARE(stage.beamSource().left(), from);
    }

    void theWeightsOfAHeadRiseAsBars() {
        Selection selection;
        selection.setBlock(QString::fromStdString(kBlock));
        AttentionView view(&selection);
        view.resize(1376, 780);
        view.setTrace(m_trace);
        view.show();
        const AttentionStage& stage = *view.stage();
        const Matrix scores = matrixOf(*m_trace, kBlock + ".scores"), weights = matrixOf(*m_trace, kBlock + ".weights");
        const int rows = static_cast<int>(weights.values.size()) / weights.columns;
        for (const double phase : {0.0, 0.25, 0.5, 0.75}) {
            view.setRevealed(indexOf("weights"), phase);
            const MatrixProgress& progress = *stage.matrix()->progress();
            const int row = static_cast<int>(phase * rows);
            QCOMPARE(progress.row, row);
            QCOMPARE(progress.filled, static_cast<long>(row) * weights.columns);
            for (int key = 0; key < weights.columns; ++key)
                QCOMPARE(progress.numbers[static_cast<size_t>(key)],
                         progress.fade < 0.5 ? std::exp(scores(row, key)) : weights(row, key));
        }
        view.setRevealed(indexOf("weights"), 1);
        QVERIFY(!stage.matrix()->progress());
        view.setRevealed(indexOf("scores"), 0.5);  // weights come later
        QVERIFY(!stage.matrix()->progress());
    }

    /// What the words say of the score that is under way is a sum of that many products.
    void theScoresOfAHeadAddUp() {
        Selection selection;
        selection.setBlock(QString::fromStdString(kBlock));
        AttentionView view(&selection);
        view.resize(1376, 780);
        view.setTrace(m_trace);
        view.show();
        AttentionStage& stage = *view.stage();
        StageState state;
        state.attention.quantity = AttentionOptions::Quantity::Scores;
        stage.showOptions(state);
        const TraceRecord& scores = m_trace->at(kBlock + ".scores");
        const Matrix queries = matrixOf(*m_trace, scores.inputs[0]), keys = matrixOf(*m_trace, scores.inputs[1]);
        const int columns = matrixColumns(scores), cells = matrixRows(scores) * columns;
        for (const double within : {0.1, 0.4, 0.7}) {
            const int cell = columns + 1;
            view.setRevealed(indexOf("scores"), (cell + within) / cells);
            const MatrixProgress& progress = *stage.matrix()->progress();
            QCOMPARE(progress.filled, static_cast<long>(cell));
            QCOMPARE(progress.row, 1);
            QCOMPARE(progress.column, 1);
            const QRegularExpression said(QStringLiteral("(\\d+) of (\\d+) products, together ([^\\s,]+)"));
            const QRegularExpressionMatch match = said.match(stage.said()->text());
            QVERIFY2(match.hasMatch(), qPrintable(stage.said()->text()));
            QCOMPARE(match.captured(2).toInt(), queries.columns);
            double sum = 0;
            for (int i = 0; i < match.captured(1).toInt(); ++i)
                sum += queries(1, i) * keys(1, i);
            QCOMPARE(match.captured(3), formatNumber(sum, 3));
        }
        view.setRevealed(indexOf("scores"), 1);
        QVERIFY(!stage.matrix()->progress());
        QVERIFY(!stage.said()->text().contains(QLatin1String("products")));
    }

    void branchesGrowAndThePrunedFade() {
        DecodeView view;
        view.resize(1376, 800);
        view.setResult(searchNow(m_model, QStringLiteral("tôi đang học tiếng anh"), {.beam = 3}));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        QCoreApplication::processEvents();
        BeamTree& tree = *view.tree();
        tree.setDeadEnds(BeamTree::DeadEnds::Shown);
        const int steps = tree.revealed();
        QVERIFY(steps > 2);
        const auto& nodes = tree.nodes();
        const auto pruned = std::ranges::find_if(nodes, [](const BeamTree::Node& node) {
            return node.step == 2 && node.state == BeamTree::Node::State::Pruned;
        });
        QVERIFY(pruned != nodes.end());
        tree.setSelected(static_cast<int>(pruned - nodes.begin()));  // so that it has a row
        tree.setSelected(-1);
        const int node = static_cast<int>(pruned - nodes.begin());
        // The strongest of the pixels around the left edge, above its branch: a border stands on whole ones.
        const auto border = [&] {
            const QRectF box = tree.nodeRect(node);
            QColor strongest = Qt::white;
            for (const double x : {-1.0, 0.0, 1.0})
                if (const QColor here = fixture::colorAt(tree, {box.left() + x, box.top() + 10});
                    here.lightness() < strongest.lightness())
                    strongest = here;
            return strongest;
        };
        const Theme& t = Theme::light();
        view.playhead()->setTime(1);
        QVERIFY(tree.nodeRect(node).isEmpty());
        view.playhead()->setTime(1.25);  // the branch is under way, the word is not there
        QCOMPARE(tree.revealed(), 2);
        QCOMPARE(border(), t.bg);
        view.playhead()->setTime(1.73);  // as all words look
        QCOMPARE(border(), t.text2);
        view.playhead()->setTime(2);
        QCOMPARE(border(), t.line2);
        view.playhead()->setTime(1.73);
        QCOMPARE(border(), t.text2);
    }

    void cellsGoOverToTheirNewColours() {
        MatrixView view;
        view.resize(400, 300);
        MatrixData data;
        data.rows = data.columns = 2;
        data.values = {0, 1, 0, 1};
        data.rowLabels = data.columnLabels = QStringList({"a", "b"});
        data.scale = ColorScale::weights();
        view.setData(data);
        view.show();
        const auto color = [&] {
            const QRectF cell = view.cellRect({0, 0});
            return fixture::colorAt(*view.viewport(), cell.topLeft() + QPointF(4, 4));
        };
        const QColor none = color();
        fixture::AnimationClock clock;
        data.values = {1, 0, 1, 0};
        view.setData(data, MatrixView::Change::Recolour);
        QCOMPARE(view.data().values, data.values);
        const QColor whole = Theme::light().sequential(1);
        clock.advanceBy(motion::kReflow / 2);
        QVERIFY2(color() != none && color() != whole, "it was never on its way");
        clock.advanceBy(motion::kReflow);
        QCOMPARE(color(), whole);
        motion::setReduced(true);
        data.values = {0, 1, 0, 1};
        view.setData(data, MatrixView::Change::Recolour);
        motion::setReduced(false);
        QCOMPARE(color(), none);
    }
};

QTEST_MAIN(TestMotion)
#include "test_motion.moc"
