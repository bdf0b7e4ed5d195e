// SPDX-License-Identifier: GPL-3.0-or-later
// Free running as it is seen: words, bars, distances and curves are the engine's; a wrong word is marked by a sign, not
// by its colour alone; what a reader can hand in; and what stands where there is no truth.
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/views/decode/forcing/forcing_curves.h"
#include "ui/views/decode/forcing/forcing_runs.h"
#include "ui/views/decode/forcing/forcing_side.h"
#include "ui/views/decode/forcing/forcing_stage.h"
#include "ui/views/decode/forcing/place_curve.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

using Row = ForcingStage::Row;

const QString forcingViewSentence = QStringLiteral("tôi đang học tiếng anh");

struct ShownForcing {
    explicit ShownForcing(const QString& name, const QString& source = forcingViewSentence, const QString& target = {})
        : model(fixture::shippedModel(name)) {
        view.resize(1360, 860);
        view.setReading(model, readSentence(*model, source, {}, target), name);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs)) qFatal("the view is never there");
        wait();
    }
    void wait() {
        if (!QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kLongPatienceMs))
            qFatal("the decoder never comes to its end");
    }
    QString word(int id) const { return QString::fromStdString(model->target->displayOne(id)); }
    ForcingStage& stage() const { return *view.stage(); }

    std::shared_ptr<const TrainedModel> model;
    ForcingView view;
};

}  // namespace

class TestForcingView : public QObject {
    Q_OBJECT
private slots:
    void whatIsDrawnIsWhatTheDecodersDo_data() { models(); }
    void whatIsDrawnIsWhatTheDecodersDo();
    void wrongWordsBearASign();
    void theTruthIsHandedIn();
    void twoDistributionsOfTheChosenWord();
    void placesAreTheReports();
    void exposureBiasIsNamedWhereTheCurvesPart();
    void runsAreMeasuredHereAndNow();
    void curvesAreOfThreeSeeds();
    void theWantedCardComesIntoSight();
    void keysAndClicksChoose();
    void withoutATruth();
    void theExampleHasATruth();
    void aTruthIsTyped();
    void noTestSentenceIsOfferedWhileAnotherModelIsLookedAt();
    void modelsWithoutADecoder();
    void whatStoodThereIsOfTheModelBefore();

private:
    static void models() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"vi-en-fed-truth", "vi-en-long-lstm-attention", "vi-en-transformer"})
            QTest::newRow(name) << name;
    }
    fixture::LightTheme m_theme;
};

void TestForcingView::whatIsDrawnIsWhatTheDecodersDo() {
    QFETCH(QString, name);
    const ShownForcing shown(name, forcingViewSentence, QStringLiteral("we are reading"));
    const TwoWays& ways = *shown.view.ways();
    const fixture::Drawn drawn = fixture::drawn(shown.stage());
    QStringList apart;
    for (size_t t = 0; t < std::min(ways.forced.steps(), ways.free.steps()); ++t) {
        apart << formatNumber(statesApart(ways.forced.states[t], ways.free.states[t]));
        const double right = std::exp(double(ways.forced.logProbs[t][size_t(ways.truth[t])]));
        QVERIFY(drawn.mentions(formatNumber(right, right < 0.005 ? 3 : 2)));
    }
    QVERIFY2(drawn.writes(apart), qPrintable(drawn.texts().join(u'|')));
    QCOMPARE(apart.front(), QStringLiteral("0.00"));
    for (const int id : ways.free.writes)
        QVERIFY(drawn.mentions(shown.word(id)));
    // The truth's row is the truth.
    QStringList truth;
    for (const int id : ways.truth)
        truth << shown.word(id);
    QVERIFY(drawn.writes(truth));
}

