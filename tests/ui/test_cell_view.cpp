// SPDX-License-Identifier: GPL-3.0-or-later
// Inside a recurrent cell: the strips, the amber bar, the curve and the panel beside them against the engine's numbers.
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/data/task.h"
#include "core/experiment/cell_figures.h"
#include "fixture.h"
#include "tests/ui/drawn.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/session/open/settling.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/views/recurrent/cell_gates.h"
#include "ui/views/recurrent/cell_side.h"
#include "ui/views/recurrent/cell_story.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/reach_chart.h"
#include "ui/views/recurrent/write_bars.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;
using Kind = CellColumn::Kind;

namespace {

constexpr const char* kSentence = "tôi đang học tiếng anh";

/// The view with a model's reading, shown.
struct Open {
    explicit Open(const QString& name, const QString& sentence = QString::fromUtf8(kSentence))
        : model(fixture::shippedModel(name)), trace(readSentence(*model, sentence).trace) {
        view.setSettling(&settling);
        view.resize(1376, 800);
        view.setReading(model, trace);
        view.show();
        QCoreApplication::processEvents();
    }
    const CellPicture& picture() const { return *view.picture(); }
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(!view.isBusy(), fixture::kLongPatienceMs); }
    const TraceRecord& record(const char* name) const { return trace->at(name); }
    double at(const char* name, int word, int unit) const {
        const TraceRecord& found = record(name);
        return double(found.values[size_t(word * found.dim(1) + unit)]);
    }
    void show(int unit, int word, UnitOrder units = UnitOrder::Stored) {
        StageState state;
        state.view = ViewName::Cell;
        state.recurrentCell.unit = unit;
        state.recurrentCell.word = word;
        state.recurrentCell.units = units;
        view.showOptions(state);
    }

    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;
    Settling settling;
    CellView view;
};

QString texts(QWidget* widget) {
    return fixture::drawn(*widget).texts().join(u'|');
}

}  // namespace

class TestCellView : public QObject {
    Q_OBJECT
private slots:
    void theNameOfALineLiesOnNoOtherLine() {
        ReachChart chart;
        chart.resize(300, 240);
        std::vector<double> slow;
        for (int back = 0; back < 37; ++back)
            slow.push_back(std::pow(10.0, -back / 30.0));
        // One that ends early, as it is of a short sentence, in the middle of the other.
        chart.setLines({{.name = QStringLiteral("LSTM"), .share = std::vector<double>(slow.begin(), slow.begin() + 12)},
                        {.name = QStringLiteral("GRU"), .share = slow},
                        {.name = QStringLiteral("RNN"), .share = {1, 1e-6, 1e-12}}});
        const QRectF name = chart.nameRect(0);
        QVERIFY(QRectF(chart.rect()).contains(name));
        for (size_t back = 1; back < slow.size(); ++back)
            for (int part = 0; part <= 20; ++part)
                QVERIFY(
                    !name.contains(paint::between(chart.pointAt(1, back - 1), chart.pointAt(1, back), part / 20.0)));
        QVERIFY(QLineF(name.topLeft(), chart.pointAt(0, 11)).length() < 60);  // and still at its line
    }

    void initTestCase() { m_theme = std::make_unique<ThemeManager>(qApp); }
    void init() { m_theme->setMode(ThemeManager::Mode::Light); }
    void cleanupTestCase() { m_theme.reset(); }

    void theBarHoldsTheUnitsNumbers() {
        Open lstm(QStringLiteral("vi-en-long-lstm"));
        lstm.show(98, 4);
        const double f = lstm.at("encoder.layers.0.gates.forget", 3, 97),
                     before = lstm.at("encoder.layers.0.cell", 2, 97), c = lstm.at("encoder.layers.0.cell", 3, 97);
        const QString drawn = texts(lstm.view.columns());
        for (const double number : {before, f, f * before, c, std::tanh(c), lstm.at("encoder.layers.0.hidden", 3, 97)})
            QVERIFY2(drawn.contains(formatNumber(number, 3)), qPrintable(drawn));
        QCOMPARE(lstm.view.columns()->numberOf(1), formatNumber(f, 3));
        QCOMPARE(lstm.view.side()->title()->text(), QStringLiteral("Unit 98"));
    }

