// SPDX-License-Identifier: GPL-3.0-or-later
// What each word that was read has to do with one that is written, as it is seen: every bar and every square is as long
// and as strong as the engine's number says, on the scale that is printed beside it.
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "core/experiment/attribution.h"
#include "tests/ui/drawn.h"
#include "tests/ui/opened.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/views/why/attribution_page.h"
#include "ui/views/why/attribution_strips.h"
#include "ui/views/why/why_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/word_chips.h"

using namespace headlight;

namespace {

using Method = AttributionMethod;

const QString kAttributionViewSource = QStringLiteral("tôi đang học tiếng anh");

struct ReadAttribution {
    explicit ReadAttribution(const QString& name, const QString& source = kAttributionViewSource,
                             const std::string& method = "integrated", int row = 0, const std::string& word = {},
                             const QStringList& muted = {})
        : model(fixture::shippedModel(name)), reading(readSentence(*model, source, muted)) {
        view.resize(1376, 756);
        StageSetting setting{{"view", "why"}, {"why_method", method}, {"why_row", std::to_string(row)}};
        if (!word.empty()) setting["why_word"] = word;
        view.showOptions(stageFrom(setting));
        view.setReading(model, reading.trace, !muted.isEmpty());
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs) || !wait()) qFatal("attribution is never there");
    }
    bool wait() {
        return QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kLongPatienceMs);
    }
    StageState told() const {
        StageState state;
        view.tellOptions(state);
        return state;
    }
    const AttributionPage& page() const { return *view.attribution(); }
    const AttributionPicture& picture() const { return *page().picture(); }
    Attribution engine(int row, int word, Method method) const {
        return attribute(*model, *reading.trace, row, word, method);
    }

    std::shared_ptr<const TrainedModel> model;
    Session::Reading reading;
    WhyView view;
};

/// Bars as long as the numbers are, from the zero on, and the ends of the scale in words beside them.
void checkStrip(const AttributionStrips& strips, size_t strip, const std::vector<double>& numbers) {
    const auto& drawn = strips.strips()[strip].numbers;
    QCOMPARE(drawn.size(), numbers.size());
    const auto ends = strips.endsOf(strip);
    const double unit = strips.yOf(strip, 0) - strips.yOf(strip, 1);
    for (size_t word = 0; word < numbers.size(); ++word) {
        QVERIFY(std::abs(drawn[word] - numbers[word]) < 1e-9);
        QVERIFY(numbers[word] >= ends.low - 1e-9 && numbers[word] <= ends.high + 1e-9);
        const QRectF bar = strips.barRect(strip, word);
        QVERIFY(std::abs(bar.height() - std::abs(numbers[word]) * unit) < 1e-6);
        QVERIFY(std::abs((numbers[word] < 0 ? bar.top() : bar.bottom()) - strips.yOf(strip, 0)) < 1e-6);
        QVERIFY(strips.stripRect(strip).contains(bar.center()));
    }
}

}  // namespace