void TestForcingView::wrongWordsBearASign() {
    const ShownForcing shown(QStringLiteral("vi-en-transformer"), forcingViewSentence,
                             QStringLiteral("we are learning english"));
    // It writes "i am …": the first two words are wrong, and the free one reads them.
    const ForcingPicture& picture = shown.stage().picture();
    QVERIFY(!picture.forced.front().isRight);
    QVERIFY(!picture.free[1].readsTruth);
    const QRectF box = shown.stage().boxOf(false, Row::Writes, 0);
    const Theme& theme = Theme::light();
    QCOMPARE(fixture::colorAt(*shown.stage().viewport(), box.topLeft() + QPointF(5, 5)), theme.badTint);
    QCOMPARE(fixture::colorAt(*shown.stage().viewport(), QPointF(box.right() - 14, box.center().y())), theme.bad);
    const size_t right = 2;
    QVERIFY(picture.forced[right].isRight);
    const QRectF good = shown.stage().boxOf(false, Row::Writes, right);
    QCOMPARE(fixture::colorAt(*shown.stage().viewport(), good.topLeft() + QPointF(5, 5)), theme.surface);
}

void TestForcingView::theTruthIsHandedIn() {
    ShownForcing shown(QStringLiteral("vi-en-transformer"), forcingViewSentence,
                       QStringLiteral("we are learning english"));
    QSignalSpy changed(&shown.view, &ForcingView::optionsChanged);
    const QRectF read = shown.stage().boxOf(true, Row::Reads, 1);
    QTest::mouseClick(shown.stage().viewport(), Qt::LeftButton, {}, read.center().toPoint());
    shown.wait();
    QVERIFY(changed.count() > 0);
    StageState state;
    shown.view.tellOptions(state);
    QCOMPARE(state.forcing.truth, StageTexts{"1"});
    QCOMPARE(state.forcing.word, 2);
    const ForcingPicture& picture = shown.stage().picture();
    QVERIFY(picture.free[1].isHanded && picture.free[1].readsTruth);
    QCOMPARE(picture.free[1].reads, QStringLiteral("we"));
    QVERIFY(picture.apart[1] < 1e-5);
    // And back.
    QTest::mouseClick(shown.stage().viewport(), Qt::LeftButton, {}, read.center().toPoint());
    shown.wait();
    shown.view.tellOptions(state);
    QVERIFY(state.forcing.truth.empty());
    QVERIFY(!shown.stage().picture().free[1].readsTruth);
}

void TestForcingView::twoDistributionsOfTheChosenWord() {
    ShownForcing shown(QStringLiteral("vi-en-fed-truth"), forcingViewSentence,
                       QStringLiteral("we are learning english"));
    emit shown.stage().stepChosen(2);
    const TwoWays& ways = *shown.view.ways();
    for (const bool isFree : {false, true}) {
        const DecoderRun& run = isFree ? ways.free : ways.forced;
        const auto& bars = shown.view.side()->bars(isFree)->bars();
        QCOMPARE(bars.size(), size_t(6));
        QCOMPARE(bars[0].probability, std::exp(double(*std::ranges::max_element(run.logProbs[2]))));
        const auto right = std::ranges::find(bars, true, &WordBars::Bar::marked);
        QVERIFY(right != bars.end());
        QCOMPARE(right->word, shown.word(ways.truth[2]));
        QCOMPARE(right->probability, std::exp(double(run.logProbs[2][size_t(ways.truth[2])])));
    }
    const QString said = shown.view.side()->said().join(u'|');
    for (const double sum : {ways.forced.logProb, ways.free.logProb})
        QVERIFY2(said.contains(formatNumber(sum)), qPrintable(said));
    QVERIFY(said.contains(QStringLiteral("Word 3, two ways")));
}

void TestForcingView::placesAreTheReports() {
    const ShownForcing shown(QStringLiteral("vi-en-fed-truth"));
    const auto set = TestSet::of(*shown.model);
    const ForcingReport expected = measureForcing(*shown.model, set->sentences());
    QVERIFY(shown.view.report());
    QCOMPARE(shown.view.report()->all.free, expected.all.free);
    const PlaceCurve& curve = *shown.view.curve();
    for (size_t place = 0; place < curve.places().size(); ++place) {
        QCOMPARE(curve.places()[place].sentences, expected.places[place].sentences);
        QVERIFY(curve.places()[place].sentences >= 5);
        QCOMPARE(curve.places()[place].forced, expected.places[place].forced);
        // Higher is better, and the first point of both is one.
        if (place == 0) QCOMPARE(curve.pointOf(0, true), curve.pointOf(0, false));
    }
    QVERIFY(fixture::drawn(*shown.view.curve()).mentions(QStringLiteral("exposure bias")));
}