    void everyRowHasTheColourOfItsNumber_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isSorted");
        QTest::newRow("LSTM") << "vi-en-long-lstm" << false;
        QTest::newRow("LSTM, sorted") << "vi-en-long-lstm" << true;
        QTest::newRow("GRU, sorted") << "vi-en-gru" << true;
        QTest::newRow("RNN") << "vi-en-rnn" << false;
    }
    void everyRowHasTheColourOfItsNumber() {
        QFETCH(QString, name);
        QFETCH(bool, isSorted);
        Open open(name);
        open.view.resize(1376, 1000);
        open.show(20, 3, isSorted ? UnitOrder::Sorted : UnitOrder::Stored);
        for (const auto mode : {ThemeManager::Mode::Light, ThemeManager::Mode::Dark}) {
            m_theme->setMode(mode);
            const CellColumns& columns = *open.view.columns();
            const QImage image = open.view.columns()->grab().toImage();
            const Theme& t = Theme::of(&open.view);
            for (size_t column = 0; column < open.picture().columns().size(); ++column)
                for (const int unit : {0, 19, 40, 77, 127}) {
                    const CellColumn& values = open.picture().columns()[column];
                    const double value = values.values[size_t(unit)];
                    const double most = values.range == CellColumn::Range::Open ? CellColumns::kMost : 1;
                    const QColor expected = values.range == CellColumn::Range::Share
                                                ? t.sequential(value)
                                                : t.diverging(std::clamp(value, -most, most), most);
                    QRectF cell = columns.cellRect(column, unit);
                    if (unit == 19) cell.setWidth(3);  // beside its number
                    const QPointF middle = cell.center() * image.devicePixelRatio();
                    const QColor found = image.pixelColor(middle.toPoint());
                    QVERIFY2(
                        std::abs(expected.red() - found.red()) < 4 && std::abs(expected.blue() - found.blue()) < 4,
                        qPrintable(QString("%1 %2 %3 %4").arg(column).arg(unit).arg(expected.name(), found.name())));
                }
        }
    }

    void sortedTheSharesFall() {
        Open open(QStringLiteral("vi-en-long-lstm"));
        open.show(1, 2, UnitOrder::Sorted);
        const CellPicture& picture = open.picture();
        for (size_t row = 1; row < picture.order().size(); ++row)
            QVERIFY(open.at("encoder.layers.0.gates.forget", 1, picture.order()[row - 1]) >=
                    open.at("encoder.layers.0.gates.forget", 1, picture.order()[row]));
        QVERIFY(open.view.subtitle()->whole().contains("forget least"));
    }

    void pressesAndKeysChooseUnitsAndWords() {
        Open open(QStringLiteral("vi-en-long-lstm"));
        open.show(60, 3);
        QSignalSpy changed(&open.view, &CellView::optionsChanged);
        CellColumns* const columns = open.view.columns();
        QTest::mouseClick(columns, Qt::LeftButton, {}, columns->cellRect(4, 10).center().toPoint());
        QVERIFY(std::abs(open.picture().unit() - 10) <= 1);  // rows are a few pixels high
        const int unit = open.picture().unit();
        QTest::keyClick(columns, Qt::Key_Down);
        QCOMPARE(open.picture().unit(), unit + 1);
        QTest::keyClick(columns, Qt::Key_Home);
        QCOMPARE(open.picture().unit(), 0);
        QTest::keyClick(columns, Qt::Key_Up);
        QCOMPARE(open.picture().unit(), 0);
        QTest::keyClick(columns, Qt::Key_Period);
        QCOMPARE(open.picture().word(), 3);
        CellStory* const story = open.view.story();
        QTest::keyClick(story, Qt::Key_Comma);
        QCOMPARE(open.picture().word(), 2);
        QTest::mouseClick(story, Qt::LeftButton, {}, story->wordRect(1).center().toPoint());
        QCOMPARE(open.picture().word(), 1);
        QTest::mousePress(story, Qt::LeftButton, {}, story->wordRect(1).center().toPoint());
        QMouseEvent drag(QEvent::MouseMove, story->wordRect(4).center(),
                         story->mapToGlobal(story->wordRect(4).center()), Qt::LeftButton, Qt::LeftButton, {});
        QApplication::sendEvent(story, &drag);
        QCOMPARE(open.picture().word(), 4);
        QCOMPARE(changed.count(), 7);
        StageState told;
        told.view = ViewName::Cell;
        open.view.tellOptions(told);
        QCOMPARE(told.recurrentCell.unit, 1);
        QCOMPARE(told.recurrentCell.word, 5);
    }

    void theStoryIsTheTraces() {
        Open open(QStringLiteral("vi-en-gru"));
        open.show(33, 2);
        const CellStory& story = *open.view.story();
        const QString drawn = texts(open.view.story());
        double lowest = 1e9, highest = -1e9;
        for (int word = 0; word < 5; ++word) {
            const double z = open.at("encoder.layers.0.gates.update", word, 32),
                         n = open.at("encoder.layers.0.gates.candidate", word, 32),
                         h = open.at("encoder.layers.0.hidden", word, 32);
            QVERIFY2(drawn.contains(formatNumber(z, 2)) && drawn.contains(formatNumber((1 - z) * n, 2)),
                     qPrintable(drawn));
            lowest = std::min(lowest, h);
            highest = std::max(highest, h);
        }
        // The curve is straight in the numbers: each place is where its share of the way from lowest to highest is.
        const auto y = [&](int word) { return story.pointAt(word).y(); };
        const auto h = [&](int word) { return open.at("encoder.layers.0.hidden", word, 32); };
        const double pixels = (y(0) - y(1)) / (h(1) - h(0));
        for (int word = 2; word < 5; ++word)
            QVERIFY(std::abs((y(0) - y(word)) - pixels * (h(word) - h(0))) < 1e-6);
    }

    void theTableAddsUp_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("rows");
        QTest::newRow("LSTM") << "vi-en-long-lstm" << 4;
        QTest::newRow("GRU") << "chat-gru-attention" << 3;
        QTest::newRow("RNN") << "vi-en-rnn" << 1;
    }
    void theTableAddsUp() {
        QFETCH(QString, name);
        QFETCH(int, rows);
        Open open(name, name.startsWith("chat") ? QStringLiteral("how are you ?") : QString::fromUtf8(kSentence));
        open.show(7, 2);
        const QString drawn = texts(open.view.side()->gates());
        QCOMPARE(int(open.picture().sums().size()), rows);
        for (size_t row = 0; row < size_t(rows); ++row) {
            const QStringList cells = open.view.side()->gates()->rowTexts(row);
            const auto number = [&](int i) { return QString(cells[i]).replace(QChar(0x2212), '-').toDouble(); };
            QVERIFY(std::abs(number(0) + number(1) + number(2) - number(3)) < 0.016);
            const GateSum& sum = open.picture().sums()[row];
            QVERIFY(std::abs(number(4) - (sum.isTanh ? std::tanh(sum.sum) : 1 / (1 + std::exp(-sum.sum)))) < 6e-4);
            for (const QString& cell : cells)
                QVERIFY2(drawn.contains(cell), qPrintable(drawn));
        }
        const auto equations = open.picture().equations();
        const QString written = texts(open.view.side()->equations());
        QVERIFY(written.contains(formatNumber(equations.back().result, 3)));
        QCOMPARE(equations.back().result, open.picture().value(Kind::State));
    }

    void theDecodersStepsFollowTheEncoders() {
        Open open(QStringLiteral("vi-en-long-lstm"));
        open.show(5, 7);
        QCOMPARE(open.picture().cellPlace().stack, Stack::Decoder);
        QCOMPARE(open.picture().word(), 1);
        QCOMPARE(open.picture().value(Kind::Memory), open.at("decoder.layers.0.cell", 1, 4));
        open.show(5, 6);  // its first word: what stood before is what the encoder ended with
        QCOMPARE(open.picture().value(Kind::Before), open.at("encoder.layers.0.cell", 4, 4));
        open.show(5, 0);
        QCOMPARE(open.picture().cellPlace().stack, Stack::Encoder);
        QCOMPARE(open.picture().word(), 4);
        QSignalSpy changed(&open.view, &CellView::optionsChanged);
        open.view.places()->setCurrentIndex(1);
        emit open.view.places()->activated(1);
        QCOMPARE(open.picture().cellPlace().stack, Stack::Decoder);
        QCOMPARE(changed.count(), 1);
    }

    void wordsAtWhichItWritesAreTheStudys() {
        Open open(QStringLiteral("vi-en-long-gru"));
        open.show(12, 3);
        open.wait();
        const CellWrites expected =
            cellWrites(*open.model, findTask("vi-en-long").corpus().test, {Stack::Encoder, 0}, CellStudy::kRead);
        const auto& bars = open.view.side()->bars()->bars();
        QCOMPARE(bars.size(), CellSide::kBars);
        double before = 2;
        for (const WriteBars::Bar& bar : bars) {
            const auto word = std::ranges::find(expected.words, bar.word.toStdString(), &CellWrites::Word::text);
            QVERIFY(word != expected.words.end());
            QCOMPARE(bar.mean, double(word->mean[11]));
            QVERIFY(word->count >= CellSide::kOften && std::abs(bar.mean) <= before);
            before = std::abs(bar.mean);
        }
    }

    void theOpenModelsGradientStandsBesideThoseOfOtherCells() {
        Open open(QStringLiteral("vi-en-long-rnn"));
        open.wait();
        const auto& lines = open.view.side()->chart()->lines();
        QVERIFY(lines.size() >= 3);
        QVERIFY(lines.front().isOpen && lines.front().name == "RNN");
        QCOMPARE(open.view.study().sibling(Cell::Lstm), QStringLiteral("vi-en-long-lstm"));
        QCOMPARE(open.view.study().sibling(Cell::Gru), QStringLiteral("vi-en-long-gru"));
        const QString drawn = texts(open.view.side()->chart());
        for (const auto& line : lines) {
            QCOMPARE(line.share.front(), 1.0);
            QVERIFY2(drawn.contains(line.name), qPrintable(drawn));
        }
        // Half of the way on the axis is half of the powers of ten.
        const ReachChart& chart = *open.view.side()->chart();
        const double perPower = (chart.pointAt(0, 1).y() - chart.pointAt(0, 0).y()) / -std::log10(lines[0].share[1]);
        QVERIFY(std::abs((chart.pointAt(0, 3).y() - chart.pointAt(0, 0).y()) / -std::log10(lines[0].share[3]) -
                         perPower) < 1e-6);
        QVERIFY(open.view.side()->reachText()->text().contains("words back"));
    }

    void whoseTaskTheOtherCellsLearntIsSaid() {
        for (const auto& [open, said] : {std::pair{"vi-en-long-lstm-attention", "Other models of this task: RNN"},
                                         {"chat-gru-attention", "On another task: RNN"}}) {
            Open cell(QString::fromLatin1(open), exampleSentence(*fixture::shippedModel(QString::fromLatin1(open))));
            cell.wait();
            const QString text = cell.view.side()->reachText()->text();
            QVERIFY2(text.contains(QLatin1String(said)), qPrintable(text));
        }
    }

    /// Before training: below one it vanishes, far above it explodes, and the chart and the words tell the engine's.
    void multipliedRecurrentWeightsMakeTheGradientExplode() {
        Open open(QStringLiteral("vi-en-long-rnn"));
        StageState state;
        state.view = ViewName::Cell;
        state.recurrentCell.gain = 4;
        open.view.showOptions(state);
        open.wait();
        QCOMPARE(open.view.study().gains().size(), size_t(2));
        const GainReach& changed = open.view.study().gains()[1];
        QVERIFY(changed.singularValue > 1 && changed.reach.share.back() > 10);
        const ReachChart& chart = *open.view.side()->chart();
        const ReachChart::Line& line = chart.lines().back();
        QVERIFY(line.isChanged && line.share == changed.reach.share);
        QVERIFY(chart.highest() >= 1);
        const size_t last = chart.lines().size() - 1;
        QVERIFY2(chart.pointAt(last, line.share.size() - 1).y() < chart.pointAt(last, 0).y(), "it climbs");
        QVERIFY(chart.pointAt(last - 1, 5).y() > chart.pointAt(last - 1, 0).y());
        const QString words = open.view.side()->gainText()->text();
        QVERIFY2(words.contains(formatNumber(changed.singularValue, 3)) &&
                     words.contains(formatScientific(changed.reach.share.back(), 1)),
                 qPrintable(words));
        state.recurrentCell.gain = 1;
        open.view.showOptions(state);
        QVERIFY(std::ranges::none_of(chart.lines(), &ReachChart::Line::isChanged));
    }

    void anotherCellIsAnotherShippedModel() {
        Open open(QStringLiteral("vi-en-long-lstm"));
        open.wait();
        QSignalSpy wanted(&open.view, &CellView::modelWanted);
        emit open.view.cells()->currentChanged(0);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.at(0).at(0).toString(), QStringLiteral("vi-en-long-rnn"));
        Open alone(QStringLiteral("chat-gru-attention"), QStringLiteral("how are you ?"));
        alone.wait();
        QVERIFY(!alone.view.cells()->isItemEnabled(0));
    }

    void playGoesThroughTheWords() {
        Open open(QStringLiteral("vi-en-gru"));
        open.show(3, 4);
        emit open.view.story()->playWanted(true);
        StageState told;
        told.view = ViewName::Cell;
        open.view.tellOptions(told);
        QVERIFY(told.animate);
        QTRY_COMPARE(open.picture().word(), 4);
        QTRY_VERIFY((open.view.tellOptions(told), !told.animate));
    }

    void whatHasNoCellSaysSo() {
        CellView view;
        view.show();
        QSignalSpy open(&view, &CellView::openModelRequested), wanted(&view, &CellView::modelWanted);
        press(view, QStringLiteral("Open a model"));
        QCOMPARE(open.count(), 1);
        const auto transformer = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        view.setReading(transformer, readSentence(*transformer, QString::fromUtf8(kSentence)).trace);
        press(view, QStringLiteral("Open an LSTM"));
        QCOMPARE(wanted.at(0).at(0).toString(), QStringLiteral("vi-en-long-lstm"));
        QVERIFY(!view.picture());
    }

private:
    static void press(QWidget& view, const QString& text) {
        for (QAbstractButton* button : view.findChildren<QAbstractButton*>())
            if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(qPrintable(text));
    }

    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestCellView)
#include "test_cell_view.moc"
