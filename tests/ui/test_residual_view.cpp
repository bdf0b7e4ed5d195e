// SPDX-License-Identifier: GPL-3.0-or-later
// Residuals and norms as they are seen: bars, histograms, moments, the arithmetic of one number, the stream by depth
// and the batch are the engine's numbers, for post-norm, pre-norm, RMS norm and without residuals; what the hand does;
// and what is said where there is nothing to show.
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "tests/ui/drawn.h"
#include "tests/ui/opened.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/views/residual/batch_columns.h"
#include "ui/views/residual/norm_orders.h"
#include "ui/views/residual/number_steps.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/residual/stream_chart.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/words/word_chips.h"

using namespace headlight;

namespace {

using Role = StreamProfile::Role;

const QString residualViewSentence = QStringLiteral("tôi đang học tiếng anh");

/// A view of a reading whose sentences have been read.
struct ShownStream {
    explicit ShownStream(const QString& name, const QString& text = residualViewSentence,
                         const QSize& size = {1320, 760})
        : model(fixture::openedModel(name)),
          trace(text.isEmpty() ? fixture::traceOfIds(*model) : readSentence(*model, text).trace) {
        view.resize(size);
        view.setReading(model, trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs) ||
            !QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs))
            qFatal("the sentences are never read");
    }
    void state(const std::function<void(StageState&)>& change) {
        StageState state;
        change(state);
        view.showOptions(state);
        QCoreApplication::processEvents();
    }
    std::span<const float> row(const std::string& name, int index) const { return fixture::rowOf(*trace, name, index); }
    const StreamWord& word() const { return *view.profiles()->word(); }

    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;
    ResidualView view;
};

}  // namespace