void TestForcingView::exposureBiasIsNamedWhereTheCurvesPart() {
    PlaceCurve curve;
    curve.resize(600, 300);
    ForcingReport report;
    for (int place = 0; place < 8; ++place)
        report.places.push_back({100, 90, 90});
    curve.setReport(report);
    QVERIFY(curve.biasName().isEmpty());
    QVERIFY(!fixture::drawn(curve).mentions(QStringLiteral("exposure bias")));
    report.places[2].free = 89;  // a line's width: the words stand below
    curve.setReport(report);
    QVERIFY(curve.biasName().top() > curve.pointOf(2, true).y());
    QVERIFY(fixture::drawn(curve).mentions(QStringLiteral("exposure bias")));
    for (size_t place = 2; place < 6; ++place)
        report.places[place].free = 40;
    curve.setReport(report);
    const QRectF between = curve.biasName();
    QVERIFY(between.top() > curve.pointOf(3, false).y() && between.bottom() < curve.pointOf(3, true).y());
    QVERIFY(between.left() < curve.pointOf(4, true).x() && between.right() > curve.pointOf(2, true).x());
    // A steep line passes between two of its points: the words keep away from it as well.
    for (size_t place = 0; place < 8; ++place)
        report.places[place].free = place < 6 ? 80 : 5;
    curve.setReport(report);
    const QRectF beside = curve.biasName();
    const QPointF from = curve.pointOf(5, true), to = curve.pointOf(6, true);
    for (double share = 0; share <= 1; share += 0.05)
        QVERIFY(!beside.adjusted(-3, -3, 3, 3).contains(from + share * (to - from)));
}

void TestForcingView::runsAreMeasuredHereAndNow() {
    const ShownForcing shown(QStringLiteral("vi-en-fed-half"));
    QCOMPARE(shown.view.run()->currentIndex(), 1);
    const auto& reports = shown.view.runs()->reports();
    const fixture::Drawn drawn = fixture::drawn(*shown.view.runs());
    for (size_t run = 0; run < reports.size(); ++run) {
        const auto model = fixture::shippedModel(QString::fromLatin1(forcingRuns()[run].model));
        const ForcingReport expected = measureForcing(*model, TestSet::of(*model)->sentences());
        QVERIFY(reports[run]);
        QCOMPARE(reports[run]->all.forced, expected.all.forced);
        QCOMPARE(reports[run]->all.free, expected.all.free);
        QVERIFY(drawn.mentions(QStringLiteral("gap %1 points").arg(formatNumber(100 * expected.gap(), 1))));
        QVERIFY(drawn.mentions(formatNumber(expected.bleu.score, 1)));
    }
    // Gaps that are printed alike are told together.
    const double least = std::ranges::min(reports, {}, [](const auto& each) { return each->gap(); })->gap();
    QStringList narrow;
    for (size_t run = 0; run < reports.size(); ++run)
        if (formatNumber(100 * reports[run]->gap(), 1) == formatNumber(100 * least, 1))
            narrow << formatNumber(forcingRuns()[run].forcing, 1);
    const QString told = narrow.join(QStringLiteral(" and ")) + QStringLiteral(" ha");
    const auto labels = shown.view.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(told); }));
    QSignalSpy wanted(&shown.view, &ForcingView::runWanted);
    shown.view.run()->setFocus();
    emit shown.view.run()->currentChanged(2);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toString(), QStringLiteral("vi-en-fed-itself"));
}

