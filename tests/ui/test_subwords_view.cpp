// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-pair merges as they are seen: pieces, counts, ladders are the film's, and what the hand does: merges on and
// back, words typed, a pair lit, another text.
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/data/merge_corpus.h"
#include "core/data/new_model.h"
#include "core/text/bpe_tokenizer.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/views/subwords/cut_words.h"
#include "ui/views/subwords/merge_chart.h"
#include "ui/views/subwords/pair_bars.h"
#include "ui/views/subwords/piece_words.h"
#include "ui/views/subwords/subwords_side.h"
#include "ui/views/subwords/subwords_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"

using namespace headlight;

namespace {

struct Shown {
    explicit Shown(const StageState& state = {}, const QSize& size = {1376, 800}) {
        view.resize(size);
        view.showOptions(state);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs)) qFatal("the view is never there");
        settle();
    }
    void settle() {
        if (!QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs))
            qFatal("the merges are never learned");
    }
    SubwordsView view;
};

StageState at(int merges, const char* cut = "") {
    StageState state;
    state.subwords.merges = merges;
    state.subwords.cut = cut;
    return state;
}

void press(QWidget& view, const QString& text) {
    for (auto* button : view.findChildren<QAbstractButton*>())
        if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
    QFAIL(qPrintable(text));
}

}  // namespace

