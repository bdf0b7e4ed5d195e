// SPDX-License-Identifier: GPL-3.0-or-later
// What the wall of heads draws and lists is what the trace says.
#include <QSignalSpy>
#include <QtTest>

#include "core/data/task.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/rank_strips.h"
#include "ui/views/attention/row_text.h"
#include "ui/views/attention/wall_head.h"
#include "ui/views/attention/wall_page.h"
#include "ui/views/attention/wall_rows.h"
#include "ui/views/attention/wall_search.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/range_slider.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

namespace {

using Kind = AttentionBlock::Kind;
const QString kDecoder = QStringLiteral("decoder.layers.0.self_attn");
const QString kEncoder = QStringLiteral("encoder.layers.0.self_attn");

StageState wallState() {
    StageState state;
    state.attention.picture = AttentionOptions::Picture::Wall;
    return state;
}

/// The attention view with the wall of a block's kind, on a trace whose numbers are made up.
struct ShownWall {
    Selection selection;
    AttentionView view{&selection};
    std::shared_ptr<const Trace> trace;

    explicit ShownWall(const QString& block, std::shared_ptr<const Trace> made = fixture::makeTrace({3, 4, 6}))
        : trace(std::move(made)) {
        selection.setBlock(block);
        view.resize(1376, 900);
        view.setTrace(trace);
        view.showOptions(wallState());
        view.show();
        QApplication::processEvents();
    }
    WallPage& page() const { return *view.wall(); }
    HeadWall& wall() const { return *page().wall(); }
    const HeadSurvey& survey() const { return page().survey(); }
    void show(const std::function<void(StageState&)>& change) {
        StageState state = wallState();
        change(state);
        view.showOptions(state);
        QApplication::processEvents();
    }
    /// What the engine finds of a head of the wall.
    HeadFacts facts(const HeadSurvey::Head& head, FirstWord first = FirstWord::Kept) const {
        const TraceRecord& weights = trace->at(head.scope.toStdString() + ".weights");
        return HabitPlaces(*trace, weights).read(weights.head(head.head), first).facts();
    }
    QAbstractButton* button(const QString& text) const {
        for (QAbstractButton* each : page().findChildren<QAbstractButton*>())
            if (each->text() == text && each->isVisible()) return each;
        return nullptr;
    }
};

/// BERT's way of reading two texts.
std::shared_ptr<const Trace> pairTrace() {
    auto trace = std::make_shared<Trace>(*fixture::makeTrace({2, 3, 7}));
    trace->sourceTokens = {"[CLS]", "a", "b", "[SEP]", "c", "d", "[SEP]"};
    return trace;
}

bool near(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) < 4 && std::abs(a.green() - b.green()) < 4 && std::abs(a.blue() - b.blue()) < 4;
}

}  // namespace