/// The lines go through the means of what the script measured, the bands from the worst to the best.
void TestForcingView::curvesAreOfThreeSeeds() {
    ForcingCurves curves;
    curves.resize(520, 300);
    const QStringList drawn = fixture::drawn(curves).texts();
    const QImage image = curves.grab().toImage();
    const std::vector<LearningCurve>& all = learningCurves();
    QCOMPARE(all.size(), forcingRuns().size());
    for (size_t i = 0; i < all.size(); ++i) {
        const LearningCurve& curve = all[i];
        QCOMPARE(curve.forcing, forcingRuns()[i].forcing);
        QCOMPARE(curve.seeds.size(), size_t(3));
        for (const std::vector<double>& seed : curve.seeds)
            QCOMPARE(seed.size(), curve.steps.size());
        QVERIFY(std::ranges::is_sorted(curve.steps) && curve.steps.back() == 1500);
        const size_t last = curve.steps.size() - 1;
        const double sum = curve.seeds[0][last] + curve.seeds[1][last] + curve.seeds[2][last];
        QVERIFY(drawn.contains(formatNumber(curve.forcing, 1)));
        QVERIFY2(drawn.contains(QStringLiteral("%1 (%2 to %3)")
                                    .arg(formatNumber(sum / 3, 1), formatNumber(curve.least(last), 1),
                                         formatNumber(curve.most(last), 1))),
                 qPrintable(drawn.join(u'|')));
    }
    // Always fed the truth: its solid line is ink wherever the script measured.
    const LearningCurve& truth = all.front();
    for (size_t at = 0; at < truth.steps.size(); ++at) {
        const QPointF point = curves.pointOf(truth.steps[at], truth.mean(at));
        const QColor there = image.pixelColor((point * image.devicePixelRatio()).toPoint());
        QVERIFY2(there.lightness() < 90, qPrintable(QString::number(truth.steps[at])));
    }
}

/// Where the cards stand below the network, a step of a lesson names the one that it speaks of.
void TestForcingView::theWantedCardComesIntoSight() {
    ShownForcing shown(QStringLiteral("vi-en-fed-truth"));
    shown.view.resize(880, 680);
    const auto isSeen = [&](const QWidget* card) {
        const QRect at(card->mapTo(&shown.view, QPoint()), card->size());
        return shown.view.rect().contains(at);
    };
    QTRY_VERIFY(!isSeen(shown.view.curve()) && !isSeen(shown.view.curves()));
    StageState state;
    state.view = ViewName::Forcing;
    for (const auto& [side, card] : {std::pair<StageSide, const QWidget*>(StageSide::Places, shown.view.curve()),
                                     {StageSide::Runs, shown.view.curves()}}) {
        state.side = side;
        shown.view.showOptions(state);
        shown.wait();
        QTRY_VERIFY(isSeen(card));
        StageState told;
        told.view = ViewName::Forcing;
        shown.view.tellOptions(told);
        QCOMPARE(told.side, side);
    }
    // What a step before said of another view is nothing here.
    for (const StageSide side : {StageSide::Auto, StageSide::None}) {
        state.side = side;
        shown.view.showOptions(state);
        QVERIFY(isSeen(shown.stage().viewport()) && !isSeen(shown.view.curves()));
    }
}

void TestForcingView::keysAndClicksChoose() {
    ShownForcing shown(QStringLiteral("vi-en-transformer"));
    shown.stage().setFocus();
    QTest::keyClick(&shown.stage(), Qt::Key_Right);
    QCOMPARE(shown.stage().chosen(), size_t(1));
    QTest::keyClick(&shown.stage(), Qt::Key_End);
    QCOMPARE(shown.stage().chosen(), shown.stage().picture().steps() - 1);
    const QRectF box = shown.stage().boxOf(false, Row::Cells, 2);
    QTest::mouseClick(shown.stage().viewport(), Qt::LeftButton, {}, box.center().toPoint());
    StageState state;
    shown.view.tellOptions(state);
    QCOMPARE(state.forcing.word, 3);
}

void TestForcingView::withoutATruth() {
    const ShownForcing shown(QStringLiteral("vi-en-transformer"), QStringLiteral("tôi tôi tôi"));
    QVERIFY(!shown.view.ways());
    QSignalSpy wanted(&shown.view, &ForcingView::sourceWanted);
    for (QAbstractButton* button : shown.view.findChildren<QAbstractButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Take a test sentence"))
            QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toString().toStdString(), TestSet::of(*shown.model)->sentences().front().source);
}

