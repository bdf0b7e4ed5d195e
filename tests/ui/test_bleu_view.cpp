// SPDX-License-Identifier: GPL-3.0-or-later
// BLEU as it is seen: bars, counts, sums and dots are the engine's, counted here once more; what a bar says of its
// words; what a reader can do; and what stands where there is nothing to score.
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/data/translate.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/views/decode/bleu/bleu_formula.h"
#include "ui/views/decode/bleu/bleu_parts.h"
#include "ui/views/decode/bleu/bleu_side.h"
#include "ui/views/decode/bleu/brevity_curve.h"
#include "ui/views/decode/bleu/ngram_picture.h"
#include "ui/views/decode/bleu/published_results.h"
#include "ui/views/decode/bleu/score_dots.h"
#include "ui/views/decode/bleu_view.h"

using namespace headlight;

namespace {

using Bar = NgramPicture::Bar;
using MatchKind = NgramMatch::Kind;

/// A view with whoever hands it what it asks to be read.
struct Scored {
    explicit Scored(const QString& name = QStringLiteral("vi-en-rnn"), int sentence = 0)
        : model(fixture::shippedModel(name)) {
        QObject::connect(&view, &BleuView::sourceWanted, &view, [this](const QString& source) { read(source); });
        view.resize(1300, 820);
        read(exampleSentence(*model));
        StageState state;
        state.view = ViewName::Bleu;
        state.bleu.sentence = sentence;
        view.showOptions(state);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs)) qFatal("the view is never there");
        wait();
    }
    void read(const QString& source) { view.setReading(model, readSentence(*model, source)); }
    void wait() {
        if (!QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kLongPatienceMs))
            qFatal("the sentences are never translated");
    }
    QString drawnTexts(QWidget& widget) const { return fixture::drawn(widget).texts().join(u'|'); }

    std::shared_ptr<const TrainedModel> model;
    BleuView view;
};

/// As in a table of n-grams made by hand: how often `piece` stands in `words`.
long timesIn(const QStringList& words, const QStringList& piece) {
    long times = 0;
    for (qsizetype i = 0; i + piece.size() <= words.size(); ++i)
        times += words.mid(i, piece.size()) == piece;
    return times;
}

}  // namespace

class TestBleuView : public QObject {
    Q_OBJECT
private slots:
    void everyBarIsWhatCountingSays();
    void aRowIsAsHighAsItsBars();
    void aBarLightsItsWordsAndSaysWhy();
    void aFurtherReferenceFindsMore();
    void theScoreIsWorkedOut();
    void shorterNgramsAlone();
    void aDotASentence();
    void aDotOpensItsSentence();
    void typedSentencesHaveNoReference();
    void theExampleHasAReference();
    void whatTheStoryTellsOfIsInSight();
    void stoppedAndBegunAgain();
    void publishedFiguresAreTheirs();
    void modelsThatDoNotTranslate();

private:
    fixture::LightTheme m_theme;
};

void TestBleuView::everyBarIsWhatCountingSays() {
    Scored scored(QStringLiteral("vi-en-rnn"), 9);
    const SentenceBleu& bleu = scored.view.sentence();
    const auto set = TestSet::of(*scored.model);
    const QStringList reference = QString::fromStdString(set->sentences()[8].target).split(u' ');
    const QStringList written =
        QString::fromStdString(respond(*scored.model, set->sentences()[8].source).text).split(u' ');
    QVERIFY(!written.isEmpty());
    for (int order = 1; order <= 4; ++order) {
        long found = 0;
        std::set<QStringList> seen;
        for (qsizetype i = 0; i + order <= written.size(); ++i) {
            const QStringList piece = written.mid(i, order);
            if (seen.insert(piece).second) found += std::min(timesIn(written, piece), timesIn(reference, piece));
            const MatchKind kind = scored.view.picture()->match({order, int(i)}).kind;
            QCOMPARE(kind == MatchKind::Absent, timesIn(reference, piece) == 0);
        }
        const QString count =
            QStringLiteral("%1/%2").arg(found).arg(std::max<qsizetype>(0, written.size() - order + 1));
        QVERIFY2(fixture::drawn(*scored.view.picture()).writes({count}), qPrintable(count));
        QCOMPARE(bleu.bleu.matches[size_t(order - 1)], found);
    }
}

