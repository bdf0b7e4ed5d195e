// SPDX-License-Identifier: GPL-3.0-or-later
// What both readings are fed and say, how many pieces it takes, and the lines by which they part: as drawn, and as the
// traces have it.
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/comparison.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/views/compare/fed_table.h"
#include "ui/views/compare/head_chips.h"
#include "ui/views/compare/parting_lines.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

const QString compareReadingsSentence = QStringLiteral("những giáo viên không nên dạy toán");
const QString block = QStringLiteral("decoder.layers.0.cross_attn");
constexpr int kPlural = 1;  ///< the row in which A writes "teachers"

QStringList named(const std::vector<int>& heads) {
    QStringList names;
    for (const int head : heads)
        names << QStringLiteral("%1.%2").arg(block).arg(head);
    return names;
}

/// What the trace gives to a word, by the row it is said in.
double given(const TrainedModel& model, const Trace& trace, int row, const QString& word) {
    const int id = model.target->vocabulary().id(word.toStdString());
    return std::exp(static_cast<double>(matrixRow(trace.at("log_probs"), 0, row)[static_cast<size_t>(id)]));
}

}  // namespace

class TestCompareReadings : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        m_model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
    }
    void cleanupTestCase() { m_theme.reset(); }

    void init() {
        m_session = std::make_unique<Session>();
        m_selection = std::make_unique<Selection>();
        m_comparison = std::make_unique<Comparison>(*m_session);
        m_view = std::make_unique<CompareView>(m_comparison.get(), m_selection.get());
        m_view->resize(1376, 800);
        m_view->show();
        m_comparison->setWatched(true);
        m_session->adoptModel(m_model, QStringLiteral("vi-en"));
        m_session->setSource(compareReadingsSentence);
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        mute({2, 5, 6});
    }
    void cleanup() {
        m_view.reset();
        m_comparison.reset();
        m_selection.reset();
        m_session.reset();
    }

    void eachSideSaysWhatItsTraceSays() {
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        const std::vector<FedWord>& words = m_view->fed()->words();
        QCOMPARE(static_cast<int>(words.size()), a.at("log_probs").dim(0));
        const fixture::Drawn drawn = fixture::drawn(*m_view->fed());
        double fedA = 0, fedB = 0;
        for (int row = 0; row < static_cast<int>(words.size()); ++row) {
            const FedWord& word = words[static_cast<size_t>(row)];
            QCOMPARE(word.fed.toStdString(), a.targetTokens[static_cast<size_t>(row)]);
            for (const auto& [said, trace] : {std::pair(word.first, &a), {*word.second, &b}}) {
                const auto numbers = matrixRow(trace->at("log_probs"), 0, row);
                const auto best = std::ranges::max_element(numbers);
                QCOMPARE(said.word.toStdString(),
                         m_model->target->vocabulary().token(static_cast<int>(best - numbers.begin())));
                QCOMPARE(said.probability, std::exp(static_cast<double>(*best)));
                QVERIFY(drawn.writes({said.word, formatNumber(said.probability, 3)}));
            }
            QCOMPARE(*word.kept, given(*m_model, b, row, word.first.word));
            const bool isLast = row + 1 == static_cast<int>(words.size());
            const QString next = isLast ? QStringLiteral("<eos>") : words[static_cast<size_t>(row) + 1].fed;
            fedA += std::log(given(*m_model, a, row, next));
            fedB += std::log(given(*m_model, b, row, next));
        }
        QCOMPARE(words[kPlural].first.word, QStringLiteral("teachers"));
        QCOMPARE(words[kPlural].second->word, QStringLiteral("teacher"));
        QCOMPARE(std::ranges::count_if(words, &FedWord::differs), 1);
        QVERIFY(drawn.writes({formatNumber(fedA), formatNumber(fedB)}));
        QCOMPARE(drawn.ink(QStringLiteral("teacher")), Theme::light().bad);
        // Where they differ first is what is looked at.
        QCOMPARE(m_view->fedRow(), kPlural);
        QCOMPARE(drawn.ink(QStringLiteral("the →")), Theme::light().nowText);
    }

    void aWordSelectsItsRowEverywhere() {
        m_selection->setValue(block + QStringLiteral(".output"));
        const QPoint at = m_view->fed()->columnRect(4).center().toPoint();
        QTest::mouseClick(m_view->fed(), Qt::LeftButton, {}, at);
        QCOMPARE(m_view->fedRow(), 4);
        for (const auto side : {CompareView::First, CompareView::Second, CompareView::Difference})
            QCOMPARE(m_view->matrix(side)->locked().row, 4);
        QCOMPARE(fixture::drawn(*m_view->map()).ink(QStringLiteral("not")), Theme::light().nowText);
        QVERIFY(m_view->where().contains(QStringLiteral("After “not”")));
        QTest::keyClick(m_view->fed(), Qt::Key_Left);
        QCOMPARE(m_view->matrix(CompareView::First)->locked().row, 3);
        QTest::keyClick(m_view->fed(), Qt::Key_End);
        QCOMPARE(m_view->fedRow(), 6);
        // And the reverse: a number of the value chooses its word.
        m_selection->setNumber({0, 2, 5});
        QCOMPARE(m_view->fedRow(), 2);
        // What has no row for it does not change it.
        m_selection->setValue(QStringLiteral("encoder.output"));
        m_selection->setNumber({0, 1, 5});
        QCOMPARE(m_view->fedRow(), 2);
    }

    /// Each bar against a reading of its own, made from outside.
    void barsAreReadingsWithoutThoseHeads() {
        QTRY_VERIFY(!m_comparison->pieces().empty());
        const auto without = [&](const std::vector<int>& heads) {
            const Session::Reading reading =
                readSentence(*m_model, compareReadingsSentence, named(heads), m_session->reading()->translation);
            return given(*m_model, *reading.trace, kPlural, QStringLiteral("teachers"));
        };
        double worst = 1;
        int which = -1;
        for (int head = 0; head < 8; ++head)
            if (const double alone = without({head}); alone < worst) {
                worst = alone;
                which = head;
            }
        const std::vector<WordBars::Bar>& bars = m_view->pieces()->bars();
        QCOMPARE(bars.size(), size_t{4});
        const double expected[] = {without({}), worst, without({2, 5, 6}), without({0, 1, 2, 3, 4, 5, 6, 7})};
        for (size_t i = 0; i < 4; ++i)
            QVERIFY2(std::abs(bars[i].probability - expected[i]) < 1e-6, qPrintable(bars[i].word));
        QCOMPARE(bars[1].word, QStringLiteral("head %1, the worst").arg(which + 1));
        QCOMPARE(bars[2].word, QStringLiteral("heads 3, 6, 7"));
        QVERIFY(bars[2].marked && !bars[0].marked);
        const fixture::Drawn drawn = fixture::drawn(*m_view->pieces());
        for (const WordBars::Bar& bar : bars)
            QVERIFY(drawn.writes({bar.word, formatNumber(bar.probability, 3)}));
        // None alone takes the plural away: it takes the three.
        QVERIFY(expected[1] > 0.9 && expected[2] < 0.1);
        // A bar's heads become B's.
        emit m_view->pieces()->chosen(3);
        QCOMPARE(m_comparison->mutedHeads(), named({0, 1, 2, 3, 4, 5, 6, 7}));
        QTRY_COMPARE(m_view->pieces()->bars().size(), size_t{3});
    }

    void numbersPutInAreTriedOneByOneToo() {
        m_view->chooseKind(Comparison::Kind::Changes);
        m_comparison->setChanges(
            {"decoder.layers.0.cross_attn.scores[:,:,1]=-inf", "decoder.layers.1.cross_attn.scores[:,:,1]=-inf"});
        QTRY_VERIFY(m_comparison->isReady() && !m_comparison->pieces().empty());
        const PieceStudy& study = m_comparison->pieces();
        QCOMPARE(study.alone.size(), size_t{2});
        QCOMPARE(study.chosen, study.all);
        const Trace& b = *m_comparison->second().reading()->trace;
        for (size_t row = 0; row < study.all.size(); ++row) {
            const QString& word = m_view->fed()->words()[row].first.word;
            QVERIFY(std::abs(study.all[row] - given(*m_model, b, static_cast<int>(row), word)) < 1e-6);
        }
        m_comparison->setChanges({});
        QVERIFY(m_comparison->pieces().empty());
    }

    void linesStandWhereTheNumbersSay() {
        m_selection->setValue(block + QStringLiteral(".output"));
        PartingLines& lines = *m_view->lines();
        const DivergenceMap::Band& band = lines.band();
        QCOMPARE(band.columns.size(), size_t{14});
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        double most = 0;
        for (const DivergenceMap::Column& column : band.columns)
            for (const double apart : column.of.rows)
                most = std::max(most, apart);
        QVERIFY(lines.top() >= most && lines.top() < 2 * most);
        const double bottom = lines.lineOf(0).front()[0].y();  // nothing is apart in what is read
        double top = 0;
        for (int word = 0; word < band.words.size(); ++word) {
            const QPolygonF line = lines.lineOf(word).front();
            QCOMPARE(line.size(), qsizetype{14});
            for (qsizetype i = 0; i < line.size(); ++i) {
                const TraceRecord& value = *band.columns[static_cast<size_t>(i)].of.value;
                const double apart = divergenceOf(a, value, b).rows[static_cast<size_t>(word)];
                if (apart > 0 && top == 0) top = bottom - (bottom - line[i].y()) * lines.top() / apart;
                QVERIFY(std::abs(line[i].y() - (bottom - (bottom - top) * apart / lines.top())) < 1e-6);
                QVERIFY(i == 0 || line[i].x() > line[i - 1].x());
            }
        }
        const fixture::Drawn drawn = fixture::drawn(lines);
        QVERIFY(drawn.mentions(formatPercent(lines.top(), 0)) && drawn.mentions(formatPercent(lines.top() / 2, 0)));
        QVERIFY(drawn.mentions(QStringLiteral("layer 2")));
        QCOMPARE(drawn.ink(QStringLiteral("the")), Theme::light().bad);  // its word is lost
        // A point is a module and a word.
        const QPointF point = lines.lineOf(kPlural).front()[8];
        QTest::mouseClick(&lines, Qt::LeftButton, {}, point.toPoint());
        QCOMPARE(m_selection->value().toStdString(), band.columns[8].of.value->name);
        QCOMPARE(m_view->fedRow(), kPlural);
        QTest::keyClick(&lines, Qt::Key_Left);
        QCOMPARE(m_selection->value().toStdString(), band.columns[7].of.value->name);
        QTest::keyClick(&lines, Qt::Key_Down);
        QCOMPARE(m_view->fedRow(), kPlural + 1);
    }

    /// Which a number of theirs chooses, whenever it comes, and a point of a line.
    void linesOfTheEncoderAreOfItsWords() {
        m_comparison->setMutedHeads({QStringLiteral("encoder.layers.0.self_attn.2")});
        QTRY_VERIFY(m_comparison->isReady());
        m_selection->setValue(QStringLiteral("encoder.layers.1.self_attn.output"));
        PartingLines& lines = *m_view->lines();
        QCOMPARE(lines.band().words.size(), qsizetype{7});
        const int fed = m_view->fedRow();
        m_selection->setNumber({0, 2, 5});
        QVERIFY(fixture::drawn(lines).mentions(QStringLiteral("viên")));
        m_selection->setNumber({0, 0, 5});
        QVERIFY(fixture::drawn(lines).mentions(QStringLiteral("những")));
        QTest::keyClick(&lines, Qt::Key_Down);
        QCOMPARE(m_selection->number().row, 1);
        QVERIFY(fixture::drawn(lines).mentions(QStringLiteral("giáo")));
        m_selection->setNumber({});
        QVERIFY(!fixture::drawn(lines).mentions(QStringLiteral("giáo")));
        QCOMPARE(m_view->fedRow(), fed);
    }

    void underTheHeadsStandsWhatTheyLookedAt() {
        const TraceRecord& weights =
            m_session->reading()->trace->at((block + QStringLiteral(".weights")).toStdString());
        HeadChips& chips = *m_view->heads();
        QCOMPARE(chips.muted(), std::vector<int>({2, 5, 6}));
        QCOMPARE(chips.count(), 8);
        for (int head = 0; head < 8; ++head)  // on "những", which makes a noun plural
            QCOMPARE(chips.weights()[static_cast<size_t>(head)], matrixRow(weights, head, kPlural)[0]);
        QVERIFY(fixture::drawn(chips).mentions(formatNumber(static_cast<double>(chips.weights()[2]))));
        QTest::mouseClick(&chips, Qt::LeftButton, {}, chips.chip(5).center().toPoint());
        QCOMPARE(m_comparison->mutedHeads(), named({2, 6}));
        QTRY_VERIFY(m_comparison->isReady());
        QTest::keyClick(&chips, Qt::Key_Left);
        QTest::keyClick(&chips, Qt::Key_Space);
        QCOMPARE(m_comparison->mutedHeads(), named({2, 4, 6}));
    }

    void whatWasFedOtherwiseIsNotHeldAgainstIt() {
        m_view->chooseKind(Comparison::Kind::Sentence);
        m_comparison->setSentence(QStringLiteral("tôi yêu bạn"));
        QTRY_VERIFY(m_comparison->isReady());
        const std::vector<FedWord>& words = m_view->fed()->words();
        QVERIFY(words[0].second.has_value());  // both begin with <bos>
        for (size_t row = 1; row < words.size(); ++row)
            QVERIFY(!words[row].second && !words[row].kept && !words[row].differs());
        QVERIFY(fixture::drawn(*m_view->fed()).mentions(QStringLiteral("–")));
    }

    /// A classifier says one thing of all words: its logits have no row for each of them, and no place in their lines.
    void whatIsMadeOfAWholeSentencePartsNoWord() {
        m_session->adoptModel(fixture::shippedModel(QStringLiteral("sentiment-transformer")), QStringLiteral("mood"));
        m_session->setSource(QStringLiteral("steve is arrogant but his book is awesome"));
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady() && m_session->modelName() == QLatin1String("mood"));
        QTRY_COMPARE(m_view->fed()->words().size(), size_t{1});
        const DivergenceMap::Band& band = m_view->lines()->band();
        for (const DivergenceMap::Column& column : band.columns)
            QCOMPARE(std::ssize(column.of.rows), std::ssize(band.words));
        for (int word = 0; word < band.words.size(); ++word) {
            const std::vector<QPolygonF> line = m_view->lines()->lineOf(word);
            QCOMPARE(line.size(), size_t{1});
            QCOMPARE(line.front().size(), static_cast<qsizetype>(band.columns.size()));
        }
        QVERIFY2(!m_view->where().contains(QStringLiteral("“”")), qPrintable(m_view->where()));
        QVERIFY(fixture::drawn(*m_view->fed()).mentions(QStringLiteral("all of it")));
    }

    /// On three lines it ran into the word above it.
    void aLongNameTakesTwoLinesAtMost() {
        FedTable table;
        FedTable::Shown shown;
        shown.first = QStringLiteral("vi-en-long-lstm-attention");
        shown.second = QStringLiteral("vi-en-long-lstm");
        for (int i = 0; i < 8; ++i)
            shown.words.push_back({QStringLiteral("fed"),
                                   {QStringLiteral("word"), 0.5},
                                   SaidWord{QStringLiteral("word"), 0.5},
                                   0.5,
                                   0.0});
        shown.firstLogProb = -1;
        table.setShown(shown);
        for (const int width : {600, 900, 1600}) {
            table.resize(width, table.sizeHint().height());
            const fixture::Drawn drawn = fixture::drawn(table);
            const QStringList pieces = drawn.texts().filter(QStringLiteral("lstm"));
            QStringList first;  // the lines of one name and of the other
            for (const QString& piece : drawn.texts())
                if (QStringLiteral("vi-en-long-lstm-attention").contains(piece.trimmed()) && piece.size() > 2)
                    first << piece;
            QVERIFY2(first.size() <= 4 && !pieces.isEmpty(), qPrintable(first.join(u'|')));
        }
    }

    /// A thought vector took the right half of a chart of lines that end before it.
    void whatIsOfAWholeSentenceHasNoPlaceAmongLinesOfWords() {
        PartingLines lines;
        lines.resize(300, 180);
        DivergenceMap::Band band;
        band.stack = Stack::Encoder;
        band.words = {QStringLiteral("a"), QStringLiteral("b")};
        for (const int layer : {-1, 0, -1}) {
            DivergenceMap::Column column;
            column.of.rows = band.columns.size() < 2 ? std::vector{0.1, 0.2} : std::vector{0.5};
            column.layer = layer;
            column.title = QStringLiteral("Thought vector");
            band.columns.push_back(column);
        }
        lines.setBand(band, {});
        const QPolygonF line = lines.lineOf(1).front();
        QCOMPARE(line.size(), qsizetype{2});
        QVERIFY(line[1].x() - line[0].x() > 0.75 * lines.width());
        const fixture::Drawn drawn = fixture::drawn(lines);
        QVERIFY(drawn.mentions(QStringLiteral("layer 1")) && !drawn.mentions(QStringLiteral("thought")));
    }

    void ofManyWordsThoseAroundTheChosenOneAreShown() {
        FedTable table;
        table.resize(640, table.sizeHint().height());
        FedTable::Shown shown;
        for (int i = 0; i < 60; ++i)
            shown.words.push_back({QStringLiteral("w%1").arg(i),
                                   {QStringLiteral("w%1").arg(i + 1), 0.5},
                                   SaidWord{QStringLiteral("w%1").arg(i + 1), 0.5},
                                   0.5,
                                   0.0});
        table.setShown(shown);
        for (const int word : {0, 31, 59, 12}) {
            table.setCurrent(word);
            QVERIFY(table.firstShown() <= word && word < table.firstShown() + table.countShown());
            const QRectF column = table.columnRect(word);
            QVERIFY(column.left() > 0 && column.right() <= table.width());
            const fixture::Drawn drawn = fixture::drawn(table);
            const int behind = 60 - table.firstShown() - table.countShown();
            QCOMPARE(drawn.mentions(QStringLiteral("+%1").arg(table.firstShown())), table.firstShown() > 0);
            QCOMPARE(drawn.mentions(QStringLiteral("+%1").arg(behind)), behind > 0);
        }
        QSignalSpy chosen(&table, &FedTable::chosen);
        QTest::keyClick(&table, Qt::Key_Right);
        QCOMPARE(chosen.first().first().toInt(), 13);
    }

private:
    void mute(const std::vector<int>& heads) {
        m_comparison->setMutedHeads(named(heads));
        QTRY_VERIFY(m_comparison->isReady());
    }

    std::unique_ptr<fixture::LightTheme> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Comparison> m_comparison;
    std::unique_ptr<CompareView> m_view;
};

QTEST_MAIN(TestCompareReadings)
#include "test_compare_readings.moc"
