// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of words as it is seen: every number is the engine's, bars and curve stand where it says, and what the hand
// does: another word, another ε, a step down the gradient, another target.
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <cmath>

#include "core/experiment/loss_of_words.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/session.h"
#include "ui/views/loss/loss_columns.h"
#include "ui/views/loss/loss_curve.h"
#include "ui/views/loss/loss_side.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/loss/loss_word.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

namespace {

const QString kLossViewSource = QStringLiteral("tôi đang học tiếng anh");
const QString kTarget = QStringLiteral("i am learning apple");

/// A view of a reading, with the engine's own numbers beside it.
struct ReadLoss {
    explicit ReadLoss(const QString& name, const QString& source = kLossViewSource, const QString& target = kTarget,
                      const QSize& size = {1376, 756})
        : model(fixture::shippedModel(name)), reading(readSentence(*model, source, {}, target)) {
        view.resize(size);
        view.setReading(model, reading.trace, target, reading.baseline);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs) ||
            !QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs))
            qFatal("the loss is never there");
    }
    /// Of the word at a row of the logits, in double precision from the trace alone.
    WordLoss loss(int row, int target, double smoothing) const {
        return {logitsAt(*reading.trace, row), target, smoothing};
    }
    std::vector<int> targets() const { return targetWords(model->network->config(), *reading.trace); }
    QString word(int id) const { return QString::fromStdString(model->target->vocabulary().token(id)); }
    void set(int word, double smoothing, int descended = 0) {
        StageState state;
        state.loss.word = word;
        state.loss.smoothing = smoothing;
        state.loss.descended = descended;
        view.showOptions(state);
    }

    std::shared_ptr<const TrainedModel> model;
    Session::Reading reading;
    LossView view;
};

}  // namespace