void TestBleuView::aRowIsAsHighAsItsBars() {
    Scored scored(QStringLiteral("vi-en-transformer"));
    const NgramPicture& picture = *scored.view.picture();
    const auto& ngrams = scored.view.sentence().ngrams;
    QCOMPARE(ngrams[3].size(), size_t{1});
    std::set<double> gaps;
    for (int order = 1; order < 4; ++order) {
        double bottom = 0;
        for (int place = 0; place < int(ngrams[size_t(order - 1)].size()); ++place)
            bottom = std::max(bottom, picture.barRect({order, place}).bottom());
        gaps.insert(picture.barRect({order + 1, 0}).top() - bottom);
    }
    QCOMPARE(gaps.size(), size_t{1});
    QVERIFY(picture.sizeHint().height() - picture.barRect({4, 0}).bottom() < 12);
}

void TestBleuView::aBarLightsItsWordsAndSaysWhy() {
    NgramPicture picture;
    picture.resize(900, 420);
    picture.setSentence(
        sentenceBleu("does he plan to go to the market", {"does he plan to wash these dresses at home"}), 4);
    picture.show();
    QVERIFY(QTest::qWaitForWindowExposed(&picture, fixture::kPatienceMs));
    // The second "to" is clipped: worth a look before all else.
    QCOMPARE(picture.lit(), (Bar{1, 5}));
    const Theme& theme = Theme::light();
    const auto inWord = [&](int word) {
        const QRectF box = picture.wordRect(word);
        return fixture::colorAt(*picture.viewport(), box.topLeft() + QPointF(6, 6));
    };
    QCOMPARE(inWord(5), theme.nowTint);
    QCOMPARE(inWord(4), theme.surface);
    QTest::mousePress(picture.viewport(), Qt::LeftButton, {}, picture.barRect({3, 1}).center().toPoint());
    QCOMPARE(picture.lit(), (Bar{3, 1}));
    for (int word = 0; word < 8; ++word)
        QCOMPARE(inWord(word) == theme.nowTint, word >= 1 && word <= 3);
    // A bar that is found is filled, one that is not is empty.
    QCOMPARE(fixture::colorAt(*picture.viewport(), picture.barRect({2, 0}).center()), theme.sequential(0.625));
    QCOMPARE(fixture::colorAt(*picture.viewport(), picture.barRect({2, 4}).center()), theme.surface);
    picture.setFocus();
    QTest::keyClick(&picture, Qt::Key_Up);
    QCOMPARE(picture.lit(), (Bar{2, 1}));
    QTest::keyClick(&picture, Qt::Key_Right);
    QCOMPARE(picture.lit(), (Bar{2, 2}));
}

void TestBleuView::aFurtherReferenceFindsMore() {
    Scored scored(QStringLiteral("vi-en-rnn"), 9);
    const long before = scored.view.sentence().bleu.matches[0];
    const QString own = QString::fromStdString(scored.view.scores()->texts[8]);
    QSignalSpy changed(&scored.view, &BleuView::optionsChanged);
    scored.view.referenceInput()->setText(own);
    QTest::keyClick(scored.view.referenceInput(), Qt::Key_Return);
    QCOMPARE(changed.count(), 1);
    QVERIFY(scored.view.sentence().bleu.matches[0] >= before);
    QCOMPARE(scored.view.sentence().bleu.matches[0], scored.view.sentence().bleu.totals[0]);
    QVERIFY(std::abs(scored.view.sentence().bleu.score - 100) < 1e-9);
    StageState state;
    scored.view.tellOptions(state);
    QCOMPARE(state.bleu.references, StageLines{own.toStdString()});
    QVERIFY(scored.drawnTexts(*scored.view.picture()).contains(QStringLiteral("Reference 2")));
    const NgramPicture& picture = *scored.view.picture();
    const auto& words = picture.sentence().ngrams[0];
    for (int i = 0; i < static_cast<int>(words.size()); ++i)
        for (int j = 0; j < 20; ++j)  // behind a word of another reference it would seem to begin there
            for (double along = 0; along <= 1; along += 0.01)
                QVERIFY(!picture.referenceRect(1 - words[size_t(i)].reference, j)
                             .contains(picture.linkOf(i).pointAtPercent(along)));
    // They belong to the sentence.
    scored.view.dots()->sentenceChosen(10);
    scored.view.tellOptions(state);
    QCOMPARE(state.bleu.references, StageLines());
}

void TestBleuView::theScoreIsWorkedOut() {
    Scored scored(QStringLiteral("vi-en-rnn"), 9);
    const Bleu& bleu = scored.view.sentence().bleu;
    double logs = 0;
    for (const double precision : bleu.precisions)
        logs += std::log(precision / 100) / 4;
    const QString said = scored.drawnTexts(*scored.view.side()->formula());
    if (bleu.score > 0) QVERIFY2(said.contains(formatNumber(std::exp(logs), 3)), qPrintable(said));
    QVERIFY(said.contains(formatNumber(bleu.score, 1)));
    QVERIFY(said.contains(formatNumber(bleu.brevityPenalty, 3)));
}