/// What the program begins with can be fed the truth, though its text does not ship.
void TestForcingView::theExampleHasATruth() {
    for (const char* name : {"en-fr-transformer", "fr-en-transformer"}) {
        const auto model = fixture::shippedModel(QLatin1String(name));
        const ShownForcing shown(QLatin1String(name), exampleSentence(*model));
        QVERIFY2(shown.view.ways(), name);
    }
    QCOMPARE(ShownForcing(QStringLiteral("en-fr-lstm"), QStringLiteral("The children are playing in the garden."))
                 .view.truthText(),
             std::string("Les enfants jouent dans le jardin."));
}

/// The button stood there for the model before, whose sentences are gone.
void TestForcingView::noTestSentenceIsOfferedWhileAnotherModelIsLookedAt() {
    ShownForcing shown(QStringLiteral("vi-en-transformer"), QStringLiteral("anh anh"));
    const auto offered = [&] {
        for (QAbstractButton* button : shown.view.findChildren<QAbstractButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("Take a test sentence")) return button;
        return static_cast<QAbstractButton*>(nullptr);
    };
    QVERIFY(offered());
    const auto other = fixture::shippedModel(QStringLiteral("vi-en-gru"));
    shown.view.setReading(other, readSentence(*other, QStringLiteral("anh anh")), QStringLiteral("vi-en-gru"));
    QVERIFY(!offered());
    shown.wait();
    QVERIFY(offered());
}

/// A model that learned from sentences of somebody's own has no test set: its truth is typed.
void TestForcingView::aTruthIsTyped() {
    const QString source = QStringLiteral("The dog is sleeping.");
    ShownForcing shown(QStringLiteral("en-fr-transformer"), source);
    QVERIFY(!shown.view.ways());
    for (const QAbstractButton* button : shown.view.findChildren<QAbstractButton*>())
        QVERIFY(!button->isVisible() || button->text() != QStringLiteral("Take a test sentence"));
    QLineEdit* const input = shown.view.noTruth()->input();
    QVERIFY(input->isVisible());
    QSignalSpy wanted(&shown.view, &ForcingView::targetWanted);
    QTest::keyClicks(input, "Le chien dort.");
    QTest::keyClick(input, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    const QString target = wanted.front().front().toString();
    shown.view.setReading(shown.model, readSentence(*shown.model, source, {}, target));
    QTRY_VERIFY(!shown.view.isBusy() && shown.view.ways());
    QCOMPARE(shown.view.truthText(), std::string("Le chien dort."));
    QVERIFY(shown.stage().isVisible() && !input->isVisible());
}

void TestForcingView::modelsWithoutADecoder() {
    for (const char* name : {"stories-lstm", "sentiment-transformer"}) {
        const auto model = fixture::shippedModel(QLatin1String(name));
        ForcingView view;
        view.resize(900, 600);
        view.setReading(model, readSentence(*model, exampleSentence(*model)));
        QVERIFY(!view.isBusy());
        view.show();
        QStringList said;
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->isVisible()) said << label->text();
        QVERIFY2(said.join(u' ').contains(QStringLiteral("no decoder that is handed a translation")), name);
    }
}

/// A step of a lesson opens another model and sets the view's options: of its few words the ids of the words before,
/// which still stand there, may be none.
void TestForcingView::whatStoodThereIsOfTheModelBefore() {
    ShownForcing shown(QStringLiteral("vi-en-fed-truth"), QStringLiteral("tôi yêu bạn"));
    QVERIFY(shown.view.ways());
    const auto other = fixture::shippedModel(QStringLiteral("stories-lstm"));
    shown.view.setReading(other, readSentence(*other, exampleSentence(*other)), QStringLiteral("stories-lstm"));
    StageState state;
    for (state.forcing.word = 1; state.forcing.word <= 4; ++state.forcing.word)
        shown.view.showOptions(state);  // throws where a word is looked up in the wrong vocabulary
    state.forcing.truth = {"2"};
    shown.view.showOptions(state);
    QVERIFY(!shown.view.isBusy());  // it looks for no truth of a model that does not translate
}

QTEST_MAIN(TestForcingView)
#include "test_forcing_view.moc"
