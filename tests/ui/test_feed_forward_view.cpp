// SPDX-License-Identifier: GPL-3.0-or-later
// The feed-forward network as it is seen: cards, units, wires, sums, curve, words and contexts are the engine's
// numbers; another activation changes this picture alone, a muted unit what follows; and what is said where there is
// nothing.
#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "core/data/training_data.h"
#include "core/data/translate.h"
#include "tests/ui/drawn.h"
#include "tests/ui/opened.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/residual/units/activation_curve.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/views/residual/units/unit_contexts.h"
#include "ui/views/residual/units/unit_network.h"
#include "ui/views/residual/units/unit_word_bars.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

namespace {

using ops::Activation;

const QString feedForwardViewSentence = QStringLiteral("tôi đang học tiếng anh");

struct ShownUnits {
    explicit ShownUnits(const QString& name = QStringLiteral("vi-en-transformer"),
                        const QString& text = feedForwardViewSentence)
        : model(fixture::openedModel(name)),
          trace(text.isEmpty() ? fixture::traceOfIds(*model) : readSentence(*model, text).trace) {
        view.resize(1360, 800);
        view.setReading(model, trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs)) qFatal("the view is never shown");
        settle();
    }
    void settle() {
        if (!QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs))
            qFatal("the view is never ready");
    }
    /// “am” in the decoder's second layer, unit 83, and what is said else.
    void state(const std::function<void(StageState&)>& change = {}) {
        StageState state;
        state.feedForward.layer = 2;
        state.feedForward.word = 3;
        state.feedForward.unit = 83;
        if (change) change(state);
        view.showOptions(state);
        settle();
    }
    std::span<const float> row(const std::string& name, int index) const { return fixture::rowOf(*trace, name, index); }

    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;
    FeedForwardView view;
};

}  // namespace

