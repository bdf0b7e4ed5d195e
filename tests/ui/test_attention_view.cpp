// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/row_readout.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/heads/attention_lines.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/shaded_text.h"
#include "ui/widgets/words/token_strip.h"

using namespace headlight;

namespace {

const QString kCross = QStringLiteral("decoder.layers.1.cross_attn");

TranslationRow row(const QStringList& words, double logProb) {
    return {words, std::vector<float>(static_cast<size_t>(words.size()), 0.91F), logProb};
}

bool reads(const QWidget& view, const QString& text) {
    const QList<QLabel*> labels = view.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == text; });
}

}  // namespace

class TestAttentionView : public QObject {
    Q_OBJECT

    std::unique_ptr<ThemeManager> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void aTraceOpensOnItsLastBlock() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        QCOMPARE(selection.block(), kCross);
        const MatrixData& shown = view.stage()->matrix()->data();
        QCOMPARE(shown.rowLabels, (QStringList{"i", "am", "learning", "english", "<eos>"}));
        QCOMPARE(shown.rowSubLabels.first(), QStringLiteral("after <bos>"));
        QCOMPARE(shown.columnLabels, (QStringList{"tôi", "đang", "học", "tiếng", "anh"}));
    }

    void aPlaceWithNothingToShowSaysSoInFull() {
        Selection selection;
        AttentionView view(&selection);
        view.resize(1216, 752);
        view.show();
        QSignalSpy open(&view, &AttentionView::openModelRequested);
        for (auto* label : view.findChildren<QLabel*>()) {
            if (!label->isVisible()) continue;
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        }
        for (auto* button : view.findChildren<Button*>())
            if (button->isVisible()) button->click();
        QCOMPARE(open.count(), 1);
    }

    void aClickOnAThumbnailShowsThatHead() {
        Selection selection;
        AttentionView view(&selection);
        const auto trace = fixture::makeTrace();
        view.setTrace(trace);
        view.resize(1376, 852);
        view.show();
        auto* grid = view.findChild<HeadGrid*>();
        // Rows stand in the order encoder self, decoder self, cross: the third is decoder self, layer 1.
        QTest::mouseClick(grid, Qt::LeftButton, {}, grid->headRect(2, 4).center().toPoint());
        QCOMPARE(selection.block(), QStringLiteral("decoder.layers.0.self_attn"));
        QCOMPARE(selection.head(), 4);
        const auto expected = trace->at("decoder.layers.0.self_attn.weights").head(4);
        QCOMPARE(view.stage()->matrix()->data().values, std::vector<float>(expected.begin(), expected.end()));
        QVERIFY(view.stage()->matrix()->data().isMasked(0, 1));
        QVERIFY(!view.stage()->matrix()->data().isMasked(1, 0));
    }

    void oneSelectionLinksTheMatrixAndTheLines() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        view.resize(1376, 852);
        view.show();
        MatrixView* matrix = view.stage()->matrix();
        QTest::mouseClick(matrix->viewport(), Qt::LeftButton, {}, matrix->cellRect({2, 3}).center().toPoint());
        QCOMPARE(selection.cell(), (Selection::Cell{2, 3}));
        QTest::keyClick(matrix, Qt::Key_Escape);
        QVERIFY(!selection.cell().valid());
        selection.setHovered({1, 1});
        QCOMPARE(matrix->hovered(), (MatrixView::Cell{1, 1}));
    }

    void scoresUseTheDivergingScale() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        view.stage()->quantity()->setCurrentIndex(1);
        const MatrixData& shown = view.stage()->matrix()->data();
        QCOMPARE(shown.scale.kind, ColorScale::Kind::Diverging);
        QCOMPARE(std::fmod(shown.scale.max, 0.5), 0.0);
    }

    void rolloutShowsWhatReachesEachWordThroughTheLayers() {
        Selection selection;
        selection.setBlock(QStringLiteral("encoder.layers.1.self_attn"));
        AttentionView view(&selection);
        const auto trace = fixture::makeTrace();
        view.setTrace(trace);
        view.stage()->quantity()->setCurrentIndex(2);
        const MatrixData& shown = view.stage()->matrix()->data();
        std::vector<float> expected;
        for (const AttentionBlock& block : attentionBlocks(*trace))
            if (block.scope == selection.block()) expected = attentionRollout(*trace, block);
        QCOMPARE(shown.values, expected);
        for (int row = 0; row < shown.rows; ++row) {
            double sum = 0;
            for (int column = 0; column < shown.columns; ++column)
                sum += static_cast<double>(shown.value(row, column));
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
    }

    /// The matrix said 0.18, lines and read-out 0.42 of the same cell.
    void everythingFollowsTheRollout() {
        Selection selection;
        selection.setBlock(QStringLiteral("encoder.layers.1.self_attn"));
        AttentionView view(&selection);
        const auto trace = fixture::makeTrace();
        view.setTrace(trace);
        view.stage()->quantity()->setCurrentIndex(2);
        const MatrixData& shown = view.stage()->matrix()->data();
        for (const int picture : {0, 1}) {
            view.stage()->picture()->setCurrentIndex(picture);
            const LineChoice& choice = view.stage()->lines()->choice();
            QVERIFY(choice.lines.size() > 5);
            for (const AttentionLine& line : choice.lines)
                QCOMPARE(line.weight, shown.value(line.row, line.column));
        }
        selection.setCell({3, 1});
        const std::vector<float> row(shown.values.begin() + 15, shown.values.begin() + 20);
        QCOMPARE(view.stage()->readout()->weights(), row);
        QVERIFY(view.stage()->readout()->title().contains(QLatin1String("all heads")));
        // Scores are read out as scores.
        view.stage()->quantity()->setCurrentIndex(1);
        QCOMPARE(view.stage()->readout()->weights()[1], view.stage()->matrix()->data().value(3, 1));
    }

    /// The word that is pointed at took the place of a larger one.
    void theFiveLargestAreTheFiveLargest() {
        RowReadout readout;
        readout.show();
        const QStringList words = {"a", "b", "c", "d", "e", "f", "g"};
        const std::vector<float> weights = {0.3F, 0.01F, 0.2F, 0.15F, 0.1F, 0.14F, 0.1F};
        readout.setRow(QStringLiteral("Row"), words, weights, 3);
        QCOMPARE(readout.columns(), std::vector<int>({0, 2, 3, 4, 5}));
        QCOMPARE(readout.title(), QStringLiteral("Row, the five largest"));
        readout.setRow(QStringLiteral("Row"), words, weights, 1);
        QCOMPARE(readout.columns(), std::vector<int>({0, 1, 2, 3, 4, 5}));
        QCOMPARE(readout.title(), QStringLiteral("Row, the five largest and “b”"));
        // What reads 0.00 is none of the largest; of scores, which may be of any size, all are read out.
        readout.setRow(QStringLiteral("Row"), words, {0.7F, 0.298F, 0.001F, 0.001F, 0, 0, 0}, -1);
        QCOMPARE(readout.columns(), std::vector<int>({0, 1}));
        QCOMPARE(readout.title(), QStringLiteral("Row, the two largest"));
        readout.setRow(QStringLiteral("Row"), words, {-3, -2, 0.001F, -5, -6, -7, -8}, -1);
        QCOMPARE(readout.columns().size(), size_t{5});
        // Where there is less room there are fewer words, and none of them cut short.
        readout.resize(150, 46);
        readout.setRow(QStringLiteral("Row"), {"tôi", "đang", "học", "tiếng", "anh"}, {0.1F, 0.6F, 0.1F, 0.1F, 0.1F},
                       2);
        QCOMPARE(readout.title(), QStringLiteral("Row, the largest and “học”"));
        QCOMPARE(readout.columns(), (std::vector<int>{1, 2}));
        readout.resize(440, 46);
        QCOMPARE(readout.title(), QStringLiteral("Row"));
    }

    /// One stack has the colour that the drawing of the model gives it.
    void aClassifiersHeadsAreNoDecoders() {
        Selection selection;
        AttentionView view(&selection);
        const auto model = fixture::shippedModel(QStringLiteral("sentiment-transformer"));
        view.setTrace(readSentence(*model, exampleSentence(*model)).trace);
        view.resize(1376, 852);
        view.show();
        QCOMPARE(fixture::drawn(*view.findChild<HeadGrid*>()).ink(QStringLiteral("Self-attention")),
                 Theme::light().encoder);
    }

    void theTextIsShadedByTheWeightsOfOneWord() {
        Selection selection;
        AttentionView view(&selection);
        const auto trace = fixture::makeTrace();
        view.setTrace(trace);
        view.resize(1376, 852);
        view.show();
        view.stage()->picture()->setCurrentIndex(2);
        QApplication::processEvents();
        ShadedText* text = view.stage()->text();
        QTest::mouseClick(text, Qt::LeftButton, {}, text->queryRect(3).center().toPoint());
        QCOMPARE(selection.cell().query, 3);
        QCOMPARE(text->query(), 3);
        QTest::keyClick(text, Qt::Key_Left);
        QCOMPARE(text->query(), 2);
        const auto weights = trace->at(selection.block().toStdString() + ".weights").head(selection.head());
        const QImage image = text->grab().toImage();
        for (int column = 0; column < 5; ++column) {
            const QPointF at = text->keyRect(column).topLeft() + QPointF(text->keyRect(column).width() / 2, 3);
            const QColor got = image.pixelColor((at * image.devicePixelRatio()).toPoint()),
                         want =
                             Theme::light().sequential(static_cast<double>(weights[static_cast<size_t>(10 + column)]));
            QVERIFY2(std::abs(got.red() - want.red()) < 3, qPrintable(got.name() + want.name()));
        }
    }

    void allHeadsAreDrawnAsLinesAndTheirRolesNamed() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        view.resize(1376, 852);
        view.show();
        QApplication::processEvents();
        const QImage one = view.stage()->lines()->grab().toImage();
        view.stage()->picture()->setCurrentIndex(1);
        QVERIFY(view.stage()->lines()->grab().toImage() != one);
        selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
        QCOMPARE(view.stage()->strip()->notes().size(), 8);
        // The made-up scores of every third head, counted from 1, favour the word itself.
        QVERIFY2(view.stage()->strip()->notes()[1].startsWith(QLatin1String("itself")),
                 qPrintable(view.stage()->strip()->notes().join(u' ')));
    }

    void goldLinksAreDotsInAttentionToTheSource() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        view.setGold({{1, 0}, {4, 3}});
        const MatrixData& shown = view.stage()->matrix()->data();
        QCOMPARE(std::count(shown.marked.begin(), shown.marked.end(), 1), 2);
        QVERIFY(shown.marked[1] && shown.marked[3 * 5 + 4]);
        selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
        QVERIFY(view.stage()->matrix()->data().marked.empty());
    }

    void mutingAsksForANewTranslation() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        view.resize(1376, 852);
        view.show();
        QSignalSpy muted(&view, &AttentionView::mutedHeadsChanged);
        const QList<QAbstractButton*> all = view.findChildren<QAbstractButton*>();
        const auto found = std::find_if(all.begin(), all.end(),
                                        [](QAbstractButton* b) { return b->accessibleName() == "Mute head 4"; });
        QVERIFY(found != all.end());
        (*found)->click();
        QCOMPARE(muted.count(), 1);
        QCOMPARE(muted.first().first().toStringList(), QStringList{kCross + ".3"});
        view.setBaseline(row({"i", "am"}, -0.68));
        view.setMuted(row({"you", "are"}, -2.16), {kCross + ".3", kCross + ".1"});
        const QList<QLabel*> labels = view.findChildren<QLabel*>();
        QVERIFY(
            std::any_of(labels.begin(), labels.end(), [](QLabel* l) { return l->text() == "Heads 2 and 4 muted"; }));
        view.setTrace(nullptr);
        selection.setHead(3);  // with no trace there is nothing to draw and nothing to crash on
    }

    void whatIsFoundOfAHeadIsReadWhole() {
        HeadStrip strip;
        const QStringList notes{"alignment 100 %", "alignment 75 %", "4.0 words off", {}};
        strip.setHeads(std::vector<HeadImage>(4), {1, 1, 1, 1}, 2, notes);
        strip.setPictured(false);
        for (const int width : {600, 308, 270}) {
            strip.resize(width, strip.heightForWidth(width));
            const QStringList drawn = fixture::drawn(strip).texts();
            const bool isWhole = drawn.contains("alignment 100 %") && drawn.contains("4.0 words off");
            const bool isInTwo = drawn.contains("alignment") && drawn.contains("100 %") && drawn.contains("75 %") &&
                                 drawn.contains("4.0") && drawn.contains("words off");
            QVERIFY2(width == 600 ? isWhole : isInTwo, qPrintable(drawn.join(u'|')));
        }
    }

    /// The frame stayed as high as if something stood below the name.
    void whereNothingIsFoundTheFrameHugsTheName() {
        HeadStrip strip;
        strip.setPictured(false);
        strip.setHeads(std::vector<HeadImage>(4), {1, 1, 1, 1}, 2, {{}, {}, {}, {}});
        const int bare = strip.heightForWidth(600);
        strip.setHeads(std::vector<HeadImage>(4), {1, 1, 1, 1}, 2, {"alignment 75 %", {}, {}, {}});
        QVERIFY(bare < strip.heightForWidth(600));
        QVERIFY(bare <= 28);
    }

    /// Of 1280 × 800: the last line was cut off over room for the row that is pointed at.
    void everyLineOfTwelvePiecesIsInSight() {
        const auto model = fixture::shippedModel(QStringLiteral("en-fr-transformer"));
        const auto trace =
            readSentence(*model, QStringLiteral("If you don't know what to do, ask your older brother.")).trace;
        Selection selection;
        AttentionView view(&selection);
        view.resize(1216, 574);
        view.setTrace(trace);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        const auto* const lines = view.findChild<AttentionLines*>();
        QVERIFY(lines->visibleRegion().boundingRect() == lines->rect());
        // What is read of a row stands in one line.
        selection.setCell({3, 3});
        const RowReadout& readout = *view.stage()->readout();
        QVERIFY(readout.height() < 30 && !readout.columns().empty());
        QVERIFY(fixture::drawn(*view.stage()->readout()).mentions(readout.title()));
    }

    /// Beside a lesson the sign stood over the end of the name.
    void theSignOfASilentHeadLeavesItsNameFree() {
        HeadStrip strip;
        HeadImage silent;
        silent.muted = true;
        strip.setHeads({HeadImage(), silent}, {1, 1}, 2, {{}, {}});
        strip.setPictured(false);
        for (const int width : {600, 142}) {
            strip.resize(width, strip.heightForWidth(width));
            const QStringList drawn = fixture::drawn(strip).texts();
            QVERIFY2(drawn.contains("Head 1"), qPrintable(drawn.join(u'|')));
            QCOMPARE(drawn.contains("Head 2"), width == 600);
            QCOMPARE(drawn.contains("2"), width == 142);
        }
    }

    void headsAreLaidOverOneAnotherAndEscapeGoesBack() {
        Selection selection;
        AttentionView view(&selection);
        const auto trace = fixture::makeTrace();
        view.setTrace(trace);
        view.resize(1376, 852);
        view.show();
        QApplication::processEvents();
        HeadStrip* const strip = view.stage()->strip();
        const auto click = [&](int head, Qt::KeyboardModifier with) {
            QTest::mouseClick(strip, Qt::LeftButton, with, strip->imageRect(head).center().toPoint());
        };
        click(0, Qt::NoModifier);
        const size_t linesOfOne = view.stage()->lines()->choice().lines.size();
        click(2, Qt::ControlModifier);
        click(3, Qt::ShiftModifier);
        QCOMPARE(selection.heads(), (std::vector<int>{0, 2, 3}));
        const int all[] = {0, 2, 3};
        const auto& weights = trace->at(kCross.toStdString() + ".weights");
        QCOMPARE(view.stage()->matrix()->data().values, meanOfHeads(weights, all));
        QVERIFY(reads(view, QStringLiteral("Mean of heads 1, 3, 4")));
        QVERIFY(view.stage()->lines()->choice().lines.size() > 2 * linesOfOne);
        click(0, Qt::ControlModifier);
        QCOMPARE(selection.heads(), (std::vector<int>{2, 3}));
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Escape);
        QCOMPARE(selection.heads(), (std::vector<int>{2}));
        // By the keyboard: one further without choosing it, and then this one too.
        QTest::keyClick(strip, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(selection.heads(), (std::vector<int>{2}));
        QTest::keyClick(strip, Qt::Key_Space);
        QCOMPARE(selection.heads(), (std::vector<int>{2, 3}));
        selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
        QCOMPARE(selection.heads(), (std::vector<int>{2}));
    }

    void specialTokensAreTakenOutAndTheirShareIsSaid() {
        Selection selection;
        selection.setBlock(QStringLiteral("decoder.layers.0.self_attn"));
        AttentionView view(&selection);
        const auto trace = fixture::makeTrace();
        view.setTrace(trace);
        view.resize(1376, 852);
        view.show();
        StageState state;
        state.attention.withoutSpecials = true;
        view.showOptions(state);
        const MatrixData& shown = view.stage()->matrix()->data();
        QCOMPARE(shown.columnLabels, (QStringList{"i", "am", "learning", "english"}));
        QCOMPARE(shown.rowLabels, (QStringList{"i", "am", "learning", "english"}));
        const auto weights = trace->at("decoder.layers.0.self_attn.weights").head(0);
        QCOMPARE(shown.value(1, 0), weights[5 + 1]);
        // The first four rows give it so much.
        const double share = (double(weights[0]) + double(weights[5]) + double(weights[10]) + double(weights[15])) / 4;
        QVERIFY(reads(view, QStringLiteral("1 word hidden, with %1 of the weight").arg(formatPercent(share, 0))));
        QApplication::processEvents();
        MatrixView* const matrix = view.stage()->matrix();
        QTest::mouseClick(matrix->viewport(), Qt::LeftButton, {}, matrix->cellRect({2, 1}).center().toPoint());
        QCOMPARE(selection.cell(), (Selection::Cell{2, 2}));
        QCOMPARE(matrix->locked(), (MatrixView::Cell{2, 1}));
        selection.setCell({2, 0});
        QVERIFY2(!matrix->locked().valid(), "a word that is taken out is nowhere");
    }

    void fewerLinesAreCounted() {
        Selection selection;
        AttentionView view(&selection);
        view.setTrace(fixture::makeTrace());
        StageState state;
        state.attention.top = 1;
        view.showOptions(state);
        const LineChoice& choice = view.stage()->lines()->choice();
        QCOMPARE(choice.lines.size(), size_t{5});  // the strongest of each word
        const QString told = QStringLiteral("5 of 25 lines, %1 of the weight; %2 below 0.02 left out")
                                 .arg(formatPercent(choice.share, 0))
                                 .arg(choice.faint);
        const auto captions = view.findChildren<FittingCaption*>();
        QVERIFY(std::ranges::any_of(captions, [&](const auto* each) { return each->whole() == told; }));
    }

    void pairsOfSentencesAreAskedForWhereThereAreSome() {
        Selection selection;
        selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
        AttentionView view(&selection);
        Trace pair = *fixture::makeTrace();
        pair.sourceTokens = {"[CLS]", "a", "[SEP]", "b", "[SEP]"};
        pair.targetTokens.clear();
        const auto asked = [&] {
            for (const QWidget* each : view.findChildren<QWidget*>())
                if (each->accessibleName() == QLatin1String("Which sentence looks at which")) return !each->isHidden();
            return false;
        };
        view.setTrace(fixture::makeTrace());
        QVERIFY(!asked());
        view.setTrace(std::make_shared<const Trace>(pair));
        selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
        QVERIFY(asked());
        StageState state;
        state.attention.pairs = AttentionOptions::Pairs::FirstToSecond;
        view.showOptions(state);
        const MatrixData& shown = view.stage()->matrix()->data();
        QVERIFY(shown.isLeftOut(0, 0) && !shown.isLeftOut(0, 3) && shown.isLeftOut(3, 3));
        for (const AttentionLine& line : view.stage()->lines()->choice().lines)
            QVERIFY(line.row < 3 && line.column >= 3);
    }

    void aChangeOfThemeReachesEveryPart() {
        Selection selection;
        const auto trace = fixture::makeTrace();
        const auto prepare = [&](AttentionView& view) {
            view.setTrace(trace);
            view.setBaseline(row({"i", "am"}, -0.68));
            view.resize(1376, 852);
            view.show();
            for (int i = 0; i < 4; ++i)
                QApplication::processEvents();
        };
        AttentionView changed(&selection);
        prepare(changed);
        m_theme->setMode(ThemeManager::Mode::Dark);
        for (int i = 0; i < 4; ++i)
            QApplication::processEvents();
        AttentionView fresh(&selection);
        prepare(fresh);
        // Which of the two windows is active is not the theme's affair.
        if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
        const QImage after = changed.grab().toImage(), expected = fresh.grab().toImage();
        m_theme->setMode(ThemeManager::Mode::Light);
        QCOMPARE(after, expected);
    }
};

QTEST_MAIN(TestAttentionView)
#include "test_attention_view.moc"
