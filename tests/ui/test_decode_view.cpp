// SPDX-License-Identifier: GPL-3.0-or-later
// The decoding room against the search that it shows: what is drawn, what a click asks for, words fixed by hand.
#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/io/model_file.h"
#include "tests/ui/animation_clock.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/playhead.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/views/decode/decode_panel.h"
#include "ui/views/decode/decode_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/search/beam_tree.h"
#include "ui/widgets/search/hypothesis_table.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

const QString decodeViewSentence = QStringLiteral("tôi đang học tiếng anh");

}  // namespace

class TestDecodeView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        m_model = fixture::shippedModel("vi-en-transformer");
        motion::setReduced(true);
    }

    /// A panel scrolls down only: what were wider than it would be cut off at its right.
    void itsPanelIsAsWideAsWhatItHolds() {
        QWidget window;
        auto* row = new QHBoxLayout(&window);
        auto* panel = new DecodePanel;
        row->addWidget(new QWidget, 1);
        row->addWidget(panel);
        window.resize(800, 260);
        window.show();
        panel->setResult(searchNow(m_model, decodeViewSentence, {.beam = 3}));
        QCoreApplication::processEvents();
        const auto* area = panel->findChild<QScrollArea*>();
        QVERIFY(area->widget()->minimumSizeHint().width() <= area->viewport()->width());
        QVERIFY(area->widget()->width() <= area->viewport()->width());
    }

    /// Lines that wrapped beside a bar made the bar necessary: what was seen hung on what had been seen before.
    void itsPanelIsLaidOutAlikeWithABarAndWithout() {
        DecodePanel panel;
        panel.resize(360, 2000);
        panel.show();
        panel.setResult(searchNow(m_model, decodeViewSentence, {.beam = 3}));
        const auto* area = panel.findChild<QScrollArea*>();
        const auto* table = panel.findChild<HypothesisTable*>();
        QTRY_COMPARE_WITH_TIMEOUT(area->verticalScrollBar()->maximum(), 0, fixture::kPatienceMs);
        const QSize without = table->size();
        panel.resize(360, 240);
        QTRY_VERIFY_WITH_TIMEOUT(area->verticalScrollBar()->maximum() > 0, fixture::kPatienceMs);
        QCOMPARE(table->size(), without);
    }

    void aSearchThatComesInGrowsFromWhereItDoesOtherwise() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 3});
        DecodeView view;
        show(view, result);
        const int steps = view.playhead()->count();
        motion::setReduced(false);
        fixture::AnimationClock clock;
        view.setResult(searchNow(m_model, decodeViewSentence, {.beam = 4}));
        QVERIFY(view.tree()->revealed() <= 1);
        clock.advanceBy(motion::kOperation);
        QCOMPARE(view.tree()->revealed(), view.playhead()->count());
        view.setResult(result);
        view.playhead()->setTime(2);  // the reader goes first
        QCOMPARE(view.tree()->revealed(), 2);
        clock.advanceBy(motion::kOperation);
        QCOMPARE(view.tree()->revealed(), 2);
        view.setResult(result);  // as before: nothing grows
        QCOMPARE(view.tree()->revealed(), steps);
        view.setResult(searchNow(m_model, decodeViewSentence, {.beam = 3, .maxLength = 3}));
        clock.advanceBy(motion::kOperation);
        QCOMPARE(view.tree()->revealed(), 3);
        view.setResult(result);  // the first words are searched as before
        QVERIFY(view.tree()->revealed() >= 2);
        QVERIFY(view.tree()->revealed() < steps);
        clock.advanceBy(motion::kOperation);
        QCOMPARE(view.tree()->revealed(), steps);
        motion::setReduced(true);
        view.setResult(searchNow(m_model, decodeViewSentence, {.beam = 2}));
        QCOMPARE(view.tree()->revealed(), view.playhead()->count());
    }

    void drawsEveryNodeOfTheSearchAtItsStep() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 3});
        DecodeView view;
        view.tree()->setDeadEnds(BeamTree::DeadEnds::Shown);
        show(view, result);
        view.resize(1376, 1800);  // there is room for all
        QTRY_VERIFY(view.tree()->height() > 1500);
        const auto& nodes = view.tree()->nodes();
        QCOMPARE(nodes.size(), result->search.tree.nodes.size());
        std::set<std::pair<int, int>> places;
        for (size_t i = 0; i < nodes.size(); ++i) {
            const SearchNode& expected = result->search.tree.nodes[i];
            QCOMPARE(nodes[i].word, result->word(expected.token));
            QCOMPARE(nodes[i].cumulative, expected.cumulative);
            const QRectF box = view.tree()->nodeRect(int(i));
            QVERIFY(view.tree()->rect().contains(box.toRect()));
            QVERIFY(places.emplace(int(box.x()), int(box.y())).second);
            if (expected.parent >= 0) {
                QVERIFY(box.left() > view.tree()->nodeRect(expected.parent).right());
                const double before = nodes[size_t(expected.parent)].cumulative;
                QVERIFY(std::abs(nodes[i].cumulative - before - nodes[i].logProb) < 1e-9);
            }
        }
    }

    void theCurvesAreTheScoresForEveryAlpha() {
        const LengthPenalty at{LengthPenalty::Kind::Gnmt, 0.7};
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 3, .penalty = at});
        DecodeView view;
        view.setSettings({.beam = 3, .penalty = at});
        show(view, result);
        const auto* panel = view.findChild<DecodePanel*>();
        const auto& lines = panel->curves()->lines();
        QCOMPARE(lines.size(), size_t{3});
        for (size_t i = 0; i < lines.size(); ++i) {
            const Written& hypothesis = result->search.translation.hypotheses[i];
            QVERIFY(std::abs(lines[i].front().y() - hypothesis.logProb) < 1e-9);  // α = 0: no penalty
            for (const QPointF& point : lines[i])
                if (std::abs(point.x() - 0.7) < 1e-9) QVERIFY(std::abs(point.y() - hypothesis.score) < 1e-9);
        }
    }

    void theBestBranchSpellsTheTranslationAndIsAmber() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 2});
        DecodeView view;
        show(view, result);
        QStringList best;
        const QImage image = view.tree()->grab().toImage();
        const double ratio = view.tree()->devicePixelRatioF();
        for (size_t i = 0; i < view.tree()->nodes().size(); ++i) {
            const BeamTree::Node& node = view.tree()->nodes()[i];
            const QPointF inside = view.tree()->nodeRect(int(i)).topLeft() + QPointF(8, 8);
            const QColor pixel = image.pixelColor((inside * ratio).toPoint());
            QCOMPARE(pixel == Theme::light().nowTint, node.best);
            if (node.best) best << node.word;
        }
        QCOMPARE(best.join(' '), QStringLiteral("i am learning english <eos>"));
        QCOMPARE(view.panel()->findChild<HypothesisTable*>()->rows().front().text,
                 QString::fromStdString(result->search.translation.best().text));
    }

    /// All were as high as the longest, which was thought to take a line more than it does.
    void aRowOfTheTableIsAsHighAsItsWords() {
        HypothesisTable table;
        table.resize(348, 100);
        const QString sentence = QStringLiteral("Ma grand-mère ne m'a jamais perdu dans la petite amie.");
        table.setRows({{QStringLiteral("Je ne sais pas."), -1, 5, -0.2},
                       {sentence, -6.559, 14, -0.469},
                       {sentence + u' ' + sentence, -13.1, 28, -0.469}});
        const double line = QFontMetricsF(uiFont(13)).lineSpacing();
        const double one = table.rowRect(0).height(), two = table.rowRect(1).height();
        QVERIFY2(one < 2.5 * line && two > 2.5 * line && two < 3.5 * line, qPrintable(QString::number(two)));
        QVERIFY(table.rowRect(2).height() > two);
        QCOMPARE(table.rowRect(1).top(), table.rowRect(0).bottom());
        QVERIFY(table.height() >= table.rowRect(2).bottom());
        QSignalSpy chosen(&table, &HypothesisTable::chosen);
        QTest::mouseClick(&table, Qt::LeftButton, {}, table.rowRect(2).center().toPoint());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toInt(), 2);
    }

    void theBestBranchIsAStraightLineAndBranchesAreClearOfTheWords_data() {
        QTest::addColumn<int>("beam");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("shown");
        for (const int beam : {1, 2, 3, 5, 10})
            for (const QSize size : {QSize(860, 520), QSize(1376, 800), QSize(2400, 1300)})
                for (const bool shown : {false, true})
                    QTest::addRow("%d, %d x %d, %d", beam, size.width(), size.height(), shown) << beam << size << shown;
    }
    void theBestBranchIsAStraightLineAndBranchesAreClearOfTheWords() {
        QFETCH(int, beam);
        QFETCH(QSize, size);
        QFETCH(bool, shown);
        DecodeView view;
        view.resize(size);
        view.setResult(searchNow(m_model, decodeViewSentence, {.beam = beam}));
        BeamTree& tree = *view.tree();
        if (shown) tree.setDeadEnds(BeamTree::DeadEnds::Shown);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        const int count = static_cast<int>(tree.nodes().size());
        for (int i = 0; i < count; ++i) {
            const QRectF box = tree.nodeRect(i);
            if (box.isEmpty()) continue;
            QVERIFY(box.height() >= 32 && box.height() <= 88);
            QCOMPARE(tree.nodes()[size_t(i)].best, tree.rowOf(i) == 0);
            if (tree.nodes()[size_t(i)].best) QCOMPARE(box.center().y(), tree.startRect().center().y());
            QVERIFY(tree.rect().contains(box.united(tree.endingRect(i)).toAlignedRect()));
            for (int other = 0; other < count; ++other) {
                if (other == i || tree.nodeRect(other).isEmpty()) continue;
                QVERIFY(!box.intersects(tree.nodeRect(other)));
                QVERIFY(tree.endingRect(other).isEmpty() ||
                        !box.intersects(tree.endingRect(other).adjusted(1, 1, 0, -1)));
                const QRectF inside = box.adjusted(1, 1, -1, -1);
                const QPainterPath edge = tree.edgeTo(other);
                for (double share = 0; share <= 1; share += 0.01)
                    QVERIFY2(!inside.contains(edge.pointAtPercent(share)),
                             qPrintable(QStringLiteral("%1 and the branch to %2").arg(i).arg(other)));
            }
        }
        for (const BeamTree::Mark& mark : tree.marks())
            for (int i = 0; i < count; ++i)
                QVERIFY(!tree.markRect(mark).adjusted(1, 1, -1, -1).intersects(tree.nodeRect(i)));
    }

    /// Pieces of a word touch, so that the way to another ending of it had no gap to go down.
    void aBranchInTheMiddleOfAWordIsLedTo() {
        const auto model = fixture::shippedModel("en-fr-lstm-attention");
        DecodeView view;
        view.resize(1400, 800);
        show(view, searchNow(model, QStringLiteral("The children are playing in the garden."), {.beam = 2}));
        const BeamTree& tree = *view.tree();
        int branches = 0;
        for (int i = 0; i < int(tree.nodes().size()); ++i) {
            const BeamTree::Node& node = tree.nodes()[size_t(i)];
            if (tree.nodeRect(i).isEmpty() || node.parent < 0 || !node.glued) continue;
            const bool isBranch = tree.rowOf(i) != tree.rowOf(node.parent);
            QCOMPARE(tree.edgeTo(i).isEmpty(), !isBranch);
            if (!isBranch) continue;
            ++branches;
            const QRectF parent = tree.nodeRect(node.parent), box = tree.nodeRect(i);
            QCOMPARE(tree.edgeTo(i).pointAtPercent(0).y(), parent.bottom());
            QVERIFY(parent.left() < tree.edgeTo(i).pointAtPercent(0).x());
            QCOMPARE(tree.edgeTo(i).pointAtPercent(1), QPointF(box.left(), box.center().y()));
        }
        QVERIFY(branches > 0);
    }

    void deadEndsAreCountedUntilAClickOpensThemThere() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 5});
        DecodeView view;
        show(view, result);
        BeamTree& tree = *view.tree();
        QCOMPARE(tree.deadEnds(), BeamTree::DeadEnds::Folded);
        QVERIFY(!tree.marks().empty());
        for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i)
            QCOMPARE(tree.nodeRect(i).isEmpty(), tree.lanes().droppedAt(i) > 0);
        const BeamTree::Mark first = tree.marks().front();
        QVERIFY(!first.isOpen);
        QTest::mouseClick(&tree, Qt::LeftButton, {}, tree.markRect(first).center().toPoint());
        int opened = 0;
        for (const int child : tree.lanes().childrenOf(first.parent)) {
            if (tree.lanes().droppedAt(child) == 0) continue;
            ++opened;
            QVERIFY(!tree.nodeRect(child).isEmpty());
            QVERIFY(!tree.endingOf(child).isEmpty() || tree.nodes()[size_t(child)].kept);
        }
        QCOMPARE(opened, first.count);
        // It can be folded again, and the keyboard does both.
        const auto again = std::ranges::find(tree.marks(), first.parent, &BeamTree::Mark::parent);
        QVERIFY(again->isOpen);
        QTest::mouseClick(&tree, Qt::LeftButton, {}, tree.markRect(*again).center().toPoint());
        QCOMPARE(tree.marks().front().isOpen, false);
        // What is chosen elsewhere is seen.
        for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i) {
            tree.setSelected(i);
            QVERIFY(!tree.nodeRect(i).isEmpty());
        }
    }

    void aRowThatStoppedSaysAtWhichWord() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 3});
        DecodeView view;
        show(view, result);
        BeamTree& tree = *view.tree();
        tree.setDeadEnds(BeamTree::DeadEnds::Shown);
        int said = 0;
        for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i) {
            const QString ending = tree.endingOf(i);
            if (ending.isEmpty()) continue;
            ++said;
            const BeamTree::Node& node = tree.nodes()[size_t(i)];
            const bool isLast = node.kept && node.step == result->search.tree.steps;
            QCOMPARE(ending, isLast ? QStringLiteral("not finished")
                                    : QStringLiteral("dropped at word %1").arg(tree.lanes().droppedAt(i)));
        }
        QVERIFY(said > 0);
        tree.setTime(1);  // not yet
        for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i)
            if (tree.lanes().droppedAt(i) > 1) QVERIFY(tree.endingOf(i).isEmpty());
    }

    void pointingAtARowLightsItsSentence() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 5});
        DecodeView view;
        show(view, result);
        BeamTree& tree = *view.tree();
        for (const Written& each : result->search.translation.hypotheses) {
            const int end = result->endOf(each);
            QTest::mouseMove(&tree, tree.nodeRect(end).center().toPoint());
            QTRY_VERIFY(tree.lit().contains(end));
            std::set<int> way;
            for (int at = end; at >= 0; at = tree.nodes()[size_t(at)].parent)
                way.insert(at);
            QVERIFY(tree.lit() == way);
        }
        QTest::mouseMove(&tree, {3, tree.height() - 3});
        QTRY_VERIFY(tree.lit().empty());
    }

    /// Otherwise one reads a branch and does not see what it left.
    void theBestRowStaysWhereTheTreeIsScrolled() {
        DecodeView view;
        view.resize(1376, 420);
        view.setResult(searchNow(m_model, decodeViewSentence, {.beam = 10}));
        view.tree()->setDeadEnds(BeamTree::DeadEnds::Shown);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        BeamTree& tree = *view.tree();
        auto* area = qobject_cast<QScrollArea*>(tree.parentWidget()->parentWidget());
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 100);
        const QPointF before = tree.mapTo(area, tree.startRect().center());
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        QCOMPARE(tree.mapTo(area, tree.startRect().center()), before);
        QVERIFY(area->viewport()->rect().contains(before.toPoint()));
        // What is chosen below it is brought out from under it.
        for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i) {
            if (tree.nodeRect(i).isEmpty()) continue;
            tree.choose(i);
            const QRectF box = tree.nodeRect(i).translated(0, tree.mapTo(area->viewport(), QPoint(0, 0)).y());
            QVERIFY(box.top() >= (tree.rowOf(i) == 0 ? 0 : tree.pinnedHeight() - 1));
            QVERIFY(box.bottom() <= area->viewport()->height());
        }
    }

    /// A run of the playhead: a row grows word by word, and what is dropped is gone once its step is over.
    void aRowLivesUntilItIsDropped() {
        DecodeView view;
        show(view, searchNow(m_model, decodeViewSentence, {.beam = 3}));
        BeamTree& tree = *view.tree();
        for (int step = 0; step <= view.playhead()->count(); ++step) {
            tree.setTime(step);
            for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i) {
                const bool isThere = tree.nodes()[size_t(i)].step <= step && !tree.lanes().isDropped(i, step);
                QCOMPARE(tree.nodeRect(i).isEmpty(), !isThere);
            }
        }
    }

    void theNodesAreSpoken() {
        DecodeView view;
        show(view, searchNow(m_model, decodeViewSentence, {.beam = 3}));
        BeamTree& tree = *view.tree();
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&tree);
        QCOMPARE(spoken->role(), QAccessible::Tree);
        const std::vector<int> order = tree.readingOrder();
        QCOMPARE(spoken->childCount(), static_cast<int>(order.size() + tree.marks().size()));
        for (int i = 0; i < static_cast<int>(order.size()); ++i) {
            const BeamTree::Node& node = tree.nodes()[size_t(order[size_t(i)])];
            QAccessibleInterface* child = spoken->child(i);
            QCOMPARE(child->parent(), spoken);
            QCOMPARE(spoken->indexOfChild(child), i);
            const QString name = child->text(QAccessible::Name);
            QVERIFY(name.contains(node.word));
            QVERIFY(name.contains(formatLogProb(node.cumulative)));
            QVERIFY2(!node.best || name.contains(QLatin1String("best hypothesis")), qPrintable(name));
            const QRect box = tree.nodeRect(order[size_t(i)]).toRect();
            QCOMPARE(child->rect(), QRect(tree.mapToGlobal(box.topLeft()), box.size()));
            child->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
            QCOMPARE(tree.selected(), order[size_t(i)]);
            QVERIFY(child->state().selected);
        }
        QAccessibleInterface* mark = spoken->child(static_cast<int>(order.size()));
        QCOMPARE(mark->role(), QAccessible::Button);
        const int before = spoken->childCount();
        mark->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(spoken->childCount() > before);
    }

    /// They were likelier than the word that the reader fixed, and were drawn as if they had lost.
    void wordsBesideAFixedOneAreRuledOutNotPruned() {
        const int she = m_model->target->vocabulary().id("she"), is = m_model->target->vocabulary().id("is");
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 2, .prefix = {she, is}});
        DecodeView view;
        show(view, result);
        BeamTree& tree = *view.tree();
        tree.toggle(-1);
        int ruledOut = 0;
        for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i) {
            const BeamTree::Node& node = tree.nodes()[size_t(i)];
            if (node.step > 2) {
                QVERIFY(node.state != BeamTree::Node::State::Excluded);
                continue;
            }
            QCOMPARE(node.state == BeamTree::Node::State::Excluded, !node.fixed);
            if (node.step > 1 || node.fixed) continue;
            ++ruledOut;
            QCOMPARE(tree.endingOf(i), QStringLiteral("ruled out: “she” is fixed"));
            QVERIFY(tree.describe(i).contains(QLatin1String("ruled out")));
        }
        QVERIFY(ruledOut > 0);
        // Among the choices behind the first word, too.
        const std::vector<int> path = {she};
        tree.choose(0);
        while (result->pathTo(tree.selected()) != path)
            tree.choose(tree.selected() + 1);
        view.setNextWords(path, nextWords(*m_model, decodeViewSentence, path));
        const auto& bars = view.panel()->findChild<WordBars*>()->bars();
        for (const WordBars::Bar& bar : bars) {
            QCOMPARE(bar.marked, bar.word == QLatin1String("is"));
            QCOMPARE(bar.faded, bar.word != QLatin1String("is"));
        }
        QVERIFY(std::ranges::any_of(bars, &WordBars::Bar::marked));
        bool told = false;
        for (const QLabel* label : view.panel()->findChildren<QLabel*>())
            told = told || (label->isVisible() && label->text().contains(QLatin1String("ruled out")));
        QVERIFY(told);
    }

    void longSentencesHaveNarrowColumns() {
        const auto model = fixture::shippedModel("vi-en-long-lstm-attention");
        DecodeView view;
        show(view, searchNow(model, QStringLiteral("tôi đang học tiếng anh và bạn đang đọc sách"), {.beam = 2}));
        const BeamTree& tree = *view.tree();
        QVERIFY(tree.nodes().back().step > 8);
        QVERIFY(tree.width() <= view.width() - view.panel()->width());  // without scrolling
    }

    void aStepBackHidesWhatWasNotYetSearched() {
        DecodeView view;
        show(view, searchNow(m_model, decodeViewSentence, {.beam = 2}));
        view.tree()->setDeadEnds(BeamTree::DeadEnds::Shown);
        view.tree()->setTime(2);
        for (size_t i = 0; i < view.tree()->nodes().size(); ++i)
            if (view.tree()->nodes()[i].kept)
                QCOMPARE(view.tree()->nodeRect(int(i)).isEmpty(), view.tree()->nodes()[i].step > 2);
    }

    void aClickShowsTheNodesArithmeticAndAttention() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 2});
        DecodeView view;
        show(view, result);
        QSignalSpy wanted(&view, &DecodeView::nextWordsWanted);
        int node = 0;
        while (result->search.tree.nodes[size_t(node)].step != 3)
            ++node;
        QTest::mouseClick(view.tree(), Qt::LeftButton, {}, view.tree()->nodeRect(node).center().toPoint());
        QCOMPARE(view.tree()->selected(), node);
        QCOMPARE(wanted.last()[0].value<std::vector<int>>(), result->pathTo(node));
        const MatrixView* matrix = view.panel()->findChild<MatrixView*>();
        QVERIFY(matrix->isVisible());
        const std::vector<float>& attention = result->search.tree.nodes[size_t(node)].attention;
        const MatrixData& shown = matrix->data();
        QCOMPARE(shown.rows, 8);
        QCOMPARE(shown.columns, 5);
        for (size_t i = 0; i < shown.values.size(); ++i)
            QCOMPARE(shown.values[i], attention[attention.size() - shown.values.size() + i]);
    }

    void nextWordsAreTheModelsOwn() {
        const std::vector<NextWord> words = nextWords(*m_model, decodeViewSentence, {});
        QCOMPARE(words.size(), size_t(10));
        QCOMPARE(words.front().word, QStringLiteral("i"));
        const Trace trace = traceSentence(*m_model, decodeViewSentence.toStdString(), "i am");
        const std::vector<float>& row = trace.at("log_probs").values;
        for (const NextWord& word : words)
            QVERIFY(std::abs(word.logProb -
                             double(row[size_t(m_model->target->vocabulary().id(word.word.toStdString()))])) < 1e-4);
    }

    void keysWalkTheTreeAndEnterFixesTheWords() {
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 2});
        DecodeView view;
        show(view, result);
        view.tree()->setDeadEnds(BeamTree::DeadEnds::Shown);
        QSignalSpy fixed(&view, &DecodeView::prefixWanted);
        BeamTree* tree = view.tree();
        QTest::keyClick(tree, Qt::Key_Right);
        QTest::keyClick(tree, Qt::Key_Right);
        QCOMPARE(result->pathTo(tree->selected()).size(), size_t(2));
        const int here = tree->selected();
        QTest::keyClick(tree, Qt::Key_Down);
        QVERIFY2(tree->selected() != here, "two branches are kept: there is one above or below");
        QCOMPARE(result->pathTo(tree->selected()).size(), size_t(2));
        QVERIFY(tree->nodeRect(tree->selected()).top() > tree->nodeRect(here).bottom());
        QTest::keyClick(tree, Qt::Key_Up);
        QCOMPARE(tree->selected(), here);
        QTest::keyClick(tree, Qt::Key_Left);
        QCOMPARE(result->pathTo(tree->selected()).size(), size_t(1));
        QTest::keyClick(tree, Qt::Key_Return);
        QCOMPARE(fixed.last()[0].value<std::vector<int>>(), result->pathTo(tree->selected()));
        QTest::keyClick(tree, Qt::Key_Escape);
        QCOMPARE(tree->selected(), -1);
    }

    void aFixedWordIsKeptAndTheSearchGoesOnFromIt() {
        const int she = m_model->target->vocabulary().id("she");
        const auto result = searchNow(m_model, decodeViewSentence, {.beam = 2, .prefix = {she}});
        QVERIFY(result->search.translation.best().text.starts_with("she "));
        DecodeView view;
        show(view, result);
        for (const BeamTree::Node& node : view.tree()->nodes())
            QCOMPARE(node.fixed, node.step == 1 && node.word == QLatin1String("she"));
        QVERIFY(
            std::ranges::any_of(view.tree()->nodes(), [](const auto& node) { return node.step == 1 && !node.fixed; }));
        bool behind = false;
        for (const QLabel* label : view.panel()->findChildren<QLabel*>())
            behind = behind || label->text() == QStringLiteral("After “she”");
        QVERIFY2(behind, "the words that are listed follow the fixed ones, not the start");
        const auto releases = view.findChildren<Button*>();
        const auto release = std::ranges::find_if(releases, [](Button* b) { return b->text() == "Release"; });
        QVERIFY((*release)->isVisible());
        QSignalSpy wanted(&view, &DecodeView::prefixWanted);
        QTest::mouseClick(*release, Qt::LeftButton);
        QVERIFY(wanted.last()[0].value<std::vector<int>>().empty());
        wanted.clear();
        view.tree()->setSelected(0);
        QTest::keyClick(view.tree(), Qt::Key_Escape);
        QCOMPARE(wanted.count(), 0);  // the chosen node first
        QTest::keyClick(view.tree(), Qt::Key_Escape);
        QCOMPARE(wanted.count(), 1);
        QVERIFY(wanted.last()[0].value<std::vector<int>>().empty());
    }

    void theControlsSayHowIsSearchedWhoeverSetIt() {
        DecodeView view;
        QSignalSpy beam(&view, &DecodeView::beamChanged), length(&view, &DecodeView::maxLengthChanged),
            penalty(&view, &DecodeView::penaltyChanged);
        view.setSettings({.beam = 5, .penalty = {LengthPenalty::Kind::Gnmt, 0.33}, .maxLength = 7});
        QCOMPARE(view.findChild<SegmentedControl*>()->currentIndex(), 4);
        QCOMPARE(view.findChild<QSpinBox*>()->value(), 7);
        QCOMPARE(view.panel()->findChild<Slider*>()->value(), 7);  // of 20
        QCOMPARE(beam.count() + length.count() + penalty.count(), 0);
    }

    /// Dragging α left a line at every place that it had been.
    void theLineOfNowLeavesNothingBehind() {
        PlainChart chart;
        chart.resize(400, 200);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart, fixture::kPatienceMs));
        const PlainChart::Line line = {{0, 0.2}, {1, 0.2}};
        for (const double now : {0.25, 0.5, 0.75}) {
            chart.setLines({line}, {0, 1, 0, 1}, now);
            QVERIFY(fixture::painted(chart));
        }
        const QImage seen = chart.screen()->grabWindow(chart.winId()).toImage();
        QVERIFY(!seen.isNull());
        int amber = 0;
        for (int x = 0, last = -9; x < seen.width(); ++x)
            if (seen.pixelColor(x, seen.height() / 3) == Theme::light().nowLine && std::exchange(last, x) < x - 3)
                ++amber;
        QCOMPARE(amber, 1);
    }

    /// Qt's own labels have a hyphen for a minus, and are "…" where there are too many for the height.
    void theNumbersOfAnAxisReadAsAllOthersDo() {
        PlainChart chart;
        chart.resize(400, 200);
        chart.setLines({{{0, -6.3}, {1, -3.8}}}, {0, 1, -6.8, 0}, 0.5);
        QCOMPARE(chart.labelsBeside(), (QStringList{"−6", "−4", "−2", "0"}));
        QCOMPARE(chart.labelsBelow(), (QStringList{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
        chart.resize(230, 112);
        chart.setBars(std::vector<double>(41, 0.7), -20, 20);
        QCOMPARE(chart.labelsBeside(), (QStringList{"0.0", "0.5", "1.0"}));
        QCOMPARE(chart.labelsBelow(), (QStringList{"−20", "−10", "0", "10", "20"}));
    }

    void fixedWordsAreFoundAgainByTheirText() {
        Session session;
        Decoding decoding(session);
        QVERIFY(decoding.idsOf(QStringLiteral("she is")).empty());
        session.adoptModel(m_model, QStringLiteral("vi-en"));
        const std::vector<int> ids = decoding.idsOf(QStringLiteral("she is"));
        QCOMPARE(ids.size(), size_t(2));
        decoding.setPrefix(ids);
        QCOMPARE(decoding.fixedText(), QStringLiteral("she is"));
        QVERIFY_EXCEPTION_THROWN((void)decoding.idsOf(QStringLiteral("she gehtnicht")), Error);
    }

    void theRoomSearchesAnewForEachSettingAndOverrules() {
        MainWindow window(*m_theme);
        window.resize(1440, 900);
        window.show();
        window.rooms().showView(ViewName::Decode);
        Workbench& bench = window.workbench();
        window.openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        QTRY_VERIFY(bench.decoding.result());
        auto* room = window.rooms().find<DecodeRoom>();
        bench.decoding.setBeam(4);
        QTRY_COMPARE(bench.decoding.result()->settings.beam, 4);
        QCOMPARE(room->view()->tree()->nodes().size(), bench.decoding.result()->search.tree.nodes.size());
        bench.decoding.setPenalty({LengthPenalty::Kind::None});
        QTRY_COMPARE(int(bench.decoding.result()->settings.penalty.kind), int(LengthPenalty::Kind::None));
        // What the likeliest next words are is asked for, and one of them chosen by hand.
        WordBars* bars = room->view()->panel()->findChild<WordBars*>();
        QTRY_VERIFY(bars->bars().size() > 2);
        const QString second = bars->bars()[1].word;
        QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(120, 33));
        QTRY_COMPARE(bench.decoding.result()->fixedWords(), QStringList{second});
        QVERIFY(bench.decoding.result()->search.translation.best().text.starts_with(second.toStdString()));
        // Another sentence: nothing is fixed any more.
        bench.session.setSource(QStringLiteral("tôi yêu bạn"));
        QTRY_COMPARE(QString::fromStdString(bench.decoding.result()->search.translation.best().text),
                     QStringLiteral("i love you"));
        QVERIFY(bench.decoding.result()->settings.prefix.empty());
    }

    void aModelThatDoesNotTranslateSaysSo() {
        MainWindow window(*m_theme);
        window.show();
        window.rooms().showView(ViewName::Decode);
        window.openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/sentiment-transformer.safetensors"));
        QTRY_VERIFY(window.workbench().session.reading());
        QVERIFY(!window.workbench().decoding.result());
        QVERIFY(!window.rooms().find<DecodeRoom>()->view()->tree()->isVisible());
    }

private:
    static void show(DecodeView& view, const std::shared_ptr<const Decoding::Result>& result) {
        view.resize(1376, 800);
        view.setResult(result);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
};

QTEST_MAIN(TestDecodeView)
#include "test_decode_view.moc"