class TestFeedForwardView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<ThemeManager>(qApp); }
    void init() { m_theme->setMode(ThemeManager::Mode::Light); }
    void cleanupTestCase() { m_theme.reset(); }

    void aCardSaysHowManyFireAndWhatIsWritten() {
        ShownUnits shown;
        shown.state();
        const fixture::Drawn drawn = fixture::drawn(*shown.view.cards());
        for (int word = 0; word < 5; ++word) {
            const auto active = shown.row("decoder.layers.1.ffn.activation", word);
            const auto fired = std::ranges::count_if(active, [](float value) { return value > 0; });
            QVERIFY(drawn.writes({QString::fromStdString(shown.trace->targetTokens[size_t(word)]),
                                  "writes " + QString::fromStdString(shown.trace->written(size_t(word))),
                                  QStringLiteral("%1 of 256 fire").arg(fired)}));
        }
    }

    /// Seven words have no room at 1280: those that have none are counted, and a click leads to them.
    void wordsWithoutRoomAreCounted() {
        ShownUnits shown(QStringLiteral("stories-transformer"), QStringLiteral("once there was a little girl"));
        UnitCards& cards = *shown.view.cards();
        cards.resize(835, cards.height());
        QVERIFY(fixture::drawn(cards).texts().contains("+2"));
        QSignalSpy spy(&cards, &UnitCards::wordChosen);
        QTest::mouseClick(&cards, Qt::LeftButton, {}, QPoint(cards.width() - 5, 40));
        QCOMPARE(spy.value(0).value(0).toInt(), 5);
    }

    /// What is cut off adds nothing: no line leaves it, and it is said.
    void aUnitThatIsCutOffAddsNothing() {
        ShownUnits shown;
        const auto active = [&] { return shown.view.picture()->activeRow(0); };
        for (const bool fires : {false, true}) {
            const std::vector<double> row = active();
            const auto unit = std::ranges::find_if(row, [&](double value) { return (value != 0) == fires; });
            QVERIFY(unit != row.end());
            shown.state([&](StageState& state) {
                state.feedForward.layer = 1;
                state.feedForward.word = 1;
                state.feedForward.unit = static_cast<int>(unit - row.begin()) + 1;
            });
            QCOMPARE(fixture::drawn(*shown.view.network()).mentions("it adds nothing"), !fires);
        }
    }

    void aUnitsColourIsItsActivation() {
        for (const auto mode : {ThemeManager::Mode::Light, ThemeManager::Mode::Dark}) {
            ShownUnits shown;
            shown.state();
            m_theme->setMode(mode);
            const auto active = shown.row("decoder.layers.1.ffn.activation", 2);
            UnitNetwork& network = *shown.view.network();
            const QImage image = network.grab().toImage();
            const double most = shown.view.picture()->most();
            for (int unit = 0; unit < 256; ++unit) {
                // The row of the chosen one has its wire across.
                if (unit / 16 == 82 / 16) continue;
                const QPointF at = network.unitRect(unit).center();
                QCOMPARE(image.pixelColor((at * image.devicePixelRatio()).toPoint()),
                         Theme::of(&network).sequential(double(active[size_t(unit)]) / most));
            }
        }
    }

    void stripsAndWiresAreTheVectors() {
        ShownUnits shown;
        shown.state();
        UnitNetwork& network = *shown.view.network();
        const auto x = shown.row("decoder.layers.1.norm2", 2), out = shown.row("decoder.layers.1.ffn.output", 2);
        const double most = network.stripMost();
        const QImage image = network.grab().toImage();
        for (int number = 0; number < 64; ++number) {
            const auto near = [&](const QRectF& cell, float value) {
                const QColor at =
                    image.pixelColor(((cell.topLeft() + QPointF(10, 2)) * image.devicePixelRatio()).toPoint());
                const QColor wanted = Theme::of(&network).diverging(double(value), most);
                return std::abs(at.red() - wanted.red()) < 4 && std::abs(at.blue() - wanted.blue()) < 4;
            };
            QVERIFY(near(network.inRect(number), x[size_t(number)]));
            QVERIFY(near(network.outRect(number), out[size_t(number)]));
        }
        const UnitWeights weights = unitWeights(*shown.model, *shown.trace, shown.view.picture()->layer(), 82);
        const double a = double(shown.row("decoder.layers.1.ffn.activation", 2)[82]);
        for (const UnitNetwork::Wire& wire : network.wiresIn())
            QVERIFY(std::abs(wire.value - double(x[size_t(wire.number)]) * double(weights.in[size_t(wire.number)])) <
                    1e-9);
        for (const UnitNetwork::Wire& wire : network.wiresOut())
            QVERIFY(std::abs(wire.value - a * double(weights.out[size_t(wire.number)])) < 1e-9);
        QVERIFY(network.wiresIn().size() > 20);
    }

    void sumsFallFromLeftToRight() {
        ShownUnits shown;
        shown.state();
        const auto hidden = shown.row("decoder.layers.1.ffn.hidden", 2);
        const UnitNetwork& network = *shown.view.network();
        int below = 0;
        for (int unit = 0; unit < 256; ++unit) {
            below += hidden[size_t(unit)] <= 0;
            for (const int other : {0, 82, 200})
                if (network.sumRect(unit).left() < network.sumRect(other).left())
                    QVERIFY(hidden[size_t(unit)] >= hidden[size_t(other)]);
        }
        const double scale = network.sumRect(82).height() / double(std::abs(hidden[82]));
        QVERIFY(std::abs(network.sumRect(10).height() - scale * double(std::abs(hidden[10]))) < 1e-3);
        QCOMPARE(network.belowZero(), QStringLiteral("%1 units below zero: cut off").arg(below));
        const auto [least, most] = std::ranges::minmax(hidden);
        QVERIFY(
            fixture::drawn(*shown.view.network())
                .mentions(
                    QStringLiteral("from %1 down to %2").arg(formatNumber(double(most)), formatNumber(double(least)))));
    }

    void sortedTheStrongestComeFirst() {
        ShownUnits shown;
        shown.state([](StageState& s) { s.feedForward.order = UnitOrder::Sorted; });
        const auto hidden = shown.row("decoder.layers.1.ffn.hidden", 2);
        const UnitNetwork& network = *shown.view.network();
        const auto strongest = std::ranges::max_element(hidden) - hidden.begin();
        for (int unit = 0; unit < 256; ++unit)
            if (unit != strongest) {
                const QRectF at = network.unitRect(unit), first = network.unitRect(int(strongest));
                QVERIFY(at.top() > first.top() || (at.top() == first.top() && at.left() > first.left()));
            }
    }

    void theCurveCarriesTheUnit() {
        ShownUnits shown;
        shown.state();
        const double sum = double(shown.row("decoder.layers.1.ffn.hidden", 2)[82]);
        const ActivationCurve& curve = *shown.view.curve();
        QCOMPARE(curve.point(), QPointF(curve.xOf(sum), curve.yOf(std::max(0.0, sum))));
        QCOMPARE(curve.compared(), Activation::Gelu);
        const double bias = unitWeights(*shown.model, *shown.trace, shown.view.picture()->layer(), 82).bias;
        QCOMPARE(curve.arithmetic(), formatNumber(sum - bias, 3) + (bias < 0 ? " − " : " + ") +
                                         formatNumber(std::abs(bias), 3) + " = " + formatNumber(sum, 3));
        QVERIFY(fixture::drawn(*shown.view.curve()).texts().contains(formatNumber(sum)));
    }

    void anotherActivationChangesThisPictureAlone() {
        ShownUnits shown;
        shown.state();
        const std::vector<double> before = shown.view.picture()->output(2);
        const QString said = shown.view.cards()->linesOf(2).front();
        shown.state([](StageState& s) { s.feedForward.activation = FeedForwardOptions::Activation::Gelu; });
        const UnitsPicture& picture = *shown.view.picture();
        const auto hidden = shown.row("decoder.layers.1.ffn.hidden", 2);
        for (const int unit : {0, 82, 199})
            QCOMPARE(picture.active(2, unit), activated(Activation::Gelu, double(hidden[size_t(unit)])));
        QVERIFY(picture.output(2) != before);
        QCOMPARE(shown.view.cards()->linesOf(2).front(), said);
        QVERIFY(
            fixture::shownText(shown.view).contains("drawn as if it had GELU; the words are those of its own ReLU"));
        QVERIFY(shown.view.network()->formula().contains("GELU("));
        QVERIFY(shown.view.network()->belowZero().contains("little of them passes"));
        shown.state([](StageState& s) {
            s.feedForward.activation = FeedForwardOptions::Activation::Relu;
        });  // its own, by name
        QVERIFY(!fixture::shownText(shown.view).contains("as if"));
    }

    void itsWordsAreTheEngines() {
        ShownUnits shown;
        shown.state();
        const std::vector<double> all = unitWords(*shown.model, *shown.trace, shown.view.picture()->layer(), 82);
        const auto best = std::ranges::max_element(all) - all.begin(),
                   worst = std::ranges::min_element(all) - all.begin();
        const std::vector<UnitWordBars::Bar> bars = shown.view.promoted()->shown();
        QVERIFY(bars.size() >= 6);
        QCOMPARE(bars.front().word, QString::fromStdString(shown.model->target->vocabulary().token(int(best))));
        QCOMPARE(bars.front().value, all[size_t(best)]);
        const auto lowest = std::ranges::min_element(bars, {}, &UnitWordBars::Bar::value);
        QCOMPARE(lowest->value, all[size_t(worst)]);
        const fixture::Drawn drawn = fixture::drawn(*shown.view.promoted());
        for (const UnitWordBars::Bar& bar : bars) {
            QVERIFY(drawn.writes({bar.word, formatNumber(bar.value)}));
            QCOMPARE(bar.said, bar.word == "learning");
        }
    }

    void contextsAreThoseOfTheTestSet() {
        ShownUnits shown;
        shown.state();
        const FiringSurvey survey = surveyFiring(*shown.model, findTask("vi-en").corpus().test, 3);
        QCOMPARE(
            shown.view.firing()->text(),
            QStringLiteral("%1 of %2 test words").arg(formatCount(survey.fired(82)), formatCount(survey.words.size())));
        const auto& lines = shown.view.contexts()->lines();
        const std::vector<size_t> best = survey.strongest(82, UnitContexts::kLines);
        QCOMPARE(lines.size(), best.size());
        for (size_t i = 0; i < best.size(); ++i) {
            const auto& [in, at] = survey.words[best[i]];
            QCOMPARE(lines[i].value, double(survey.at(best[i], 82)));
            QCOMPARE(lines[i].words.last(), QString::fromStdString(survey.sentences[size_t(in)].words[size_t(at)]));
            QCOMPARE(lines[i].next, QString::fromStdString(survey.sentences[size_t(in)].written[size_t(at)]));
        }
        QVERIFY(fixture::drawn(*shown.view.contexts()).writes({formatNumber(lines[0].value)}));
    }

    void textOfTheReadersOwnIsFoundAgainOrSaidToBeMissing() {
        QTemporaryDir folder;
        const QString path = folder.filePath("own.tsv"), saved = folder.filePath("own.safetensors");
        const auto write = [&](const char* more) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            for (const SentencePair& pair : findTask("vi-en").corpus().test)
                file.write(QByteArray::fromStdString(pair.source + '\t' + pair.target + more + '\n'));
        };
        write("");
        TrainedModel model = *fixture::openedModel(QStringLiteral("vi-en-transformer"));
        model.training = TrainingStory(
            nlohmann::json{{"data", CorpusFiles{.pairs = path.toStdString()}.description()}, {"seed", 1}});
        saveModel(model, saved.toStdString());
        FeedForwardView view;
        ResidualView residual;
        view.resize(1360, 800);
        residual.resize(1360, 800);
        const auto open = [&] {
            const auto own = std::make_shared<const TrainedModel>(loadModel(saved.toStdString()));
            const auto trace = readSentence(*own, feedForwardViewSentence).trace;
            view.setReading(own, trace);
            residual.setReading(own, trace);
            view.show();
            residual.show();
            QTRY_VERIFY(!view.isBusy() && !residual.isBusy());
        };
        open();
        QVERIFY2(view.missingText()->text().isEmpty(), qPrintable(view.missingText()->text()));
        QVERIFY(view.firing()->text().contains("test words"));
        QVERIFY(view.contexts()->isVisible() && !view.contexts()->lines().empty());
        QVERIFY2(residual.batchNote()->text().isEmpty(), qPrintable(residual.batchNote()->text()));
        write(" more");
        open();
        QVERIFY2(view.missingText()->text().contains("own.tsv have changed"), qPrintable(view.missingText()->text()));
        QVERIFY(view.missingText()->isVisible() && !view.contexts()->isVisible());
        QVERIFY(residual.batchNote()->text().contains("own.tsv have changed"));
        QFile::remove(path);
        open();
        // The file is named; where it was looked for is a tip, as a path is long.
        const QString place = QDir::toNativeSeparators(folder.path());
        for (const QLabel* note : {view.missingText(), residual.batchNote()}) {
            QVERIFY2(note->text().contains("own.tsv, which was not found"), qPrintable(note->text()));
            QVERIFY2(!note->text().contains(place), qPrintable(note->text()));
            QVERIFY2(note->toolTip().contains(place), qPrintable(note->toolTip()));
        }
        // It comes back while the window is another's: whoever returns finds it read.
        write("");
        for (QWidget* each : {static_cast<QWidget*>(&view), static_cast<QWidget*>(&residual)}) {
            QEvent back(QEvent::WindowActivate);
            QCoreApplication::sendEvent(each, &back);
        }
        QTRY_VERIFY(!view.isBusy() && !residual.isBusy());
        QVERIFY2(view.missingText()->text().isEmpty(), qPrintable(view.missingText()->text()));
        QVERIFY(view.contexts()->isVisible() && !view.contexts()->lines().empty());
        QVERIFY2(residual.batchNote()->text().isEmpty(), qPrintable(residual.batchNote()->text()));
    }

    void mutedItSaysSoAndWhatBecomesOfTheWord() {
        ShownUnits shown;
        shown.state();
        const FeedForwardLayer layer = shown.view.picture()->layer();
        const Trace without = traceWithoutUnit(*shown.model, *shown.trace, layer, 82);
        const auto p = [&](const Trace& of) {
            const int learning = shown.model->target->vocabulary().find("learning");
            const TraceRecord& logProbs = of.at("log_probs");
            return std::exp(double(logProbs.values[size_t(2 * logProbs.dim(1) + learning)]));
        };
        const QString effect = formatNumber(p(*shown.trace), 3) + " → " + formatNumber(p(without), 3);
        QCOMPARE(shown.view.effect()->text(), effect);  // known before it is muted: the model is small
        QVERIFY(fixture::shownText(shown.view).contains("p(learning)"));
        QCOMPARE(shown.view.muteButton()->text(), QStringLiteral("Mute unit 83"));
        const auto says = [&] {
            return fixture::drawn(*shown.view.network()).mentions("Unit 83 is muted: FFN(x) is without it");
        };
        QVERIFY(!says());
        QTest::mouseClick(shown.view.muteButton(), Qt::LeftButton);
        shown.settle();
        StageState state;
        shown.view.tellOptions(state);
        QVERIFY(state.feedForward.muted);
        QVERIFY(says());
        QCOMPARE(shown.view.muteButton()->text(), QStringLiteral("Unmute unit 83"));
        QCOMPARE(shown.view.effect()->text(), effect);
        const std::vector<double> output = shown.view.picture()->output(2);
        const TraceRecord& made = without.at(layer.output);
        for (size_t d = 0; d < output.size(); ++d)
            QVERIFY(std::abs(output[d] - double(made.values[2 * output.size() + d])) < 1e-4);
        // Another unit is not muted with it.
        QTest::keyClick(shown.view.network(), Qt::Key_Right);
        shown.settle();
        QVERIFY(!fixture::drawn(*shown.view.network()).mentions("is muted"));
    }

    /// What is muted is a unit of one layer: its number in another is another unit.
    void anotherLayersUnitIsNotMuted() {
        ShownUnits shown;
        shown.state();
        QTest::mouseClick(shown.view.muteButton(), Qt::LeftButton);
        shown.settle();
        StageState state;
        shown.view.tellOptions(state);
        QVERIFY(state.feedForward.muted && state.feedForward.layer == 2);
        ComboBox* layers = shown.view.layers();
        QVERIFY(layers->count() > 2);
        const int at = layers->currentIndex();
        layers->setCurrentIndex(at - 1);
        emit layers->activated(at - 1);
        shown.settle();
        shown.view.tellOptions(state);
        QVERIFY(state.feedForward.layer == 1 && !state.feedForward.muted);
        QCOMPARE(shown.view.muteButton()->text(), QStringLiteral("Mute unit 83"));
        QVERIFY(!fixture::drawn(*shown.view.network()).mentions("is muted"));
        // Nor is it when the reader comes back.
        layers->setCurrentIndex(at);
        emit layers->activated(at);
        shown.settle();
        QVERIFY(!fixture::drawn(*shown.view.network()).mentions("is muted"));
    }

    void anEncodersUnitIsToldByTheWholeTranslation() {
        ShownUnits shown;
        shown.state([](StageState& s) { s.feedForward.stack = StageStack::Encoder; });
        QCOMPARE(shown.view.picture()->layer().stack, Stack::Encoder);
        QVERIFY(fixture::shownText(shown.view).contains("through cross-attention alone"));
        QVERIFY(fixture::shownText(shown.view).contains("p(translation)"));
        QVERIFY(!shown.view.promoted()->isVisible());
        QVERIFY(!fixture::drawn(*shown.view.cards()).mentions("writes"));
        QCOMPARE(shown.view.layers()->currentText(), QStringLiteral("Encoder, layer 2"));
    }

    void everyKindOfModelIsShown_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("fr-en-transformer") << QStringLiteral("je suis fatigué");
        QTest::newRow("stories-transformer") << QStringLiteral("once there was a little girl");
        QTest::newRow("sentiment-transformer") << QStringLiteral("the food was good");
        for (const char* name : {"gpt2", "bert", "bert_classifier", "bert_model", "bart", "marian", "t5"})
            QTest::newRow(name) << QString();
    }
    void everyKindOfModelIsShown() {
        QFETCH(QString, text);
        ShownUnits shown(QTest::currentDataTag(), text);
        const std::shared_ptr<UnitsPicture> picture = shown.view.picture();
        QVERIFY(picture);
        const TraceRecord& made = shown.trace->at(picture->layer().output);
        for (int row = 0; row < made.dim(0); ++row) {
            const std::vector<double> output = picture->output(row);
            for (size_t d = 0; d < output.size(); ++d)
                QVERIFY(std::abs(output[d] - double(made.values[size_t(row) * output.size() + d])) < 1e-3);
        }
        QVERIFY(fixture::drawn(*shown.view.cards()).mentions(QStringLiteral("of %1 fire").arg(picture->units())));
    }

    void whereThereIsNothingToShowItIsSaid() {
        FeedForwardView view;
        view.resize(1200, 700);
        view.show();
        view.setReading(nullptr, nullptr);
        QVERIFY(fixture::shownText(view).contains("No model is open"));
        view.setReading(fixture::openedModel(QStringLiteral("vi-en-transformer")), nullptr);
        QVERIFY(fixture::shownText(view).contains("Type a sentence"));
        const auto recurrent = fixture::openedModel(QStringLiteral("vi-en-gru"));
        view.setReading(recurrent, readSentence(*recurrent, feedForwardViewSentence).trace);
        QVERIFY(fixture::shownText(view).contains("This model has no feed-forward network"));
        const auto gated = fixture::openedModel(QStringLiteral("llama"));
        view.setReading(gated, fixture::traceOfIds(*gated));
        QVERIFY(fixture::shownText(view).contains("are gated"));
        QVERIFY(!view.picture() && !view.isBusy());
    }

    void theHandChooses() {
        ShownUnits shown;
        shown.state();
        QSignalSpy spy(&shown.view, &FeedForwardView::optionsChanged);
        const auto told = [&] {
            StageState state;
            shown.view.tellOptions(state);
            return state;
        };
        QTest::mouseClick(shown.view.cards(), Qt::LeftButton, {}, shown.view.cards()->cardRect(4).center().toPoint());
        QCOMPARE(told().feedForward.word, 5);
        QTest::mouseClick(shown.view.network(), Qt::LeftButton, {},
                          shown.view.network()->unitRect(200).center().toPoint());
        QCOMPARE(told().feedForward.unit, 201);
        QTest::keyClick(shown.view.network(), Qt::Key_Up);
        QCOMPARE(told().feedForward.unit, 201 - 16);
        const QRectF sum = shown.view.network()->sumRect(40);
        QTest::mouseClick(shown.view.network(), Qt::LeftButton, {},
                          QPointF(sum.center().x(), sum.center().y()).toPoint());
        QCOMPARE(told().feedForward.unit, 41);
        QTest::keyClick(shown.view.layers(), Qt::Key_Up);
        QCOMPARE(told().feedForward.layer, 1);
        QCOMPARE(told().feedForward.stack, StageStack::Decoder);
        QCOMPARE(spy.count(), 5);
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestFeedForwardView)
#include "test_feed_forward_view.moc"
