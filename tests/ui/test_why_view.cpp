// SPDX-License-Identifier: GPL-3.0-or-later
// Why this word and not that one, as it is seen: each bar stands where the engine's sum is, each column ends where the
// bar ended that it was opened from, and what the hand does: another word, another place, bars opened and closed.
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "tests/ui/drawn.h"
#include "tests/ui/opened.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/views/why/held_strip.h"
#include "ui/views/why/why_column_view.h"
#include "ui/views/why/why_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/words/word_chips.h"

using namespace headlight;

namespace {

const QString kWhyViewSource = QStringLiteral("tôi đang học tiếng anh");

struct Read {
    explicit Read(const QString& name, const QString& source = kWhyViewSource, const QSize& size = {1376, 756},
                  const std::vector<std::string>& opened = {}, int row = 0)
        : model(fixture::shippedModel(name)), reading(readSentence(*model, source)) {
        view.resize(size);
        StageState state;
        state.why.row = row;
        state.why.opened.assign(opened.begin(), opened.end());
        view.showOptions(state);
        view.setReading(model, reading.trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs) || !wait()) qFatal("why is never there");
    }
    bool wait() {
        return QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs);
    }
    StageState told() const {
        StageState state;
        view.tellOptions(state);
        return state;
    }
    std::vector<WhyColumnView*> shown() const {
        std::vector<WhyColumnView*> all;
        for (WhyColumnView* column : view.columns())
            if (column->isVisible()) all.push_back(column);
        return all;
    }
    /// Of a column the line that draws this row.
    static size_t lineOf(const WhyColumnView& column, int row) {
        for (size_t line = 0; line < column.lines().size(); ++line)
            if (column.lines()[line].row == row) return line;
        qFatal("the row is not drawn");
    }

    std::shared_ptr<const TrainedModel> model;
    Session::Reading reading;
    WhyView view;
};

/// Bars as long as what they add, each beginning where the one before it ends; and the sum.
void checkBars(const WhyColumnView& column) {
    const double unit = column.xOf(1) - column.xOf(0);
    double at = 0;
    for (size_t line = 0; line < column.lines().size(); ++line) {
        const auto& each = column.lines()[line];
        QCOMPARE(each.from, at);
        at = each.to;
        const double long_ = std::abs(each.to - each.from) * unit;
        QVERIFY(std::abs(column.barRect(line).width() - std::max(1.0, long_)) < 1e-6);
        QVERIFY(std::abs(column.barRect(line).left() - column.xOf(std::min(each.from, each.to))) < 1e-6);
    }
    QVERIFY2(std::abs(at - column.column().sum) < 5e-4, qPrintable(column.column().title));
    QVERIFY(std::abs(column.sumRect().width() - std::abs(column.column().sum) * unit) < 1);
}

}  // namespace