void TestBleuView::shorterNgramsAlone() {
    Scored scored(QStringLiteral("vi-en-rnn"), 9);
    StageState state;
    state.bleu.ngram = 1;
    state.bleu.sentence = 9;
    scored.view.showOptions(state);
    const Bleu& bleu = scored.view.sentence().bleu;
    const double expected = bleu.precisions[0] * bleu.brevityPenalty;
    QVERIFY(std::abs(bleu.score - expected) < 1e-9);
    QVERIFY(!scored.drawnTexts(*scored.view.picture()).contains(QStringLiteral("pairs")));
}

void TestBleuView::aDotASentence() {
    Scored scored(QStringLiteral("vi-en-rnn"), 1);
    const auto set = TestSet::of(*scored.model);
    const auto& dots = scored.view.dots()->dots();
    QCOMPARE(dots.size(), set->sentences().size());
    std::vector<std::string> texts, references;
    double sum = 0;
    for (size_t i = 0; i < dots.size(); ++i) {
        texts.push_back(scored.view.scores()->texts[i]);
        references.push_back(set->sentences()[i].target);
        QVERIFY(std::abs(dots[i].score - corpusBleu({texts.back()}, {references.back()}).score) < 1e-9);
        QCOMPARE(dots[i].isHollow, dots[i].words < 4);
        sum += dots[i].score;
    }
    const QString said = scored.drawnTexts(*scored.view.findChild<BleuSums*>());
    QVERIFY2(said.contains(formatNumber(corpusBleu(texts, references).score, 1)), qPrintable(said));
    QVERIFY(said.contains(formatNumber(sum / double(dots.size()), 1)));
    QCOMPARE(scored.view.side()->curve()->ticks().size(), dots.size());
}

void TestBleuView::aDotOpensItsSentence() {
    Scored scored(QStringLiteral("vi-en-rnn"), 1);
    ScoreDots& dots = *scored.view.dots();
    QTest::mouseClick(&dots, Qt::LeftButton, {}, dots.placeOf(40).toPoint());
    const int chosen = dots.chosen();
    QVERIFY(chosen > 1);
    QVERIFY(std::abs(dots.placeOf(size_t(chosen - 1)).x() - dots.placeOf(40).x()) < 9);
    QVERIFY(scored.view.place()->text().startsWith(QStringLiteral("Test sentence %1 of").arg(chosen)));
    QCOMPARE(scored.view.sentence().bleu.score, dots.dots()[size_t(chosen - 1)].score);
    dots.setFocus();
    QTest::keyClick(&dots, Qt::Key_Right);
    QCOMPARE(dots.chosen(), chosen + 1);
}

void TestBleuView::typedSentencesHaveNoReference() {
    Scored scored(QStringLiteral("vi-en-rnn"), 1);
    scored.read(QStringLiteral("tôi tôi tôi"));
    QCOMPARE(scored.view.sentence().references.size(), size_t(0));
    QCOMPARE(scored.view.dots()->chosen(), 0);
    QCOMPARE(scored.view.place()->text(), QStringLiteral("None of the 500 test sentences"));
    // No counts of what there is nothing to count by: what is missing is said, and the field to add it in is open.
    const QString said = fixture::shownText(scored.view);
    QVERIFY2(said.contains(QStringLiteral("This sentence has none, so it has no score")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("No score")) && !said.contains(QStringLiteral("counts for nothing")),
             qPrintable(said));
    QVERIFY(!scored.view.picture()->isVisible() && !scored.view.side()->formula()->isVisible());
    QVERIFY(!scored.view.story()->isVisible());
    QVERIFY(scored.view.referenceInput()->isVisible());
    QTest::keyClicks(scored.view.referenceInput(), QStringLiteral("i am me"));
    QTest::keyClick(scored.view.referenceInput(), Qt::Key_Return);
    QVERIFY(scored.view.picture()->isVisible() && scored.view.side()->formula()->isVisible());
    QVERIFY(!scored.view.noReference()->isVisible() && !scored.view.referenceInput()->isVisible());
    scored.read(QStringLiteral("tôi tôi"));
    QVERIFY(scored.view.referenceInput()->isVisible() && !scored.view.picture()->isVisible());
}