class TestHeadWall : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        motion::setReduced(true);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void everyHeadOfAKindIsDrawnInTheColoursOfItsWeights() {
        const ShownWall shown(kDecoder);
        QCOMPARE(shown.survey().kind(), Kind::DecoderSelf);
        QCOMPARE(shown.survey().heads().size(), size_t(12));
        const QImage image = shown.wall().grab().toImage();
        const int words = shown.survey().rows();
        for (int i = 0; i < 12; ++i) {
            const HeadSurvey::Head& head = shown.survey().heads()[static_cast<size_t>(i)];
            QCOMPARE(head.layer, i / 4);
            const auto weights = shown.trace->at(head.scope.toStdString() + ".weights").head(head.head);
            HeadImage picture;
            picture.rows = picture.columns = words;
            const QRectF box = shown.wall().headRect(i);
            QVERIFY(box.width() > 30 && shown.wall().rect().contains(box.toRect()));
            for (int row = 1; row < words; ++row)
                for (int column = 0; column < row; ++column) {
                    const QPointF at = headCellRect(box, picture, row, column).center();
                    const QColor want = Theme::light().sequential(
                        static_cast<double>(weights[static_cast<size_t>(row * words + column)]));
                    QVERIFY(near(image.pixelColor(at.toPoint()), want));
                }
        }
    }

    void theMarkOfAHabitCoversNoWeight_data() {
        QTest::addColumn<QString>("block");
        QTest::newRow("a matrix without a mask") << kEncoder;
        QTest::newRow("a masked matrix") << kDecoder;
    }

    void theMarkOfAHabitCoversNoWeight() {
        QFETCH(QString, block);
        const ShownWall shown(block);
        const HeadWall& wall = shown.wall();
        for (const int marked : wall.order()) {
            const QRectF mark = wall.markRect(marked);
            QVERIFY(!mark.isEmpty() && QRectF(wall.rect()).contains(mark));
            for (const int head : wall.order()) {
                const QRectF box = wall.headRect(head);
                const double high = box.height() / shown.survey().rows(), wide = box.width() / shown.survey().columns();
                for (int row = 0; row < shown.survey().rows(); ++row)
                    for (int column = 0; column < shown.survey().columns(); ++column)
                        if (shown.survey().isOpen(row, column))
                            QVERIFY(!mark.intersects({box.x() + column * wide, box.y() + row * high, wide, high}));
            }
        }
    }

    void aThinDiagonalIsSeenHoweverLongTheTextIs() {
        const int words = 48;
        auto trace = std::make_shared<Trace>(*fixture::makeTrace({24, 16, words}));
        const ShownWall shown(kEncoder, trace);
        const QRectF box = shown.wall().headRect(0);
        QVERIFY2(box.width() < words, "several cells share a pixel");
        const auto weights = trace->at("encoder.layers.0.self_attn.weights").head(0);
        const QImage image = shown.wall().grab().toImage();
        const int side = static_cast<int>(box.width());
        for (int y = side / 2; y < side; ++y) {
            const auto range = [&](int pixel) { return std::pair(pixel * words / side, (pixel + 1) * words / side); };
            float most = 0;
            for (int row = range(y).first; row < std::max(range(y).first + 1, range(y).second); ++row)
                for (int column = 0; column < std::max(1, range(0).second); ++column)
                    most = std::max(most, weights[static_cast<size_t>(row * words + column)]);
            const QColor got = image.pixelColor(box.toRect().topLeft() + QPoint(0, y));
            QVERIFY(near(got, Theme::light().sequential(static_cast<double>(most))));
        }
    }

    void theSearchFindsTheHeadsThatLookSo() {
        ShownWall shown(kDecoder);
        for (const double least : {0.1, 0.3, 0.6}) {
            shown.show([&](StageState& s) { s.attention.least = least; });
            shown.selection.setCell({4, 2});
            std::vector<std::pair<float, int>> expected;
            for (int i = 0; i < 12; ++i) {
                const auto record = QStringLiteral("decoder.layers.%1.self_attn.weights").arg(i / 4).toStdString();
                const float weight = shown.trace->at(record).head(i % 4)[4 * 6 + 2];
                if (static_cast<double>(weight) >= least) expected.emplace_back(-weight, i);
            }
            std::ranges::sort(expected);
            std::vector<int> heads;
            for (const auto& [weight, head] : expected)
                heads.push_back(head);
            QCOMPARE(shown.wall().found(), heads);
            QList<FoundRow*> rows;
            for (FoundRow* row : shown.page().findChildren<FoundRow*>())
                if (row->isVisibleTo(&shown.page())) rows << row;
            QCOMPARE(size_t(rows.size()), std::min(heads.size(), size_t(WallSearch::kMostFound)));
            for (qsizetype i = 0; i < rows.size(); ++i)
                QCOMPARE(rows[i]->accessibleName(), QStringLiteral("Layer %1, head %2, weight %3")
                                                        .arg(heads[size_t(i)] / 4 + 1)
                                                        .arg(heads[size_t(i)] % 4 + 1)
                                                        .arg(formatNumber(-double(expected[size_t(i)].first))));
        }
    }

    void twoWordsAreChosenOneAfterTheOther() {
        ShownWall shown(kDecoder);
        const QList<WordPick*> picks = shown.page().findChildren<WordPick*>();
        QCOMPARE(picks.size(), 2);
        QCOMPARE(picks[0]->count(), 7);
        emit picks[0]->activated(picks[0]->currentIndex());
        picks[0]->setPlace(4);
        emit picks[0]->activated(5);
        QVERIFY(!shown.selection.cell().valid());
        QCOMPARE(picks[0]->place(), 4);
        picks[1]->setPlace(1);
        emit picks[1]->activated(2);
        QCOMPARE(shown.selection.cell(), (Selection::Cell{4, 1}));
        picks[1]->setPlace(-1);
        emit picks[1]->activated(0);
        QVERIFY(!shown.selection.cell().valid());
        QVERIFY(shown.wall().found().empty());
    }

    void habitsAreCountedAndAClickKeepsOnlyThose() {
        ShownWall shown(kEncoder);
        std::map<HeadHabit, int> counts;
        for (const HeadSurvey::Head& head : shown.survey().heads()) {
            QCOMPARE(head.facts.habit, shown.facts(head).habit);
            QCOMPARE(head.facts.share, shown.facts(head).share);
            ++counts[head.facts.habit];
        }
        for (HabitRow* row : shown.page().findChildren<HabitRow*>())
            if (row->isVisible()) QCOMPARE(row->text(), QString::number(counts[row->habit()]));
        QSignalSpy said(&shown.view, &AttentionView::optionsChanged);
        for (HabitRow* row : shown.page().findChildren<HabitRow*>()) {
            if (!row->isVisible() || counts[row->habit()] == 0) continue;
            shown.show([](StageState& s) { s.attention.order = AttentionOptions::Order::Entropy; });
            said.clear();
            row->click();
            QCOMPARE(said.count(), 1);
            QCOMPARE(int(shown.wall().order().size()), counts[row->habit()]);
            for (const int head : shown.wall().order())
                QCOMPARE(shown.survey().heads()[size_t(head)].facts.habit, row->habit());
            row->click();
            QCOMPARE(shown.wall().order().size(), size_t(12));
        }
    }

    void headsOfAnotherHabitFadeWhereTheyStand() {
        ShownWall shown(kEncoder);
        const QImage before = shown.wall().grab().toImage();
        const HeadHabit wanted = shown.survey().heads()[1].facts.habit;
        shown.show([&](StageState& s) {
            s.attention.habit = static_cast<AttentionOptions::Habit>(static_cast<int>(wanted) + 1);
        });
        const QImage after = shown.wall().grab().toImage();
        int faded = 0;
        for (int i = 0; i < 12; ++i) {
            const QRect box = shown.wall().headRect(i).toRect();
            const bool same = before.copy(box) == after.copy(box);
            QCOMPARE(same, shown.survey().heads()[size_t(i)].facts.habit == wanted);
            faded += same ? 0 : 1;
        }
        QVERIFY(faded > 0 && faded < 12);
    }

    void everyOrderPutsTheBestFirst() {
        ShownWall shown(kEncoder);
        const auto valuesIn = [&](AttentionOptions::Order order, auto value) {
            shown.show([&](StageState& s) { s.attention.order = order; });
            std::vector<double> values;
            for (const int head : shown.wall().order())
                values.push_back(value(shown.facts(shown.survey().heads()[size_t(head)])));
            return values;
        };
        using Order = AttentionOptions::Order;
        const auto entropy = valuesIn(Order::Entropy, [](const HeadFacts& facts) { return facts.entropy; });
        QCOMPARE(entropy.size(), size_t(12));
        QVERIFY(std::ranges::is_sorted(entropy) && entropy.front() < entropy.back());
        const auto distance = valuesIn(Order::Distance, [](const HeadFacts& facts) { return facts.distance; });
        QVERIFY(std::ranges::is_sorted(distance, std::greater()));
        const auto first = valuesIn(Order::First, [](const HeadFacts& facts) { return facts.first; });
        QVERIFY(std::ranges::is_sorted(first, std::greater()));
        // Line below line, from left to right.
        for (size_t i = 1; i < 12; ++i) {
            const QRectF one = shown.wall().headRect(shown.wall().order()[i - 1]),
                         next = shown.wall().headRect(shown.wall().order()[i]);
            QVERIFY(next.top() > one.top() || next.left() > one.left());
        }
    }

    void layersOutsideTheRangeAreNotOnTheWall() {
        ShownWall shown(kEncoder);
        shown.show([](StageState& s) { s.attention.firstLayer = s.attention.lastLayer = 2; });
        QCOMPARE(shown.wall().order(), (std::vector<int>{4, 5, 6, 7}));
        QVERIFY(shown.wall().headRect(0).isEmpty());
        auto* layers = shown.page().findChild<RangeSlider*>();
        QTest::keyClick(layers, Qt::Key_Right);
        QCOMPARE(shown.wall().order().size(), size_t(8));
        QTest::keyClick(layers, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(shown.wall().order().size(), size_t(12));
        StageState told;
        shown.view.tellOptions(told);
        QCOMPARE(told.attention.firstLayer, 1);
        QCOMPARE(told.attention.lastLayer, 0);
        shown.show([](StageState& s) { s.attention.firstLayer = s.attention.lastLayer = 99; });
        QCOMPARE(shown.wall().order(), (std::vector<int>{8, 9, 10, 11}));
    }

    void anotherOrderFlowsUnlessThereIsToBeLessMotion() {
        ShownWall shown(kEncoder);
        const int moved = 11;
        const auto reorder = [&](AttentionOptions::Order order) {
            WallOptions options = shown.page().options();
            options.order = static_cast<WallOptions::Order>(order);
            shown.wall().setOptions(options);
        };
        const QRectF before = shown.wall().headRect(moved);
        reorder(AttentionOptions::Order::Entropy);
        const QRectF there = shown.wall().headRect(moved);
        QVERIFY(there != before);
        reorder(AttentionOptions::Order::Layer);
        motion::setReduced(false);
        reorder(AttentionOptions::Order::Entropy);
        QCOMPARE(shown.wall().headRect(moved), before);
        QTRY_COMPARE(shown.wall().headRect(moved), there);
        motion::setReduced(true);
    }

    void withoutTheFirstWordTheOthersStandOverWhatIsLeft() {
        ShownWall shown(kDecoder);
        shown.button("Without the first word")->click();
        StageState told;
        shown.view.tellOptions(told);
        QVERIFY(told.attention.withoutFirst);
        for (const HeadSurvey::Head& head : shown.survey().heads()) {
            const auto weights = shown.trace->at(head.scope.toStdString() + ".weights").head(head.head);
            for (int row = 0; row < 6; ++row)
                for (int column = 0; column < 6; ++column) {
                    const float left = 1 - weights[size_t(row * 6)];
                    const float want = column == 0 || left < 0.05F ? 0 : weights[size_t(row * 6 + column)] / left;
                    QVERIFY(std::abs(head.seen()[size_t(row * 6 + column)] - want) < 1e-6F);
                }
            QCOMPARE(head.facts.habit, shown.facts(head, FirstWord::LeftOut).habit);
        }
        shown.selection.setCell({4, 2});
        for (const int found : shown.wall().found())
            QVERIFY(shown.survey().heads()[size_t(found)].seen()[4 * 6 + 2] >= 0.5F);
        const MatrixData& matrix = shown.page().head()->matrix()->data();
        QVERIFY(matrix.isMasked(3, 0) && !matrix.isMasked(3, 1));
    }

    void ofTwoTextsTheFirstLooksAtTheSecond() {
        ShownWall shown(kEncoder, pairTrace());
        QCOMPARE(shown.survey().firstText(), 4);
        QVERIFY(shown.button("First text to second"));
        shown.button("First text to second")->click();
        for (const HeadSurvey::Head& head : shown.survey().heads())
            for (int row = 0; row < 7; ++row)
                for (int column = 0; column < 7; ++column) {
                    const bool between = row < 4 && column >= 4;
                    QCOMPARE(head.seen()[size_t(row * 7 + column)],
                             between ? head.weights[size_t(row * 7 + column)] : 0.0F);
                }
        QVERIFY(!ShownWall(kEncoder).button("First text to second"));
    }

    void theChosenHeadIsShownInFullWithItsRanks() {
        ShownWall shown(kEncoder);
        QTest::mouseClick(&shown.wall(), Qt::LeftButton, {}, shown.wall().headRect(6).center().toPoint());
        QCOMPARE(shown.selection.block(), QStringLiteral("encoder.layers.1.self_attn"));
        QCOMPARE(shown.selection.head(), 2);
        QCOMPARE(shown.wall().chosen(), 6);
        const auto weights = shown.trace->at("encoder.layers.1.self_attn.weights").head(2);
        const WallHead& panel = *shown.page().head();
        QCOMPARE(panel.matrix()->data().values, std::vector<float>(weights.begin(), weights.end()));
        const std::vector<RankStrips::Strip>& strips = panel.ranks()->strips();
        QCOMPARE(strips.size(), size_t(4));
        const auto rank = [&](auto value, bool largestFirst) {
            const double own = value(shown.facts(shown.survey().heads()[6]));
            int better = 0;
            for (const HeadSurvey::Head& head : shown.survey().heads())
                better += largestFirst ? value(shown.facts(head)) > own : value(shown.facts(head)) < own;
            return better + 1;
        };
        QCOMPARE(strips[0].rank, rank([](const HeadFacts& facts) { return facts.entropy; }, false));
        QCOMPARE(strips[1].rank, rank([](const HeadFacts& facts) { return facts.distance; }, true));
        QCOMPARE(strips[2].rank, rank([](const HeadFacts& facts) { return facts.first; }, true));
        QCOMPARE(strips[0].number, formatNumber(shown.facts(shown.survey().heads()[6]).entropy));
        QVERIFY(strips[3].values.empty());
        shown.selection.setCell({3, 5});
        QCOMPARE(panel.text()->row().weights, std::vector<float>(weights.begin() + 18, weights.begin() + 24));
        QTest::mouseClick(panel.text(), Qt::LeftButton, {}, panel.text()->wordRect(1).center().toPoint());
        QCOMPARE(shown.selection.cell(), (Selection::Cell{3, 1}));
    }

    void arrowsMoveEnterChoosesAndMMutes() {
        ShownWall shown(kEncoder);
        shown.selection.setHead(0);
        QCOMPARE(shown.wall().current(), 0);
        QSignalSpy muted(&shown.view, &AttentionView::mutedHeadsChanged);
        QTest::keyClick(&shown.wall(), Qt::Key_Right);
        QTest::keyClick(&shown.wall(), Qt::Key_Down);
        QCOMPARE(shown.wall().current(), 5);
        QCOMPARE(shown.wall().chosen(), 0);
        QTest::keyClick(&shown.wall(), Qt::Key_M);
        QCOMPARE(muted.takeFirst().first().toStringList(), QStringList{"encoder.layers.1.self_attn.1"});
        QCOMPARE(shown.wall().current(), 5);
        QTest::keyClick(&shown.wall(), Qt::Key_Return);
        QCOMPARE(shown.selection.block(), QStringLiteral("encoder.layers.1.self_attn"));
        QCOMPARE(shown.selection.head(), 1);
        QTest::keyClick(&shown.wall(), Qt::Key_Left);
        QTest::keyClick(&shown.wall(), Qt::Key_Escape);
        QCOMPARE(shown.wall().current(), 5);
    }

    void aMutedHeadIsMarked() {
        ShownWall shown(kEncoder);
        const auto badIn = [&](int head) {
            const QImage image = shown.wall().grab(shown.wall().headRect(head).toRect()).toImage();
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    pixels += near(image.pixelColor(x, y), Theme::light().bad) ? 1 : 0;
            return pixels;
        };
        QCOMPARE(badIn(6), 0);
        shown.view.setMuted({}, {QStringLiteral("encoder.layers.1.self_attn.2")});
        QVERIFY(badIn(6) > 4);
        QCOMPARE(badIn(5), 0);
        shown.wall().setFocus();
        shown.selection.setBlock(QStringLiteral("encoder.layers.1.self_attn"));
        shown.selection.setHead(2);
        QSignalSpy muted(&shown.view, &AttentionView::mutedHeadsChanged);
        shown.page().head()->muteButton()->click();
        QCOMPARE(muted.takeFirst().first().toStringList(), QStringList());
    }

    void theKindOfAttentionIsThatOfTheChosenBlock() {
        ShownWall shown(kEncoder);
        shown.button("Cross")->click();
        QCOMPARE(shown.survey().kind(), Kind::Cross);
        QCOMPARE(shown.selection.block(), QStringLiteral("decoder.layers.0.cross_attn"));
        shown.selection.setBlock(kDecoder);
        QCOMPARE(shown.survey().kind(), Kind::DecoderSelf);
    }

    void whatIsComputedLaterIsAnOutline() {
        ShownWall shown(kEncoder);
        const QImage whole = shown.wall().grab().toImage();
        shown.view.setRevealed(shown.trace->indexOf("encoder.layers.0.self_attn.weights"));
        const QImage part = shown.wall().grab().toImage();
        for (int head = 0; head < 12; ++head) {
            const QRect box = shown.wall().headRect(head).toRect().adjusted(2, 2, -2, -2);
            QCOMPARE(whole.copy(box) == part.copy(box), head < 4);
        }
    }

    void theImportanceOfAHeadIsWhatTheTextCostsWithoutIt() {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        const QString text = QStringLiteral("tôi đang học tiếng anh");
        ShownWall shown(QStringLiteral("decoder.layers.1.cross_attn"), readSentence(*model, text).trace);
        shown.page().setReading(model, text, {});
        shown.show([](StageState& s) { s.attention.order = AttentionOptions::Order::Importance; });
        QTRY_VERIFY(shown.page().study()->ablation());
        const TextAblation expected = ablateHeadsOnText(*model, text.toStdString());
        for (const HeadSurvey::Head& head : shown.survey().heads()) {
            const auto rise =
                std::ranges::find(expected.heads, MutedHead{head.scope.toStdString(), head.head}, &HeadRise::head);
            QCOMPARE(*head.rise, rise->rise);
        }
        const int best = shown.wall().order().front();
        QCOMPARE(shown.survey().rank(HeadSurvey::Measure::Importance, best), 1);
        const std::vector<HeadSurvey::Head>& heads = shown.survey().heads();
        QVERIFY(std::ranges::all_of(heads, [&](const auto& head) { return *head.rise <= *heads[size_t(best)].rise; }));
        shown.page().setReading(model, QStringLiteral("tôi yêu bạn"), {});
        QVERIFY2(!shown.page().study()->ablation(), "another text has other losses");
    }

    void headsAreJudgedByACorpusAndByThisTextAgain() {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        const QString text = QStringLiteral("tôi đang học tiếng anh");
        ShownWall shown(QStringLiteral("decoder.layers.1.cross_attn"), readSentence(*model, text).trace);
        shown.page().setReading(model, text, {});
        const auto habits = [&] {
            std::vector<HeadFacts> all;
            for (const HeadSurvey::Head& head : shown.survey().heads())
                all.push_back(head.facts);
            return all;
        };
        const std::vector<HeadFacts> ofText = habits();
        shown.button("By a corpus")->click();
        QVERIFY(shown.button("Stop"));
        QTRY_VERIFY(shown.page().study()->judgement());
        const HeadJudgement& found = *shown.page().study()->judgement();
        QCOMPARE(found.sentences, 100L);
        for (const HeadSurvey::Head& head : shown.survey().heads()) {
            const auto judged =
                std::ranges::find(found.heads, MutedHead{head.scope.toStdString(), head.head}, &JudgedHead::head);
            QCOMPARE(head.facts.habit, judged->facts.habit);
            QCOMPARE(head.facts.share, judged->facts.share);
            QCOMPARE(head.examples.size(), judged->examples.size());
        }
        shown.button("This text")->click();
        for (size_t i = 0; i < ofText.size(); ++i)
            QCOMPARE(habits()[i].share, ofText[i].share);
        shown.button("By a corpus")->click();
        shown.button("Stop")->click();
        QVERIFY(!shown.page().study()->judgement() && shown.button("By a corpus"));
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestHeadWall)
#include "test_head_wall.moc"