class TestWhyView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void everyColumnEndsWhereItsBarEnded_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::newRow("a translator") << "vi-en-transformer" << kWhyViewSource;
        QTest::newRow("norms first") << "vi-en-pre-norm" << kWhyViewSource;
        QTest::newRow("a GRU") << "vi-en-gru" << kWhyViewSource;
        QTest::newRow("an LSTM with attention") << "vi-en-long-lstm-attention" << kWhyViewSource;
        QTest::newRow("an LSTM that writes") << "stories-lstm"
                                             << "once there was a girl";
        QTest::newRow("a language model") << "stories-transformer"
                                          << "once there was a girl";
        QTest::newRow("a classifier") << "sentiment-transformer"
                                      << "steve is arrogant but his book is awesome";
    }
    void everyColumnEndsWhereItsBarEnded() {
        QFETCH(QString, model);
        QFETCH(QString, source);
        const Read read(model, source);
        const WhyPicture& picture = *read.view.picture();
        const Why why(*read.model, *read.reading.trace, picture.row(), picture.word(), picture.against());
        const auto shown = read.shown();
        QCOMPARE(shown.front()->column().rows.size(), why.parts().size());
        QVERIFY(shown.size() >= (model == "stories-lstm" || model == "vi-en-gru" ? 2 : 3));
        for (const WhyColumnView* column : shown) {
            checkBars(*column);
            const fixture::Drawn drawn = fixture::drawn(*const_cast<WhyColumnView*>(column));
            QVERIFY(drawn.mentions("= " + formatSigned(column->column().sum, 3)));
            for (const auto& line : column->lines())
                QVERIFY2(drawn.writes({formatSigned(line.to - line.from, 3)}), qPrintable(drawn.texts().join(u'|')));
        }
        QVERIFY(read.view.lead()->text().contains(formatNumber(std::abs(why.difference()), 3)));
    }

    void theSentenceOfTheDesignOpensToOneNumber() {
        Read read(QStringLiteral("vi-en-transformer"), kWhyViewSource, {1376, 756}, {"6", "2", "4"}, 3);
        const auto shown = read.shown();
        QCOMPARE(shown.size(), size_t{4});
        QCOMPARE(read.view.word()->currentText(), QStringLiteral("learning  0.950"));
        QCOMPARE(read.view.against()->currentText(), QStringLiteral("studying  0.002"));
        QVERIFY(fixture::drawn(*shown[0]).writes({"Layer 2, cross-attention", "+2.674"}));
        QVERIFY(fixture::drawn(*shown[1]).writes({"Head 2", "+0.964"}));
        QVERIFY(fixture::drawn(*shown[2]).writes({"tiếng", "0.952", "+1.020", "×", "+0.971"}));
        QVERIFY(fixture::drawn(*shown[3]).writes({"2", "+1.538", "+0.124", "×"}));
        QVERIFY(fixture::drawn(*read.view.held()).writes({"Layer 1, norm 1", "1.544", "Layer 1, norm 2", "1.649"}));
        QVERIFY(read.view.story()->text().contains(QStringLiteral("<b>tiếng</b>: +0.971 (")));
        QVERIFY(read.view.story()->text().contains(QStringLiteral("add up to +6.054")));
        // The frame of what is opened, and the strength of a weight on the scale of all weights.
        QVERIFY(shown[2]->openedRect().contains(shown[2]->barRect(3)));
        const QPointF weight = shown[2]->weightRect(3).topLeft() + QPointF(8, 3);
        QCOMPARE(fixture::colorAt(*shown[2], weight), Theme::light().sequential(0.952));
    }

    void theHandOpensAndCloses() {
        Read read(QStringLiteral("vi-en-transformer"), kWhyViewSource, {1376, 756}, {"0"}, 3);
        QCOMPARE(read.shown().size(), size_t{1});
        QSignalSpy changed(&read.view, &WhyView::optionsChanged);
        WhyColumnView& first = *read.shown()[0];
        QTest::mouseClick(&first, Qt::LeftButton, {}, first.barRect(6).center().toPoint());
        QCOMPARE(read.told().why.opened, StageTexts({"7"}));
        QCOMPARE(read.shown().back()->column().title, QStringLiteral("Layer 2, feed-forward"));
        // Too many units for the room: the largest stand there, and the others as one bar.
        QVERIFY(read.shown().back()->lines().back().others > 0 || read.shown().back()->lines().size() > 100);
        checkBars(*read.shown().back());
        QTest::mouseClick(&first, Qt::LeftButton, {}, first.barRect(5).center().toPoint());
        QTest::keyClick(read.shown()[1], Qt::Key_Down);
        QTest::keyClick(read.shown()[1], Qt::Key_Down);
        QTest::keyClick(read.shown()[1], Qt::Key_Right);
        QCOMPARE(read.told().why.opened, StageTexts({"6", "2"}));
        // On the weight: q times k.
        WhyColumnView& words = *read.shown()[2];
        QTest::mouseClick(&words, Qt::LeftButton, {}, words.weightRect(3).center().toPoint());
        QCOMPARE(read.told().why.opened, StageTexts({"6", "2", "4s"}));
        const float score =
            read.reading.trace->at("decoder.layers.1.cross_attn.scores").head(1)[static_cast<size_t>(2 * 5 + 3)];
        QVERIFY(std::abs(read.shown()[3]->column().sum - double(score)) < 1e-5);
        checkBars(*read.shown()[3]);
        // Clicked again it closes; Escape closes a column.
        QTest::mouseClick(&words, Qt::LeftButton, {}, words.weightRect(3).center().toPoint());
        QCOMPARE(read.told().why.opened, StageTexts({"6", "2"}));
        QTest::keyClick(read.shown()[2], Qt::Key_Escape);
        QTest::keyClick(read.shown()[1], Qt::Key_Escape);
        QCOMPARE(read.told().why.opened, StageTexts({"0"}));
        QVERIFY(changed.count() >= 7);
    }

    void anyWordIsAskedAbout() {
        Read read(QStringLiteral("vi-en-transformer"));
        QTest::keyClick(read.view.written(), Qt::Key_Left);
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.row, read.view.picture()->row() + 1);
        read.view.other()->setText(QStringLiteral("you"));
        QTest::keyClick(read.view.other(), Qt::Key_Return);
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.against, std::string("you"));
        QVERIFY(read.view.against()->currentText().startsWith("you"));
        checkBars(*read.shown()[0]);
        read.view.other()->setText(QStringLiteral("nosuchword"));
        QTest::keyClick(read.view.other(), Qt::Key_Return);
        QVERIFY(fixture::shownText(read.view).contains("none of the model's words"));
        QCOMPARE(read.told().why.against, std::string("you"));
    }

    void whatIsWronglyAskedForIsTheLikeliest() {
        Read read(QStringLiteral("vi-en-transformer"), kWhyViewSource, {1376, 756}, {"99", "x"}, 400);
        QCOMPARE(read.view.picture()->row(), 4);
        QCOMPARE(read.shown().size(), size_t{1});
        for (const char* wrong : {"", "s", "0x", "-1", "1ss", "99999999999999"})
            QVERIFY2(!WhyStep::parse(wrong), wrong);
        QCOMPARE(WhyStep::parse("12s")->text(), std::string("12s"));
    }

    void whereThereIsNothingToAsk() {
        WhyView view;
        view.show();
        view.setReading(nullptr, nullptr);
        QVERIFY(fixture::shownText(view).contains("No model is open"));
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        view.setReading(model, nullptr);
        QVERIFY(fixture::shownText(view).contains("Type a sentence"));
        view.setReading(model, std::make_shared<Trace>());
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(fixture::shownText(view).contains("was not taken apart"));
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestWhyView)
#include "test_why_view.moc"