/// What the program begins with: its text does not ship, and a translation of the first sentence does.
void TestBleuView::theExampleHasAReference() {
    Scored scored(QStringLiteral("en-fr-lstm"));
    scored.read(exampleSentence(*scored.model));
    QCOMPARE(scored.view.sentence().references.size(), size_t{1});
    QVERIFY(scored.view.picture()->isVisible() && !scored.view.noReference()->isVisible());
    QVERIFY(scored.view.sentence().bleu.matches[0] > 0);
    scored.read(QStringLiteral("The dog is sleeping."));
    QVERIFY(scored.view.sentence().references.empty());
}

void TestBleuView::whatTheStoryTellsOfIsInSight() {
    Scored scored(QStringLiteral("en-fr-lstm-attention"));
    scored.read(QStringLiteral("The doctor told my father to stop drinking and smoking."));
    scored.view.referenceInput()->setText(
        QStringLiteral("Le médecin a dit à mon père d'arrêter de boire et de fumer."));
    QTest::keyClick(scored.view.referenceInput(), Qt::Key_Return);
    const NgramPicture& picture = *scored.view.picture();
    QVERIFY(scored.view.story()->text().contains(QStringLiteral("“fumer” is written 2 times")));
    QCOMPARE(picture.match(picture.lit()).kind, MatchKind::Clipped);
    for (const int width : {1300, 700, 560}) {  // less and less of the sentence fits
        scored.view.resize(width, 820);
        QTRY_VERIFY_WITH_TIMEOUT(picture.viewport()->rect().contains(picture.barRect(picture.lit()).toRect()),
                                 fixture::kPatienceMs);
    }
    // Below the pictures the score is whole: it is the page that scrolls.
    const QList<QScrollArea*> areas = scored.view.side()->findChildren<QScrollArea*>();
    QCOMPARE(areas.size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(areas.front()->verticalScrollBar()->maximum(), 0, fixture::kPatienceMs);
    // It has no test set, so no tick stands below the curve.
    QVERIFY(!fixture::shownText(scored.view).contains(QStringLiteral("ticks")));
}

void TestBleuView::stoppedAndBegunAgain() {
    Scored scored(QStringLiteral("vi-en-transformer"), 1);
    const auto button = [&]() -> QAbstractButton* {
        for (auto* each : scored.view.findChildren<QAbstractButton*>())
            if (each->text() == QStringLiteral("Stop") || each->text() == QStringLiteral("Translate them all"))
                return each;
        return nullptr;
    };
    scored.view.setReading(scored.model, readSentence(*scored.model, exampleSentence(*scored.model)),
                           {QStringLiteral("decoder.layers.1.cross_attn.0")});
    // Without a pause: a fast machine needs no longer for all of them than for one.
    while (button()->text() != QStringLiteral("Stop") || !scored.view.isBusy())
        QCoreApplication::processEvents();
    QTest::mouseClick(button(), Qt::LeftButton);
    QVERIFY(!scored.view.isBusy());
    QVERIFY(!scored.view.scores());
    QTest::mouseClick(button(), Qt::LeftButton);
    scored.wait();
    QVERIFY(scored.view.scores());
}

void TestBleuView::publishedFiguresAreTheirs() {
    // "improving over the existing best results, including ensembles, by over 2 BLEU" (the paper's abstract).
    double best = 0, big = 0;
    for (const PublishedResult& each : publishedResults()) {
        const double enDe = QByteArray(each.enDe).toDouble();
        (each.isTransformer ? big : best) = std::max(each.isTransformer ? big : best, enDe);
    }
    QCOMPARE(big, 28.4);
    QVERIFY(big - best > 2);
    PublishedTable table;
    table.resize(350, table.sizeHint().height());
    const fixture::Drawn drawn = fixture::drawn(table);
    for (const PublishedResult& each : publishedResults())
        QVERIFY2(drawn.mentions(QString::fromLatin1(each.model)), each.model);
    QVERIFY(drawn.writes({QStringLiteral("28.4"), QStringLiteral("41.8"), QStringLiteral("2.3e19")}));
}

void TestBleuView::modelsThatDoNotTranslate() {
    const auto model = fixture::shippedModel(QStringLiteral("stories-transformer"));
    BleuView view;
    view.resize(900, 600);
    view.setReading(model, readSentence(*model, exampleSentence(*model)));
    QVERIFY(!view.isBusy());
    view.show();
    QStringList said;
    for (const QLabel* label : view.findChildren<QLabel*>())
        if (label->isVisible()) said << label->text();
    QVERIFY2(said.join(u' ').contains(QStringLiteral("does not translate")), qPrintable(said.join(u'|')));
}

QTEST_MAIN(TestBleuView)
#include "test_bleu_view.moc"
