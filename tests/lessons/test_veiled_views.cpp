// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be predicted in the views of layers and losses: residuals, the feed-forward network, the loss of words and
// the architecture. What they draw and tell is read back before the prediction, and after it.
#include <QLabel>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/lessons/veil_test.h"
#include "tests/ui/drawn.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_region.h"
#include "ui/shell/room_stack.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/loss/loss_columns.h"
#include "ui/views/loss/loss_side.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/loss/loss_word.h"
#include "ui/views/residual/batch_columns.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/number_steps.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/residual/units/activation_curve.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/views/residual/units/unit_network.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/value_panel.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

const QString kMark = QStringLiteral("?");

qsizetype marksIn(QWidget& widget) {
    return fixture::drawn(widget).texts().count(kMark);
}

int barsIn(const ProfileStack& profiles, int row) {
    int all = 0;
    for (const ProfileStack::Bin& bin : profiles.bins(row))
        all += bin.count;
    return all;
}

}  // namespace

class TestVeiledViews : public fixture::VeilTest {
    Q_OBJECT
private slots:
    void init() { m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900)); }
    void cleanup() { m_calm.reset(); }

    /// With the sum goes what the norm makes of it.
    void aSumIsHiddenInTheStream() {
        openVeil(QStringLiteral("residuals"), 2);
        auto& view = *m_calm->window->findChild<ResidualView*>();
        ProfileStack& profiles = *view.profiles();
        QTest::mouseClick(&profiles, Qt::LeftButton, {}, profiles.barRect(0, 19).center().toPoint());
        QCOMPARE(profiles.unit(), 19);
        const double sum = number("decoder.layers.0.residual1", 2, 19);
        QCOMPARE(marksIn(profiles), 3);  // r, z and y
        QVERIFY(!fixture::drawn(profiles).texts().contains(formatNumber(sum)));
        QVERIFY(profiles.accessibleDescription().count(QStringLiteral("hidden until you have predicted it")) == 3);
        for (int row = 0; row < 5; ++row)
            QCOMPARE(barsIn(profiles, row), row < 2 ? 64 : 63);
        // Its bar is as high as the row, whatever it is.
        QVERIFY(profiles.barRect(2, 19).height() > profiles.rowRect(2).height() - 8);
        QCOMPARE(marksIn(*view.steps()), 5);
        QVERIFY(!view.steps()->accessibleDescription().contains(formatNumber(sum, 3)));
        QVERIFY(view.steps()->accessibleDescription().contains(
            formatNumber(number("decoder.input", 2, 19), 3)));  // what it is made of is told
        QCOMPARE(marksIn(*view.batch()), 8);                    // both norms, in batches of four sizes
        QVERIFY(view.batch()->accessibleDescription().contains(kMark));
        card()->showButton()->click();
        QTRY_COMPARE(barsIn(profiles, 2), 64);
        QVERIFY(fixture::drawn(profiles).texts().contains(formatNumber(sum)));
        QCOMPARE(marksIn(profiles) + marksIn(*view.steps()) + marksIn(*view.batch()), 0);
        QVERIFY(view.steps()->accessibleDescription().contains(formatNumber(sum, 3)));
    }

    /// Of a row that is hidden whole, what it is on average is not told either.
    void aWholeRowIsHiddenInTheStream() {
        openVeil(QStringLiteral("residuals"), 2);
        auto& view = *m_calm->window->findChild<ResidualView*>();
        view.setVeil({{"decoder.layers.0.residual1", {3}}});
        const fixture::Drawn drawn = fixture::drawn(*view.profiles());
        QCOMPARE(drawn.texts().count(kMark), 3 * 3 + 3);  // mean, deviation, length; and the number that is followed
        QCOMPARE(barsIn(*view.profiles(), 2), 0);
        QVERIFY(fixture::drawn(*view.steps()).mentions(QStringLiteral("mean ?")) ||
                fixture::drawn(*view.steps()).mentions(QStringLiteral("the mean, ?")));
    }

    void aUnitIsHiddenInTheNetwork() {
        openVeil(QStringLiteral("feed-forward"), 3);
        auto& view = *m_calm->window->findChild<FeedForwardView*>();
        QTRY_VERIFY(!view.isBusy());
        UnitNetwork& network = *view.network();
        QVERIFY(view.cards()->linesOf(2).contains(QStringLiteral("? of 256 fire")));
        QVERIFY(!view.cards()->linesOf(1).contains(QStringLiteral("? of 256 fire")));
        QTest::mouseClick(&network, Qt::LeftButton, {}, network.unitRect(11).center().toPoint());
        QCOMPARE(view.unit(), 11);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(fixture::drawn(network).mentions(QStringLiteral("what it adds: ?")));
        QVERIFY(!fixture::drawn(network).mentions(QStringLiteral("cut off: it adds nothing")));
        QVERIFY(network.wiresOut().empty() && !network.wiresIn().empty());
        QVERIFY(network.accessibleDescription().contains(QStringLiteral("activation hidden")));
        QCOMPARE(marksIn(*view.curve()), 1);
        QVERIFY(
            view.curve()->accessibleDescription().endsWith(QStringLiteral("is hidden until you have predicted it")));
        QVERIFY(!view.curve()->arithmetic().contains(kMark));  // its sum is told
        QCOMPARE(view.effect()->text(), kMark);
        card()->showButton()->click();
        QTRY_VERIFY(fixture::drawn(network).mentions(QStringLiteral("cut off: it adds nothing")));
        QVERIFY(view.cards()->linesOf(2).filter(kMark).isEmpty());
        QVERIFY(network.accessibleDescription().contains(QStringLiteral("activation 0.000")));
        QCOMPARE(marksIn(*view.curve()), 0);
        QVERIFY(view.effect()->text() != kMark);
    }

    /// With a sum goes what the unit makes of it, and where it stands among the others.
    void aSumOfAUnitIsHidden() {
        openVeil(QStringLiteral("feed-forward"), 3);
        auto& view = *m_calm->window->findChild<FeedForwardView*>();
        const double sum = number("decoder.layers.1.ffn.hidden", 2, 82);
        QVERIFY(view.curve()->arithmetic().endsWith(formatNumber(sum, 3)));
        view.setVeil({{"decoder.layers.1.ffn.hidden", {3, 83}}, {"decoder.layers.1.ffn.output", {3, 1}}});
        QCOMPARE(view.curve()->arithmetic().count(kMark), 2);
        QVERIFY(!view.curve()->accessibleDescription().contains(formatNumber(sum, 3)));
        QVERIFY(!view.network()->accessibleDescription().contains(formatNumber(sum, 3)));
        QVERIFY(view.network()->sumRect(82).left() > view.network()->sumRect(11).left());
        QVERIFY(view.network()->wiresOut().empty());
        QVERIFY(view.picture()->isOutputHidden(2, 0) && !view.picture()->isOutputHidden(1, 0));
        view.setVeil({});
        QVERIFY(view.curve()->arithmetic().endsWith(formatNumber(sum, 3)));
    }

    void whatAWordCostsIsHidden() {
        openVeil(QStringLiteral("loss"), 2);
        auto& view = *m_calm->window->findChild<LossView*>();
        QTRY_VERIFY(!view.isBusy() && view.shown());
        LossColumns& columns = *view.columns();
        const double cost = view.shown()->costs[2].loss(0);
        const QTableWidget& table = *view.side()->table();
        const auto cell = [&](int row, int column) { return table.item(row, column)->text(); };
        const QString after = formatNumber(cost, 3), mean = formatNumber(meanLoss(view.shown()->costs, 0).plain, 3);
        QVERIFY(fixture::drawn(*columns.viewport()).texts().contains(kMark));
        QVERIFY(!fixture::drawn(*columns.viewport()).texts().contains(formatNumber(cost)));
        QCOMPARE(columns.accessibleDescription(), QStringLiteral("“an”: hidden until you have predicted it"));
        QVERIFY(cell(2, 1) != kMark && cell(2, 2) == kMark && cell(2, 3) == kMark && cell(1, 2) != kMark);
        QVERIFY(cell(6, 2) == kMark && cell(6, 3) == kMark);
        QVERIFY(view.side()->perplexity()->accessibleDescription().contains(QStringLiteral("hidden")));
        QVERIFY(fixture::drawn(*view.side()->perplexity()).texts().contains(kMark));
        QVERIFY(fixture::drawn(*view.word()).mentions(QStringLiteral("1.0000 × ?")));
        QVERIFY(!fixture::drawn(*view.word()).mentions(after));
        QVERIFY(fixture::drawn(view).mentions(QStringLiteral("mean ?")));
        card()->revealButton()->click();
        QVERIFY(!card()->complaint().isEmpty());
        card()->showButton()->click();
        QTRY_COMPARE(cell(2, 2), after);
        QCOMPARE(cell(6, 2), mean);
        QVERIFY(fixture::drawn(*columns.viewport()).texts().contains(formatNumber(cost)));
        QVERIFY(fixture::drawn(*view.word()).mentions(QStringLiteral("1.0000 × ") + after));
        QVERIFY(!fixture::drawn(view).mentions(QStringLiteral("mean ?")));
        QVERIFY(!view.side()->perplexity()->accessibleDescription().contains(QStringLiteral("hidden")));
    }

    /// With a share go its gradient, what it costs, and what all others together have.
    void aShareIsHidden() {
        openVeil(QStringLiteral("loss"), 2);
        auto& view = *m_calm->window->findChild<LossView*>();
        QTRY_VERIFY(!view.isBusy() && view.shown());
        const int target = view.shown()->cost().target;
        const double share = view.shown()->now.probability(target);
        view.setVeil({{"probabilities", {3, target + 1}}});
        const fixture::Drawn drawn = fixture::drawn(*view.word());
        QVERIFY(!drawn.texts().contains(formatNumber(share, 4)));
        QVERIFY(!drawn.texts().contains(formatSigned(share - 1, 4)));
        QCOMPARE(drawn.texts().count(kMark), 4 + 1);  // of its row and of the others', and the loss
        QCOMPARE(view.side()->table()->item(2, 1)->text(), kMark);
        QCOMPARE(view.side()->table()->item(2, 2)->text(), kMark);
        view.setVeil({{"logits", {3, target + 1}}});
        QCOMPARE(fixture::drawn(*view.word()).texts().count(kMark), 4 + 1 + 1);
        view.setVeil({});
        QVERIFY(fixture::drawn(*view.word()).texts().contains(formatNumber(share, 4)));
    }

    /// Scores, which have the same picture, go with their weights.
    void aRowOfWeightsIsHiddenInTheArchitecture() {
        openVeil(QStringLiteral("decoder"), 3);
        auto& view = *m_calm->window->findChild<ArchitectureView*>();
        ArchitectureStage& stage = *view.stage();
        QCOMPARE(marksIn(stage), 2 * 8);
        m_calm->window->rooms().showPanels({});  // the step has the picture alone
        settle();
        const MatrixData& shown = view.value()->matrix()->data();
        QVERIFY(std::isnan(shown.value(5, 4)) && !std::isnan(shown.value(4, 3)));
        const Trace& trace = *stage.trace();
        const int weights = trace.indexOf("decoder.layers.1.self_attn.weights");
        QCOMPARE(stage.hintOf(weights, {1, 5, 4}), QStringLiteral("hidden until you have predicted it"));
        QVERIFY(stage.hintOf(weights, {0, 5, 4}) != stage.hintOf(weights, {1, 5, 4}));  // of another head
        const int scores = trace.indexOf("decoder.layers.1.self_attn.scores");
        QCOMPARE(stage.hintOf(scores, {1, 5, 4}), QStringLiteral("hidden until you have predicted it"));
        const auto click = [&](int row, int column) {
            const int node = stage.graph().nodeOf(weights);
            QTest::mouseClick(&stage, Qt::LeftButton, {},
                              stage.graph().regionRect(trace, node, row, column).center().toPoint());
        };
        click(4, 3);  // of another row the arithmetic is told
        QVERIFY(view.number()->lines()->isVisible() && view.number()->row()->isVisible());
        click(5, 4);
        QVERIFY(!view.number()->lines()->isVisible() && !view.number()->row()->isVisible());
        card()->revealButton()->click();
        QTRY_VERIFY(player().isSolved(partOfVeil()));
        QTRY_VERIFY2(words().contains(QStringLiteral("You chose column 5. It looks at the fourth, “une”, with ")),
                     qPrintable(words()));
        QTRY_VERIFY(!std::isnan(shown.value(5, 4)));
        QVERIFY(view.number()->lines()->isVisible() && view.number()->row()->isVisible());
        m_calm->window->rooms().showPanels({"picture"});
        QTRY_COMPARE(marksIn(stage), 0);
    }

    /// One operation alone has its numbers written into its cells.
    void numbersOfOneOperationAreHidden() {
        openVeil(QStringLiteral("decoder"), 3);
        auto& view = *m_calm->window->findChild<ArchitectureView*>();
        ArchitectureStage& stage = *view.stage();
        stage.setLevel(ArchitectureLevel::Operation);
        const QString largest = formatNumber(number("decoder.layers.1.self_attn.weights", 5, 3, 1));
        const auto written = [&] { return fixture::drawn(stage).texts().filter(QStringLiteral("0.")).size(); };
        const qsizetype hidden = written();
        QCOMPARE(marksIn(stage), 2 * 8);  // and the scores that it is made of
        card()->showButton()->click();
        QTRY_COMPARE(marksIn(stage), 0);
        QVERIFY(written() > hidden && fixture::drawn(stage).texts().contains(largest));
    }

    /// While it is computed, too: no bar rises in the row, and no share falls out of it.
    void whatIsComputedShowsNothingHidden() {
        openVeil(QStringLiteral("decoder"), 3);
        auto& view = *m_calm->window->findChild<ArchitectureView*>();
        const int weights = view.stage()->trace()->indexOf("decoder.layers.1.self_attn.weights");
        for (const int each : {weights - 1, weights, weights + 1}) {
            view.setRevealed(each, 0.9);
            const auto& now = view.stage()->underWay();
            QVERIFY(now && !now->score && !now->softmax && !now->mix);
        }
        view.setRevealed(-1);
        card()->showButton()->click();
        QTRY_COMPARE(marksIn(*view.stage()), 0);
        view.setRevealed(weights, 0.9);
        QVERIFY(view.stage()->underWay()->softmax);
    }

    void wordsThatAreLikeliestAreHidden() {
        openVeil(QStringLiteral("decoder"), 3);
        auto& view = *m_calm->window->findChild<ArchitectureView*>();
        view.setVeil({});
        const auto texts = [&] { return fixture::drawn(*view.stage()).texts(); };
        QVERIFY(!texts().contains(kMark) && texts().contains(QStringLiteral("<eos>")));
        for (const char* const name : {"log_probs", "probabilities"}) {
            view.setVeil({{name, {8}}});
            QCOMPARE(texts().count(kMark), 2);  // the word, and its share
            QVERIFY(!texts().contains(QStringLiteral("<eos>")));
        }
    }

private:
    double number(const std::string& name, int row, int column, int head = 0) {
        const TraceRecord& value = m_calm->window->workbench().session.reading()->trace->at(name);
        return static_cast<double>(numberAt(value, {head, row, column}));
    }
};

QTEST_MAIN(TestVeiledViews)
#include "test_veiled_views.moc"