class TestSubwordsView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        motion::setReduced(true);
        m_film = std::make_unique<MergeFilm>(mergeCorpus("small").counts, SubwordsView::kFewMerges);
    }
    void cleanupTestCase() { m_theme.reset(); }

    /// As many merges as the reader asks for, the same ones first; what is done goes no further than what is learned.
    void soManyMergesAreLearned() {
        Shown shown(at(40));
        QCOMPARE(shown.view.learned()->value(), SubwordsView::kFewMerges);
        QSignalSpy changed(&shown.view, &SubwordsView::optionsChanged);
        shown.view.learned()->setValue(25);
        shown.settle();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(shown.view.shown()->film->mergeCount(), 25);
        QCOMPARE(shown.view.shown()->merges, 25);
        for (size_t i = 0; i < 25; ++i)
            QVERIFY(shown.view.shown()->film->merges()[i].left == m_film->merges()[i].left &&
                    shown.view.shown()->film->merges()[i].right == m_film->merges()[i].right);
        StageState told;
        shown.view.tellOptions(told);
        QVERIFY(told.subwords.mergesLearned == 25 && told.subwords.merges == 25);
        shown.view.learned()->setValue(SubwordsView::kFewMerges);
        shown.settle();
        shown.view.tellOptions(told);
        QCOMPARE(told.subwords.mergesLearned, 0);
        QCOMPARE(shown.view.shown()->film->mergeCount(), SubwordsView::kFewMerges);
    }

    /// Its own merges cut the reader's sentence as it reads it; each moment on the way can be looked at.
    void theOpenModelsOwnMergesArePlayed() {
        const Corpus corpus{{"low low lower lowest slow", "a"}, {"slow slower newest", "b"}, {"new low wide", "c"}};
        ModelConfig config;
        config.dModel = 8;
        config.numHeads = 2;
        config.numEncoderLayers = config.numDecoderLayers = 1;
        config.dFf = 8;
        const auto model = std::make_shared<const TrainedModel>(
            newModel(config.toJson(), {.kind = TokenizerOptions::Kind::Bpe, .merges = 12}, corpus, 1));
        const auto& own = dynamic_cast<const BpeTokenizer&>(*model->source);
        StageState state;
        state.subwords.corpus = "model";
        Shown shown(state);
        QVERIFY(shown.view.whyNone()->isVisible());  // no model is open
        shown.view.setReading(model, QStringLiteral("lowest newer Xlow"), {});
        shown.settle();
        const auto& all = shown.view.shown();
        QVERIFY(all->isOfModel && !shown.view.whyNone()->isVisible() && shown.view.chart()->isVisible());
        QCOMPARE(all->film->mergeCount(), static_cast<int>(own.bpe().merges().size()));
        QCOMPARE(all->merges, all->film->mergeCount());
        QStringList cut, read;
        for (const SubwordsShown::Cut& word : all->cut)
            for (const std::string& piece : word.pieces())
                cut << bareSymbol(piece);
        const std::vector<int> ids = own.encode("lowest newer Xlow");
        for (const Piece& piece : own.pieces(ids))
            read << QString::fromStdString(piece.text);
        QVERIFY2(cut == read, qPrintable(cut.join(u' ') + u'|' + read.join(u' ')));
        for (const SubwordsShown::Cut& word : all->cut)
            QCOMPARE(word.count > 0, word.pieces().size() == 1);
        QVERIFY(all->cut.back().count == 0);  // it has no X
        QSignalSpy changed(&shown.view, &SubwordsView::optionsChanged);
        emit shown.view.chart()->mergesChosen(3);
        shown.settle();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(shown.view.shown()->merges, 3);
        QVERIFY(shown.view.shown()->cut.front().ladder.back().symbols ==
                shown.view.shown()->film->ladder("lowest", 3).back().symbols);
        StageState told;
        shown.view.tellOptions(told);
        QVERIFY(told.subwords.corpus == "model" && told.subwords.merges == 3);
        // All of them is how it reads, and what a link says without a number.
        emit shown.view.chart()->mergesChosen(shown.view.shown()->film->mergeCount());
        shown.settle();
        shown.view.tellOptions(told);
        QCOMPARE(told.subwords.merges, 0);
    }

    void aModelWithoutMergesShowsItsCutAndSaysWhy() {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        StageState state;
        state.subwords.corpus = "model";
        Shown shown(state);
        shown.view.setReading(model, QStringLiteral("tôi yêu zebra"), {});
        shown.settle();
        QVERIFY(shown.view.whyNone()->isVisible() && !shown.view.chart()->isVisible());
        QVERIFY2(shown.view.whyNone()->text().contains("whole words"), qPrintable(shown.view.whyNone()->text()));
        const std::vector<SubwordsShown::Cut>& cut = shown.view.shown()->cut;
        QCOMPARE(cut.size(), size_t{3});
        QVERIFY(cut[0].pieces().size() == 1 && cut[0].count > 0 && cut[2].count == 0);
        press(shown.view, QStringLiteral("A small text"));
        shown.settle();
        QVERIFY(!shown.view.whyNone()->isVisible() && shown.view.chart()->isVisible());
    }

    void wordsStandInPieces() {
        for (const int merges : {0, 9, 26, 60}) {
            Shown shown(at(merges));
            const PieceWords& words = *shown.view.words();
            const fixture::Drawn drawn = fixture::drawn(*shown.view.words());
            const MergeFilm::Frame frame = m_film->frame(merges, 0, 1000);
            QVERIFY(words.shownWords() > 30);
            for (int i = 0; i < words.shownWords(); ++i) {
                const MergeFilm::Word& word = frame.words[size_t(i)];
                QStringList run{formatCount(word.count)};
                for (const std::string& symbol : word.symbols)
                    run << bareSymbol(symbol);
                QVERIFY2(drawn.writes(run), qPrintable(run.join(u' ') + " in " + drawn.texts().join(u'|')));
            }
        }
    }

    void whatWasMadeLastIsAmber() {
        Shown shown(at(9));  // tin</w>
        const std::string made = m_film->merges()[8].merged;
        QCOMPARE(made, std::string("tin</w>"));
        const Theme& t = Theme::of(&shown.view);
        const std::vector<MergeFilm::Word>& words = shown.view.shown()->words;
        int amber = 0;
        for (size_t i = 0; i < size_t(shown.view.words()->shownWords()); ++i)
            for (size_t piece = 0; piece < words[i].symbols.size(); ++piece) {
                const QPointF corner = shown.view.words()->pieceRect(i, piece).topLeft() + QPointF(3, 10);
                const QColor seen = fixture::colorAt(*shown.view.words(), corner);
                const qsizetype letters = lettersIn(bareSymbol(words[i].symbols[piece]));
                const bool isMade = words[i].symbols[piece] == made;
                QCOMPARE(seen, isMade ? t.nowTint : PieceWords::colorOf(t, letters));
                amber += isMade;
            }
        QVERIFY(amber >= 2);
    }

    void pairsAreCountedBeforeTheMerge() {
        for (const int merges : {1, 26, 60}) {
            Shown shown(at(merges));
            const fixture::Drawn drawn = fixture::drawn(*shown.view.pairs());
            const std::vector<MergeFilm::Pair> pairs = m_film->frame(merges - 1, SubwordsShown::mostPairs, 0).pairs;
            const PairBars& bars = *shown.view.pairs();
            QVERIFY(bars.shownPairs() > 8);
            QCOMPARE(bars.atHand(), 0);
            const double unit = bars.barRect(0).width() / double(pairs[0].count);
            for (int row = 0; row < bars.shownPairs(); ++row) {
                const MergeFilm::Pair& pair = pairs[size_t(row)];
                QStringList run{QString::number(row + 1), bareSymbol(pair.left), "+", bareSymbol(pair.right)};
                if (endsWord(pair.right)) run << "</w>";
                run << formatCount(pair.count);
                QVERIFY2(drawn.writes(run), qPrintable(run.join(u' ') + " in " + drawn.texts().join(u'|')));
                QVERIFY(std::abs(bars.barRect(row).width() / unit - double(pair.count)) < 0.1);
            }
        }
    }

    void aPairLightsItsWords() {
        Shown shown(at(1));
        QCOMPARE(shown.view.words()->litWords(), 0);
        QTest::keyClick(shown.view.pairs(), Qt::Key_Down);
        const std::vector<std::string> with = m_film->wordsWith(m_film->merges()[0].merged, 1, 1000);
        const auto& words = shown.view.shown()->words;
        int expected = 0;
        for (size_t i = 0; i < size_t(shown.view.words()->shownWords()); ++i)
            expected += std::ranges::find(with, words[i].text) != with.end();
        QVERIFY(expected > 2);
        QCOMPARE(shown.view.words()->litWords(), expected);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(shown.view.pairs(), &leave);
        QCOMPARE(shown.view.words()->litWords(), 0);
    }

    void anyWordIsCut() {
        Shown shown(at(60));
        const fixture::Drawn drawn = fixture::drawn(*shown.view.cut());
        QVERIFY2(drawn.writes({"Nikitin", "Ni", "@@", "ki", "@@", "tin", "<unk>", "3"}),
                 qPrintable(drawn.texts().join(u'|')));
        QVERIFY(drawn.writes({"kite", "kite", "kite", "1"}));
        const fixture::Drawn ladder = fixture::drawn(*shown.view.side()->ladder());
        QVERIFY(ladder.writes({"letters", "N", "i", "k", "i", "t", "i", "n"}));
        QVERIFY(ladder.writes({"26", "Ni", "ki", "tin"}));
        QVERIFY(shown.view.side()->story()->text().contains("<b>Ni</b> from"));
        shown.view.typed()->setFocus();
        QSignalSpy changed(&shown.view, &SubwordsView::optionsChanged);
        QTest::keyClicks(shown.view.typed(), QStringLiteral("lating"));
        QCOMPARE(changed.count(), 6);
        QCOMPARE(shown.view.shown()->cut.size(), size_t(1));
        const std::vector<BpeStep> steps = Bpe(m_film->merges()).steps("lating");
        QCOMPARE(shown.view.shown()->cut[0].pieces(), steps.back().symbols);
    }

    void theTrackIsWhatTheTextTakes() {
        Shown shown(at(20));
        const MergeChart& chart = *shown.view.chart();
        QVERIFY(chart.yOf(m_film->pieces(0)) < chart.yOf(m_film->pieces(60)));
        const fixture::Drawn drawn = fixture::drawn(*shown.view.chart());
        QVERIFY(drawn.writes({formatCount(m_film->pieces(0)), formatCount(m_film->tokens())}));
        QVERIFY2(drawn.mentions(QStringLiteral("%1 pieces; vocabulary %2 characters + 20 merges = %3")
                                    .arg(formatCount(m_film->pieces(20)))
                                    .arg(m_film->characters())
                                    .arg(m_film->characters() + 20)),
                 qPrintable(drawn.texts().join(u'|')));
    }

    void mergesGoOnAndBack() {
        Shown shown(at(20));
        QSignalSpy changed(&shown.view, &SubwordsView::optionsChanged);
        const auto merges = [&] {
            StageState told;
            shown.view.tellOptions(told);
            shown.settle();
            return told.subwords.merges;
        };
        QTest::keyClick(&shown.view, Qt::Key_Period);
        QCOMPARE(merges(), 21);
        QCOMPARE(shown.view.shown()->merges, 21);
        QTest::keyClick(&shown.view, Qt::Key_Comma);
        QTest::keyClick(&shown.view, Qt::Key_Comma);
        QCOMPARE(merges(), 19);
        QTest::keyClick(shown.view.chart(), Qt::Key_Right);
        QCOMPARE(merges(), 20);
        QTest::mouseClick(shown.view.chart(), Qt::LeftButton, {}, QPoint(int(shown.view.chart()->xOf(33)), 30));
        QCOMPARE(merges(), 33);
        QTest::mouseClick(shown.view.side()->list(), Qt::LeftButton, {},
                          shown.view.side()->list()->cellRect(4).center().toPoint());
        QCOMPARE(merges(), 5);
        QCOMPARE(shown.view.shown()->merges, 5);
        QVERIFY(changed.count() >= 6);
    }

    void itPlays() {
        Shown shown(at(58));
        QTest::keyClick(&shown.view, Qt::Key_Space);
        QTRY_COMPARE(shown.view.shown()->merges, 60);
    }

    void anotherTextIsLearned() {
        Shown shown(at(3));
        QTest::mouseClick(shown.view.chart(), Qt::LeftButton, {}, QPoint(int(shown.view.chart()->xOf(2)), 30));
        press(shown.view, QStringLiteral("Edit the text"));
        QCOMPARE(shown.view.editor()->toPlainText(),
                 QString::fromUtf8(smallText().data(), qsizetype(smallText().size())));
        shown.view.editor()->setPlainText(QStringLiteral("low lower\nlowest low"));
        press(shown.view, QStringLiteral("Learn from this"));
        shown.settle();
        StageState told;
        shown.view.tellOptions(told);
        QCOMPARE(told.subwords.ownText, std::string("low lower lowest low"));
        QCOMPARE(shown.view.shown()->film->tokens(), 4L);
        QCOMPARE(shown.view.shown()->film->merges()[0].merged, std::string("lo"));
        press(shown.view, QStringLiteral("stories"));
        shown.settle();
        QVERIFY(shown.view.shown()->film->tokens() > 1000);
        QCOMPARE(shown.view.shown()->film->mergeCount(), SubwordsView::kManyMerges);
        press(shown.view, QStringLiteral("A small text"));
        shown.settle();
        QCOMPARE(shown.view.shown()->film->tokens(), m_film->tokens());
    }

    void aFileThatCannotBeReadIsSaid() {
        const QTemporaryDir folder;
        StageState state;
        state.subwords.corpus = folder.filePath("none.txt").toStdString();
        Shown shown(state);
        QVERIFY(shown.view.failure()->isVisible());
        QVERIFY(shown.view.failure()->text().contains("none.txt"));
        QVERIFY(!shown.view.shown());
        std::ofstream(state.subwords.corpus) << "low low lower\n";
        shown.view.showOptions({});
        shown.settle();
        QVERIFY(!shown.view.failure()->isVisible());
        shown.view.showOptions(state);
        shown.settle();
        QCOMPARE(shown.view.shown()->film->tokens(), 3L);
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
    std::unique_ptr<MergeFilm> m_film;
};

QTEST_MAIN(TestSubwordsView)
#include "test_subwords_view.moc"