class TestAttributionView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void everyBarIsTheEnginesNumber_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("methods");
        QTest::newRow("a translator") << "vi-en-transformer" << kAttributionViewSource << 5;
        QTest::newRow("a GRU without attention") << "vi-en-gru" << kAttributionViewSource << 3;
        QTest::newRow("an LSTM with attention") << "vi-en-long-lstm-attention" << kAttributionViewSource << 5;
        QTest::newRow("a language model") << "stories-transformer"
                                          << "once there was a girl" << 5;
        QTest::newRow("a classifier") << "sentiment-transformer"
                                      << "steve is arrogant but his book is awesome" << 5;
    }
    void everyBarIsTheEnginesNumber() {
        QFETCH(QString, model);
        QFETCH(QString, source);
        QFETCH(int, methods);
        const ReadAttribution read(model, source, "gradient");
        const AttributionPicture& picture = read.picture();
        const AttributionStrips& strips = *read.page().strips();
        const fixture::Drawn drawn = fixture::drawn(*strips.viewport());
        int told = 0;
        for (size_t strip = 0; strip < strips.strips().size(); ++strip) {
            const Method method = strips.strips()[strip].method;
            QVERIFY(drawn.mentions(attributionTitle(method)));
            if (!suits(method, *read.model->network)) {
                QVERIFY(drawn.mentions(QStringLiteral("no attention to ask")));
                continue;
            }
            ++told;
            const Attribution engine = read.engine(picture.row(), picture.word(), method);
            std::vector<double> numbers(engine.source.begin(), engine.source.begin() + picture.readAtRow());
            if (!engine.target.empty())
                numbers.insert(numbers.end(), engine.target.begin(), engine.target.begin() + picture.row() + 1);
            checkStrip(strips, strip, numbers);
            // What comes later counts nothing, and is not drawn.
            for (size_t word = static_cast<size_t>(picture.readAtRow()); word < engine.source.size(); ++word)
                QCOMPARE(engine.source[word], 0.0);
        }
        QCOMPARE(told, methods);
    }

    void whatAddsUpIsHeldAgainstTheWhole() {
        const ReadAttribution read(QStringLiteral("vi-en-transformer"), kAttributionViewSource, "attention", 3);
        const Attribution engine = read.engine(2, read.picture().word(), Method::Integrated);
        const AttributionStrip& strip = read.page().strips()->strips()[1];
        QVERIFY(strip.closes);
        QVERIFY2(strip.closing.contains(formatSigned(engine.sum(), 3)), qPrintable(strip.closing));
        QVERIFY(strip.closing.contains(formatSigned(engine.whole, 3)));
        QVERIFY(strip.steps.contains(formatCount(engine.steps)));
        QVERIFY(fixture::drawn(*read.page().strips()->viewport()).mentions(formatSigned(engine.whole, 3)));
        Attribution off = engine;
        off.source[0] += 0.02 * engine.whole;
        QVERIFY(!AttributionPicture::closes(off));
    }

    void theMatrixIsTheChosenMethodsOfEveryWord_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("method");
        for (const Method method : attributionMethods())
            QTest::newRow(std::string(nameOf(method)).c_str())
                << "vi-en-transformer" << kAttributionViewSource << QString::fromStdString(std::string(nameOf(method)));
        QTest::newRow("a language model") << "stories-transformer"
                                          << "once there was a girl"
                                          << "occlusion";
    }
    void theMatrixIsTheChosenMethodsOfEveryWord() {
        QFETCH(QString, model);
        QFETCH(QString, source);
        QFETCH(QString, method);
        const ReadAttribution read(model, source, method.toStdString());
        const Method which = *std::ranges::find(attributionMethods(), method.toStdString(),
                                                [](Method each) { return std::string(nameOf(each)); });
        const MatrixData& shown = read.page().matrix()->data();
        QCOMPARE(shown.rows, read.reading.trace->at("logits").dim(0));
        QCOMPARE(shown.columns, static_cast<int>(read.reading.trace->sourceTokens.size()));
        QVERIFY(shown.leftOut.empty());
        for (int row = 0; row < shown.rows; ++row) {
            const int word = saidAt(*read.model, *read.reading.trace, row);
            QCOMPARE(shown.rowLabels[row], QString::fromStdString(read.model->target->displayOne(word)));
            const Attribution engine = read.engine(row, word, which);
            for (int column = 0; column < shown.columns; ++column) {
                const double number = engine.source[static_cast<size_t>(column)];
                QVERIFY(std::abs(static_cast<double>(shown.value(row, column)) - number) < 1e-6);
                QVERIFY(std::abs(number) <= shown.scale.max + 1e-9);
            }
        }
        QCOMPARE(shown.scale.kind == ColorScale::Kind::Sequential, isShare(which));
        QCOMPARE(read.told().why.method, static_cast<WhyOptions::Method>(static_cast<int>(which) + 1));
    }

    void anyWordIsAskedAbout() {
        ReadAttribution read(QStringLiteral("vi-en-transformer"), kAttributionViewSource, "occlusion", 3, "studying");
        const int studying = read.model->target->vocabulary().id("studying");
        QCOMPARE(read.picture().word(), studying);
        QVERIFY(read.view.word()->currentText().startsWith(QStringLiteral("studying")));
        const Attribution engine = read.engine(2, studying, Method::Occlusion);
        checkStrip(*read.page().strips(), 2,
                   {engine.source[0], engine.source[1], engine.source[2], engine.source[3], engine.source[4],
                    engine.target[0], engine.target[1], engine.target[2]});
        QVERIFY(read.view.lead()->text().contains(formatNumber(engine.logProb, 3)));
    }

    void theHandChooses() {
        ReadAttribution read(QStringLiteral("vi-en-transformer"), kAttributionViewSource, "difference", 3);
        QSignalSpy changed(&read.view, &WhyView::optionsChanged);
        read.view.kind()->setCurrentIndex(1);
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.method, WhyOptions::Method::Occlusion);
        QCOMPARE(read.picture().row(), 2);
        QVERIFY(!read.view.against()->isVisible());
        AttributionStrips& strips = *read.page().strips();
        QTest::mouseClick(strips.viewport(), Qt::LeftButton, {}, strips.stripRect(4).center().toPoint());
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.method, WhyOptions::Method::Values);
        QTest::keyClick(&strips, Qt::Key_Up);
        QTest::keyClick(&strips, Qt::Key_Up);
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.method, WhyOptions::Method::Occlusion);
        MatrixView& matrix = *read.page().matrix();
        QTest::mouseClick(matrix.viewport(), Qt::LeftButton, {}, matrix.cellRect({1, 4}).center().toPoint());
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.row, 2);
        QTest::keyClick(read.view.written(), Qt::Key_Left);
        QVERIFY(read.wait());
        QCOMPARE(read.told().why.row, 1);
        read.view.kind()->setCurrentIndex(0);
        QVERIFY(read.wait());
        QCOMPARE(read.view.picture()->row(), 0);
        QVERIFY(read.view.against()->isVisible());
        QCOMPARE(changed.count(), 7);
    }

    void mutedHeadsSpeakAndItIsSaid() {
        const ReadAttribution read(QStringLiteral("vi-en-transformer"), kAttributionViewSource, "occlusion", 3,
                                   "learning", {QStringLiteral("decoder.layers.1.cross_attn.1")});
        QVERIFY(read.view.story()->text().contains(QStringLiteral("Muted heads speak here")));
        const Trace& muted = *read.reading.trace;
        const Attribution whole = attribute(*read.model, muted, 2, read.picture().word(), Method::Occlusion);
        const auto& known = read.page().known();
        QCOMPARE(known.at({2, read.picture().word(), Method::Occlusion}).source, whole.source);
        // Attention looks as it does where nothing is muted.
        const Prompt prompt = Prompt::of(muted);
        const Trace free = traceIds(*read.model, prompt.source, prompt.target);
        QCOMPARE(known.at({2, read.picture().word(), Method::Attention}).source,
                 attribute(*read.model, free, 2, read.picture().word(), Method::Attention).source);
    }

    void whatIsNoLongerWantedIsGivenUp() {
        ReadAttribution read(QStringLiteral("vi-en-long-lstm-attention"), kAttributionViewSource, "occlusion");
        for (int times = 0; times < 6; ++times) {
            read.view.showOptions(stageFrom({{"view", "why"}, {"why_method", times % 2 ? "integrated" : "gradient"}}));
            read.view.showOptions(stageFrom({{"view", "why"}, {"why_method", "difference"}}));
        }
        QVERIFY(read.wait());
        QVERIFY(!read.page().isBusy());
        QVERIFY(read.view.picture());
    }

    void scalesEndAtRoundNumbers() {
        QCOMPARE(scaleEnd(2.18), 3.0);
        QCOMPARE(scaleEnd(1), 1.0);
        QVERIFY(std::abs(scaleEnd(0.0041) - 0.005) < 1e-12);
        QCOMPARE(scaleEnd(9.2), 10.0);
        QCOMPARE(scaleEnd(0), 1.0);
        QCOMPARE(decimalsOf(0.005), 3);
        QCOMPARE(decimalsOf(3), 0);
        QCOMPARE(decimalsOf(1.5), 1);
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestAttributionView)
#include "test_attribution_view.moc"