class TestResidualView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<ThemeManager>(qApp); }
    void init() { m_theme->setMode(ThemeManager::Mode::Light); }
    void cleanupTestCase() { m_theme.reset(); }

    void everyBarIsItsNumber() {
        ShownStream shown(QStringLiteral("vi-en-transformer"));
        shown.state([](StageState& s) {
            s.residuals.word = 3;
            s.residuals.depth = 1;
        });
        const ProfileStack& stack = *shown.view.profiles();
        const std::pair<Role, std::string> wanted[] = {{Role::X, "decoder.input"},
                                                       {Role::F, "decoder.layers.0.self_attn.output"},
                                                       {Role::R, "decoder.layers.0.residual1"},
                                                       {Role::Z, {}},
                                                       {Role::Y, "decoder.layers.0.norm1"}};
        QCOMPARE(shown.word().profiles().size(), size_t(5));
        for (int row = 0; row < 5; ++row) {
            const StreamProfile& profile = shown.word().profiles()[size_t(row)];
            QCOMPARE(profile.role, wanted[row].first);
            const double zero =
                stack.barRect(row, 0).top() + (profile.values[0] >= 0 ? stack.barRect(row, 0).height() : 0);
            for (int unit = 0; unit < 64; ++unit) {
                const double value = profile.values[size_t(unit)];
                if (!wanted[row].second.empty())
                    QVERIFY(std::abs(value - double(shown.row(wanted[row].second, 2)[size_t(unit)])) < 1e-4);
                const QRectF bar = stack.barRect(row, unit);
                QVERIFY(std::abs(bar.height() - std::max(0.5, std::abs(value) * stack.unitHeight(row))) < 1e-6);
                if (bar.height() > 0.5) QVERIFY(std::abs((value >= 0 ? bar.bottom() : bar.top()) - zero) < 1);
            }
            int all = 0;
            for (const ProfileStack::Bin& bin : stack.bins(row)) {
                all += bin.count;
                QCOMPARE(bin.count, int(std::ranges::count_if(profile.values, [&](double value) {
                             return value >= bin.from && value < bin.from + stack.binWidth(row);
                         })));
            }
            QCOMPARE(all, 64);
            if (row > 0) QCOMPARE(stack.unitHeight(row), stack.unitHeight(0));  // one scale
        }
        QVERIFY(!stack.hasTwoScales());
    }

    void colourAndSignAreOne() {
        for (const auto mode : {ThemeManager::Mode::Light, ThemeManager::Mode::Dark}) {
            ShownStream shown(QStringLiteral("vi-en-transformer"));
            m_theme->setMode(mode);
            const QImage image = shown.view.profiles()->grab().toImage();
            const Theme& t = Theme::of(&shown.view);
            int seen = 0;
            for (int unit = 8; unit < 64; ++unit) {  // beside the first one stands its number
                const QRectF bar = shown.view.profiles()->barRect(0, unit);
                if (bar.height() < 4) continue;
                const QColor at = image.pixelColor((bar.center() * image.devicePixelRatio()).toPoint());
                QCOMPARE(at, t.divergingStops[shown.word().profiles()[0].values[size_t(unit)] > 0 ? 6 : 2]);
                ++seen;
            }
            QVERIFY(seen > 15);
        }
    }

    void momentsAndTheChosenNumberAreWritten() {
        ShownStream shown(QStringLiteral("vi-en-transformer"));
        shown.state([](StageState& s) {
            s.residuals.word = 3;
            s.residuals.number = 8;
        });
        const fixture::Drawn drawn = fixture::drawn(*shown.view.profiles());
        for (const StreamProfile& profile : shown.word().profiles()) {
            QVERIFY(drawn.writes({"mean", formatNumber(profile.moments.mean), "deviation",
                                  formatNumber(profile.moments.deviation), "length",
                                  formatNumber(profile.moments.length)}));
            QVERIFY(drawn.texts().contains(formatNumber(profile.values[7])));
        }
        QCOMPARE(formatNumber(shown.word().profile(Role::Z).moments.mean), QStringLiteral("0.00"));
        QCOMPARE(formatNumber(shown.word().profile(Role::Z).moments.deviation), QStringLiteral("1.00"));
    }

    /// From x to y, each line what the one before makes of the engine's numbers.
    /// Chosen in a wider model, or drawn before it has its room.
    void aUnitThatIsNotThereAndNoRoomAreNoTrouble() {
        ShownStream shown(QStringLiteral("vi-en-transformer"));
        ProfileStack stack;
        stack.setUnit(shown.word().width() + 70);
        stack.setWord(shown.word());
        QVERIFY(fixture::drawn(stack).writes({QString::number(shown.word().width())}));
        for (const int wide : {1, 60, 140, 260}) {
            stack.resize(wide, 300);
            QVERIFY(!stack.grab().isNull());
        }
    }

    void theArithmeticAddsUp_data() {
        QTest::addColumn<QString>("text");
        for (const char* name : {"vi-en-transformer", "vi-en-pre-norm", "vi-en-no-residuals"})
            QTest::newRow(name) << residualViewSentence;
        QTest::newRow("stories-transformer") << QStringLiteral("once there was a little girl");
        for (const char* name : {"gpt2", "llama", "t5", "bert", "marian"})
            QTest::newRow(name) << QString();
    }
    void theArithmeticAddsUp() {
        QFETCH(QString, text);
        ShownStream shown(QTest::currentDataTag(), text);
        const bool pre = shown.model->network->config().normOrder == NormOrder::Pre;
        const auto sublayers = streamSublayers(
            *shown.trace, shown.model->network->config().encoderDecoder() ? Stack::Decoder : Stack::Only,
            shown.model->network->config().normOrder);
        for (int depth = 1; depth <= int(sublayers.size()); ++depth) {
            shown.state([&](StageState& s) {
                s.residuals.depth = depth;
                s.residuals.word = 2;
                s.residuals.number = 5;
            });
            const StreamSublayer& of = sublayers[size_t(depth) - 1];
            const std::vector<StreamStep>& steps = shown.view.steps()->shown().steps;
            const auto value = [&](const std::string& name) { return double(shown.row(name, 1)[4]); };
            QCOMPARE(steps.front().value, value(of.x));
            const double last = value(of.handedOn(shown.model->network->config().normOrder));
            QVERIFY(std::abs(steps.back().value - last) < 1e-4 * std::max(1.0, std::abs(last)));
            QVERIFY(steps.back().result);
            const StreamWord& word = shown.word();
            const double x = word.profile(Role::X).values[4], f = word.profile(Role::F).values[4],
                         r = word.profile(Role::R).values[4], y = word.profile(Role::Y).values[4];
            QVERIFY(std::abs((word.hasResidual() ? x + f : f) - r) < 1e-4);
            const double in = pre ? x : r;
            const NormedRow& normed = word.normed();
            QVERIFY(std::abs(normed.scale[4] * (in - normed.mean) / std::sqrt(normed.variance + normed.epsilon) +
                             normed.shift[4] - y) < 1e-4 * std::max(1.0, std::abs(y)));
            // What is drawn is what is written there.
            const fixture::Drawn drawn = fixture::drawn(*shown.view.steps());
            for (size_t i = 0; i < steps.size(); ++i)
                QVERIFY2(drawn.texts().contains(shown.view.steps()->writtenAt(i)), qPrintable(steps[i].words));
            QVERIFY(drawn.writes({"comes in", formatNumber(x, 3)}));
        }
    }

    void anRmsNormTakesNoMeanOff() {
        ShownStream shown(QStringLiteral("llama"), QString());
        QVERIFY(shown.word().isRms());
        QCOMPARE(shown.word().normed().mean, 0.0);
        QVERIFY(fixture::shownText(shown.view).contains("An RMS norm takes no mean off"));
        const fixture::Drawn drawn = fixture::drawn(*shown.view.profiles());
        QVERIFY(!drawn.mentions("μ") && !drawn.mentions("β"));
    }

    void whatIsLeftOutIsSaid() {
        ShownStream shown(QStringLiteral("vi-en-no-residuals"));
        QVERIFY(!shown.word().hasResidual());
        QVERIFY(shown.word().profile(Role::R).values == shown.word().profile(Role::F).values);
        QVERIFY(fixture::drawn(*shown.view.profiles()).mentions("x is left out"));
        QCOMPARE(shown.view.orders()->noteOf(NormOrder::Post), QStringLiteral("this model: nothing goes around"));
        // Beside it stands the model that has them.
        QCOMPARE(shown.view.chart()->lines().size(), size_t(2));
        QCOMPARE(shown.view.chart()->lines()[0].name, QStringLiteral("without residuals"));
        QCOMPARE(shown.view.chart()->lines()[1].name, QStringLiteral("with residuals"));
    }

    void theChartIsTheMeanOfTheTestSentences() {
        ShownStream shown(QStringLiteral("vi-en-transformer"));
        Corpus corpus = findTask("vi-en").corpus().test;
        corpus.resize(ResidualView::kSentences);
        const auto& lines = shown.view.chart()->lines();
        QCOMPARE(lines.size(), size_t(2));
        QCOMPARE(lines[0].name, QStringLiteral("post-norm"));
        QCOMPARE(lines[1].name, QStringLiteral("pre-norm"));
        QVERIFY(lines[0].lengths == surveyStream(*shown.model, corpus, 0).of(Stack::Decoder)->lengths);
        QVERIFY(lines[1].lengths == surveyStream(*fixture::openedModel(QStringLiteral("vi-en-pre-norm")), corpus, 0)
                                        .of(Stack::Decoder)
                                        ->lengths);
        QVERIFY(fixture::shownText(shown.view).contains("‖x‖ of 200 sentences"));
        const StreamChart& chart = *shown.view.chart();
        for (const StreamChart::Line& line : lines)
            for (const double length : line.lengths)
                QVERIFY(chart.yOf(length) >= chart.yOf(chart.most()) && chart.yOf(length) <= chart.yOf(0));
        const fixture::Drawn drawn = fixture::drawn(*shown.view.chart());
        QVERIFY(drawn.writes({"post", formatNumber(lines[0].lengths[1], 1)}));
        QVERIFY(drawn.writes({"pre", formatNumber(lines[1].lengths[1], 1)}));
        QCOMPARE(shown.view.orders()->noteOf(NormOrder::Pre),
                 QStringLiteral("vi-en-pre-norm: nothing sits on the stream"));
    }

    void withoutATaskTheChartIsOfThisSentence() {
        ShownStream shown(QStringLiteral("gpt2"), QString());
        QCOMPARE(shown.view.chart()->lines().size(), size_t(1));
        QVERIFY(shown.view.chart()->lines()[0].lengths ==
                streamOf(*shown.trace, shown.model->network->config()).of(Stack::Only)->lengths);
        QVERIFY(fixture::shownText(shown.view).contains("‖x‖ of this sentence"));
        QVERIFY(fixture::shownText(shown.view)
                    .contains("The batch is this sentence. This model's file does not "
                              "say which text it learned from."));
        QCOMPARE(shown.view.batch()->shown().company.size(), size_t(1));
    }

    /// Cells have their numbers' colours, and the table has what a batch norm over those sentences gives.
    void theBatchIsOfRealSentences() {
        ShownStream shown(QStringLiteral("vi-en-transformer"));
        shown.state([](StageState& s) {
            s.residuals.word = 3;
            s.residuals.number = 8;
            s.residuals.depth = 1;
        });
        const BatchColumns& batch = *shown.view.batch();
        const auto& sentences = batch.shown().sentences;
        QCOMPARE(sentences.size(), size_t(4));
        QVERIFY(sentences[0] == shown.trace->at("decoder.layers.0.residual1").values);
        const Corpus corpus = findTask("vi-en").corpus().test;
        std::vector<std::vector<float>> all{sentences[0]};
        for (size_t i = 0; all.size() < 64; ++i) {
            const Trace other = traceSentence(*shown.model, corpus[i].source, corpus[i].target);
            if (other.at("decoder.layers.0.residual1").values != sentences[0])
                all.push_back(other.at("decoder.layers.0.residual1").values);
        }
        for (size_t i = 0; i < 4; ++i)
            QVERIFY(sentences[i] == all[i]);
        const auto& company = batch.shown().company;
        QCOMPARE(company.size(), size_t(4));
        for (const InCompany& each : company) {
            double mean = 0, squares = 0;
            long rows = 0;
            for (int i = 0; i < each.sentences; ++i)
                for (size_t at = 7; at < all[size_t(i)].size(); at += 64, ++rows) {
                    mean += double(all[size_t(i)][at]);
                    squares += double(all[size_t(i)][at]) * double(all[size_t(i)][at]);
                }
            mean /= double(rows);
            const double variance = squares / double(rows) - mean * mean;
            const double value = double(shown.row("decoder.layers.0.residual1", 2)[7]);
            QVERIFY(std::abs(each.batchNorm - (value - mean) / std::sqrt(variance + 1e-5)) < 1e-6);
            QCOMPARE(each.layerNorm, company[0].layerNorm);
        }
        QVERIFY(company[0].batchNorm != company[3].batchNorm);
        const fixture::Drawn drawn = fixture::drawn(*shown.view.batch());
        for (const InCompany& each : company)
            QVERIFY(drawn.writes(
                {QString::number(each.sentences), formatNumber(each.layerNorm), formatNumber(each.batchNorm)}));
        const QImage image = shown.view.batch()->grab().toImage();
        for (const int unit : {0, 20, 50}) {
            const QRectF cell = batch.cellRect(1, 1, unit);
            const QColor at = image.pixelColor((cell.center() * image.devicePixelRatio()).toPoint());
            const QColor wanted =
                Theme::of(&shown.view).diverging(double(sentences[1][size_t(64 + unit)]), batch.most());
            QVERIFY(std::abs(at.red() - wanted.red()) <= 3 && std::abs(at.blue() - wanted.blue()) <= 3);
        }
        QVERIFY(batch.rowFrame().contains(batch.cellRect(0, 2, 30)));
        QVERIFY(batch.columnFrame().contains(batch.cellRect(3, 0, 7).center()));
    }

    void theHandChooses() {
        ShownStream shown(QStringLiteral("vi-en-transformer"));
        QSignalSpy spy(&shown.view, &ResidualView::optionsChanged);
        const auto told = [&] {
            StageState state;
            shown.view.tellOptions(state);
            return state;
        };
        QTest::mouseClick(shown.view.words(), Qt::LeftButton, {}, shown.view.words()->chipRect(3).center().toPoint());
        QCOMPARE(told().residuals.word, 4);
        const QRectF bar = shown.view.profiles()->barRect(0, 30);
        QTest::mouseClick(shown.view.profiles(), Qt::LeftButton, {}, bar.center().toPoint());
        QCOMPARE(told().residuals.number, 31);
        QTest::keyClick(shown.view.profiles(), Qt::Key_Right);
        QCOMPARE(told().residuals.number, 32);
        const QPoint third(qRound(shown.view.chart()->xOf(3)), qRound(shown.view.chart()->yOf(0)));
        QTest::mouseClick(shown.view.chart(), Qt::LeftButton, {}, third);
        QCOMPARE(told().residuals.depth, 3);
        QTest::keyClick(shown.view.chart(), Qt::Key_End);
        QCOMPARE(told().residuals.depth, 6);
        QCOMPARE(spy.count(), 5);
        QVERIFY(fixture::shownText(shown.view).contains("Number 32 of 64"));
        QVERIFY(fixture::shownText(shown.view).contains("Decoder, layer 2, feed-forward. One word is 64 numbers."));
    }

    void whereThereIsNothingToShowItIsSaid() {
        ResidualView view;
        view.resize(1200, 700);
        view.show();
        view.setReading(nullptr, nullptr);
        QVERIFY(fixture::shownText(view).contains("No model is open"));
        view.setReading(fixture::openedModel(QStringLiteral("vi-en-transformer")), nullptr);
        QVERIFY(fixture::shownText(view).contains("Type a sentence"));
        const auto recurrent = fixture::openedModel(QStringLiteral("vi-en-gru"));
        view.setReading(recurrent, readSentence(*recurrent, residualViewSentence).trace);
        QVERIFY(fixture::shownText(view).contains("This model is recurrent: it has no residuals"));
        QVERIFY(!view.isBusy());
    }

    void aLongSentenceIsShownInPart() {
        QString text;
        for (int i = 0; i < 9; ++i)
            text += QStringLiteral("once there was a girl ");
        ShownStream shown(QStringLiteral("stories-transformer"), text.trimmed(), {1100, 640});
        shown.state([](StageState& s) { s.residuals.word = 40; });
        QVERIFY(shown.view.words()->rect().contains(shown.view.words()->chipRect(39).toRect()));
        const BatchColumns& batch = *shown.view.batch();
        QVERIFY(QRectF(batch.rect()).contains(batch.rowFrame()));
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestResidualView)
#include "test_residual_view.moc"