class TestLossView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        motion::setReduced(true);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void columnsAreTheLossOfEachWord() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        const std::vector<int> targets = read.targets();
        QCOMPARE(read.view.shown()->costs.size(), targets.size());
        for (const double smoothing : {0.0, 0.1, 0.35}) {
            read.set(4, smoothing);
            const fixture::Drawn drawn = fixture::drawn(*read.view.columns()->viewport());
            double sum = 0;
            for (size_t i = 0; i < targets.size(); ++i) {
                const WordLoss loss = read.loss(int(i), targets[i], smoothing);
                sum += loss.loss();
                QVERIFY2(drawn.writes({formatNumber(loss.loss()), read.word(targets[i])}),
                         qPrintable(drawn.texts().join(u'|')));
                const QRectF bar = read.view.columns()->barRect(int(i)),
                             shared = read.view.columns()->sharedRect(int(i));
                const double unit = (read.view.columns()->yOf(0) - read.view.columns()->yOf(1));
                QVERIFY(std::abs(bar.height() / unit - loss.loss()) < 1e-3);
                QVERIFY(std::abs(shared.height() / unit - loss.othersPart()) < 1e-3);
                QCOMPARE(shared.bottom(), bar.bottom());
            }
            QVERIFY(fixture::drawn(read.view).mentions("mean " + formatNumber(sum / double(targets.size()))));
        }
    }

    void theOpenedWordInFourColumns() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        const int target = read.targets()[3];
        QCOMPARE(read.word(target), QStringLiteral("apple"));
        for (const int steps : {0, 1, 3}) {
            read.set(4, 0.1, steps);
            const WordLoss now = read.loss(3, target, 0.1).stepped(steps);
            const std::vector<int>& rows = read.view.word()->rows();
            QVERIFY(std::ranges::find(rows, target) != rows.end());
            const fixture::Drawn drawn = fixture::drawn(*read.view.word());
            double restP = 1, restQ = 1;
            for (const int word : rows) {
                QVERIFY2(drawn.writes({read.word(word), formatNumber(now.logits()[size_t(word)]),
                                       formatNumber(now.probability(word), 4), formatNumber(now.wanted(word), 4),
                                       formatSigned(now.gradient(word), 4)}),
                         qPrintable(drawn.texts().join(u'|')));
                restP -= now.probability(word);
                restQ -= now.wanted(word);
            }
            QVERIFY(drawn.writes({formatNumber(restP, 4), formatNumber(restQ, 4), formatSigned(restP - restQ, 4)}));
            QVERIFY(drawn.writes({"sum", "1.0000", "1.0000", "0.0000"}));
            QVERIFY(drawn.mentions(formatNumber(now.wanted(target), 4) + " × " + formatNumber(now.plain(), 3)));
            QVERIFY(
                drawn.mentions(formatNumber(1 - now.wanted(target), 4) + " × " + formatNumber(now.othersMean(), 3)));
            QVERIFY(drawn.mentions(formatNumber(now.loss(), 3)));
            QVERIFY(drawn.mentions("loss then " + formatNumber(now.stepped().loss(), 3)));
        }
    }

    void aStepIsTakenAndTakenBack() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        read.set(4, 0.1);
        const double before = read.view.shown()->now.loss();
        QSignalSpy changed(&read.view, &LossView::optionsChanged);
        QTest::mouseClick(read.view.word()->step(), Qt::LeftButton);
        QCOMPARE(changed.count(), 1);
        QVERIFY(read.view.shown()->now.loss() < before);
        QVERIFY(std::abs(read.view.shown()->cost().loss(0.1) - read.view.shown()->now.loss()) < 1e-9);
        QTest::mouseClick(read.view.word()->undo(), Qt::LeftButton);
        QCOMPARE(read.view.shown()->now.loss(), before);
        // Another word begins at its own logits.
        QTest::mouseClick(read.view.word()->step(), Qt::LeftButton);
        QTest::keyClick(read.view.columns(), Qt::Key_Left);
        StageState told;
        read.view.tellOptions(told);
        QCOMPARE(told.loss.word, 3);
        QCOMPARE(told.loss.descended, 0);
    }

    void theStepMovesWhereThereIsMotion() {
        motion::setReduced(false);
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        read.set(4, 0.1);
        const WordLoss before = read.view.shown()->now;
        QTest::mouseClick(read.view.word()->step(), Qt::LeftButton);
        const double after = before.stepped().loss();
        QTRY_VERIFY(std::abs(read.view.shown()->now.loss() - after) < 1e-12);
        motion::setReduced(true);
    }

    void theHandleOfQIsDragged() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        read.set(4, 0.1);
        LossWord& word = *read.view.word();
        const auto row = size_t(std::ranges::find(word.rows(), read.targets()[3]) - word.rows().begin());
        const QRectF track = word.wantedTrack(row);
        QSignalSpy changed(&read.view, &LossView::optionsChanged);
        QTest::mousePress(&word, Qt::LeftButton, {}, word.handle().toPoint());
        QTest::mouseMove(&word, QPoint(int(track.left() + track.width() * 0.7), int(track.center().y())));
        QTest::mouseRelease(&word, Qt::LeftButton, {}, track.center().toPoint());
        QVERIFY(changed.count() > 0);
        StageState told;
        read.view.tellOptions(told);
        QVERIFY2(std::abs(told.loss.smoothing - 0.3) < 0.021, qPrintable(QString::number(told.loss.smoothing)));
        QCOMPARE(read.view.smoothing()->value(), int(std::lround(told.loss.smoothing * 100)));
    }

    void theCurveIsTheLeastLoss() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        read.set(1, 0.1);
        LossCurve& curve = *read.view.side()->curve();
        const int vocabulary = read.model->target->vocabulary().size();
        QVERIFY(std::abs(curve.leastAt() - (0.9 + 0.1 / vocabulary)) < 1e-12);
        const QColor line = Theme::of(&curve).text;
        for (const double p : {0.1, 0.3, 0.5}) {
            const QColor seen = fixture::colorAt(curve, curve.at(p, leastLoss(p, 0.1, vocabulary)));
            QVERIFY2(seen.lightness() < 110 + line.lightness(), qPrintable(seen.name()));
        }
        const QString least = formatNumber(leastLoss(curve.leastAt(), 0.1, vocabulary), 3);
        QVERIFY(read.view.side()->story()->text().contains("<b>" + least + "</b>"));
        read.set(1, 0);
        QVERIFY(read.view.side()->story()->text().contains("surer"));
    }

    /// Words that the model is sure of lie close together on the curve.
    void theNameOfTheChosenWordCoversNoDot() {
        ReadLoss read(QStringLiteral("en-fr-transformer"), QStringLiteral("The children are playing in the garden."),
                      {}, {2496, 1260});
        LossCurve& curve = *read.view.side()->curve();
        const int words = read.view.shown()->picture->words();
        for (int chosen = 0; chosen < words; ++chosen) {
            read.set(chosen + 1, 0.1);
            const QRectF name = curve.nameBox();
            QVERIFY(QRectF(curve.rect()).contains(name));
            for (int word = 0; word < words; ++word)
                QVERIFY2(!name.contains(curve.place(word)),
                         qPrintable(QStringLiteral("%1 on %2").arg(chosen).arg(word)));
        }
    }

    void theTableAndThePerplexity() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        read.set(1, 0.2);
        const QTableWidget& table = *read.view.side()->table();
        const std::vector<int> targets = read.targets();
        QCOMPARE(table.rowCount(), int(targets.size()) + 1);
        double plain = 0, smoothed = 0;
        for (int row = 0; row < int(targets.size()); ++row) {
            const WordLoss loss = read.loss(row, targets[size_t(row)], 0.2);
            plain += loss.plain() / double(targets.size());
            smoothed += loss.loss() / double(targets.size());
            QCOMPARE(table.item(row, 0)->text(), read.word(targets[size_t(row)]));
            QCOMPARE(table.item(row, 1)->text(), formatNumber(std::exp(-loss.plain()), 3));
            QCOMPARE(table.item(row, 2)->text(), formatNumber(loss.plain(), 3));
            QCOMPARE(table.item(row, 3)->text(), formatNumber(loss.loss(), 3));
        }
        QCOMPARE(table.item(table.rowCount() - 1, 2)->text(), formatNumber(plain, 3));
        QCOMPARE(table.item(table.rowCount() - 1, 3)->text(), formatNumber(smoothed, 3));
        const auto& bars = read.view.side()->perplexity()->bars();
        QCOMPARE(bars.size(), size_t(2));
        QVERIFY(std::abs(bars[0].perplexity - std::exp(plain)) < 1e-3 * std::exp(plain));
        // Its own translation costs less.
        QVERIFY(bars[1].perplexity < bars[0].perplexity);
        const Session::Reading& own = read.reading;
        QVERIFY(std::abs(bars[1].perplexity - std::exp(-own.baseline.logProb / double(own.baseline.words.size()))) <
                1e-6);
    }

    void anotherTargetIsAskedFor() {
        ReadLoss read(QStringLiteral("vi-en-transformer"));
        read.set(4, 0.1);
        QSignalSpy wanted(&read.view, &LossView::targetWanted);
        LossWord& word = *read.view.word();
        QVERIFY(word.rows()[0] != read.targets()[3]);
        QTest::mouseClick(&word, Qt::LeftButton, {}, word.rowRect(0).topLeft().toPoint() + QPoint(60, 8));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toString(), "i am learning " + read.word(word.rows()[0]));
        read.view.target()->setText(QStringLiteral("i love you"));
        QTest::keyClick(read.view.target(), Qt::Key_Return);
        QCOMPARE(wanted.last()[0].toString(), QStringLiteral("i love you"));
    }

    void aTextsTargetIsItsNextWord() {
        ReadLoss read(QStringLiteral("stories-lstm"), QStringLiteral("once there was a girl"), {});
        QVERIFY(!read.view.target()->isVisible());
        QCOMPARE(read.view.shown()->picture->words(), 5);
        QCOMPARE(read.view.shown()->picture->target(1), QStringLiteral("there"));
        QCOMPARE(read.view.shown()->picture->before(2), QStringLiteral("once there"));
        QSignalSpy wanted(&read.view, &LossView::targetWanted);
        // Without a token that begins a text its first word is read and never asked for.
        const ReadLoss tales(QStringLiteral("tales-transformer"), QStringLiteral("The children are in the garden."),
                             {});
        QCOMPARE(tales.view.shown()->picture->target(0), QStringLiteral("children"));
        QCOMPARE(tales.view.shown()->picture->before(0), QStringLiteral("The"));
        QCOMPARE(tales.view.shown()->picture->before(2), QStringLiteral("The children are"));
        LossWord& word = *read.view.word();
        QTest::mouseClick(&word, Qt::LeftButton, {}, word.rowRect(1).topLeft().toPoint() + QPoint(60, 8));
        QCOMPARE(wanted.count(), 0);  // a text is what it is
    }

    void aClassifiersTargetIsALabel() {
        const QString text = QStringLiteral("steve is arrogant but his book is awesome");
        const ReadLoss own(QStringLiteral("sentiment-transformer"), text, {});
        QCOMPARE(own.view.shown()->picture->words(), 1);
        const std::vector<float>& said = own.reading.trace->at("log_probs").values;
        const auto best = int(std::ranges::max_element(said) - said.begin());
        QCOMPARE(own.view.shown()->cost().target, best);
        const int other = best == 0 ? 1 : 0;
        const int first = own.model->network->config().firstLabel();
        const ReadLoss blamed(QStringLiteral("sentiment-transformer"), text, own.word(first + other));
        QCOMPARE(blamed.view.shown()->picture->target(0), own.word(first + other));
        QCOMPARE(blamed.view.shown()->cost().target, other);
        QVERIFY(blamed.view.shown()->cost().plain() > own.view.shown()->cost().plain());
        QStringList captions;
        for (const auto* caption : own.view.findChildren<QLabel*>())
            if (caption->isVisible()) captions << caption->text();
        QVERIFY(captions.contains("What the label costs") && captions.contains("The loss of a label"));
        QVERIFY2(captions.filter("word").isEmpty(), qPrintable(captions.filter("word").join(u'\n')));
        QVERIFY(fixture::drawn(*own.view.side()->curve()).writes({"probability of the target label"}));
        QVERIFY(fixture::drawn(*own.view.word()).writes({"one number a label"}));
    }

    void whereThereIsNothingToSay() {
        LossView view;
        view.show();
        view.setReading(nullptr, nullptr);
        QVERIFY(fixture::shownText(view).contains("No model is open"));
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        view.setReading(model, nullptr);
        QVERIFY(fixture::shownText(view).contains("Type a sentence"));
        auto broken = std::make_shared<Trace>();
        view.setReading(model, broken);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(fixture::shownText(view).contains("was not computed"));
    }

    /// Ten columns at 1440 × 900 had a scroll bar for eight pixels.
    void aFewPixelsAreNotScrolledFor() {
        ReadLoss read(QStringLiteral("stories-transformer"),
                      QStringLiteral("once there was a little girl who lived in a"), {}, {1300, 800});
        const LossColumns& columns = *read.view.columns();
        bool scrolls = false;
        for (int width = 1300; width > 500; width -= 4) {
            read.view.resize(width, 800);
            const int hidden = columns.horizontalScrollBar()->maximum();
            QVERIFY2(hidden == 0 || hidden > 30, qPrintable(QStringLiteral("%1: %2").arg(width).arg(hidden)));
            scrolls = scrolls || hidden > 0;
        }
        QVERIFY(scrolls);
    }

    void longSentencesScroll() {
        ReadLoss read(QStringLiteral("stories-transformer"),
                      QStringLiteral("once there was a little girl who lived in a house and the girl was happy"), {},
                      {900, 640});
        const int last = read.view.shown()->picture->words();
        read.set(last, 0.1);
        const QRectF column = read.view.columns()->columnRect(last - 1);
        QVERIFY(column.left() >= 0 && column.right() <= read.view.columns()->viewport()->width() + 1);
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestLossView)
#include "test_loss_view.moc"
