// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/fixture.h"
#include "ui/session/selection.h"
#include "ui/views/attention_stage.h"
#include "ui/views/attention_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/head_grid.h"
#include "ui/widgets/head_strip.h"
#include "ui/widgets/matrix_view.h"
#include "ui/widgets/token_strip.h"

using namespace headlight;

namespace {

const QString kCross = QStringLiteral("decoder.layers.1.cross_attn");

TranslationRow row(const QStringList& words, double logProb) {
    return {words, std::vector<float>(static_cast<size_t>(words.size()), 0.91F), logProb};
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
        const QImage after = changed.grab().toImage(), expected = fresh.grab().toImage();
        m_theme->setMode(ThemeManager::Mode::Light);
        QCOMPARE(after, expected);
    }

    void pictures() {
        if (qEnvironmentVariableIsEmpty("HEADLIGHT_SHOTS")) QSKIP("pictures are made on demand");
        for (const bool dark : {false, true}) {
            m_theme->setMode(dark ? ThemeManager::Mode::Dark : ThemeManager::Mode::Light);
            const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
            Selection selection;
            AttentionView view(&selection);
            view.setAutoFillBackground(true);
            fixture::shoot(view, "attention-empty-" + theme, {1216, 752});
            view.setTrace(fixture::makeTrace());
            selection.setHead(7);
            selection.setCell({2, 2});
            view.setBaseline(row({"i", "am", "learning", "english", "<eos>"}, -0.68));
            view.setMuted(row({"you", "are", "learning", "english", "<eos>"}, -2.16),
                          {kCross + ".1", kCross + ".3", kCross + ".6"});
            for (const QSize size : {QSize(1216, 588), QSize(1376, 852), QSize(1856, 1032)})
                fixture::shoot(view, "attention-" + theme, size);
            selection.setBlock("decoder.layers.0.self_attn");
            view.stage()->quantity()->setCurrentIndex(1);
            fixture::shoot(view, "attention-scores-" + theme, {1376, 852});
            view.stage()->quantity()->setCurrentIndex(0);
            view.setMuted({}, {});
            view.setTrace(fixture::makeTrace({6, 16, 40}));
            fixture::shoot(view, "attention-long-" + theme, {1376, 852});
            view.setTrace(fixture::makeTrace({1, 1, 1}));
            fixture::shoot(view, "attention-one-" + theme, {1376, 852});
            view.setTrace(fixture::makeTrace({2, 12, 12}));
            view.setRevealed(40);
            fixture::shoot(view, "attention-reveal-" + theme, {1376, 852});
        }
    }
};

QTEST_MAIN(TestAttentionView)
#include "test_attention_view.moc"
