// SPDX-License-Identifier: GPL-3.0-or-later
// The laboratory of positions: the decks' own numbers, similarity by offset, and what is left without positions.
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/data/translate.h"
#include "core/io/model_file.h"
#include "core/nn/sinusoids.h"
#include "tests/foreign_folder.h"
#include "tests/ui/drawn.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/positions.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/turning_hands.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/value_strips.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

using namespace headlight;

class TestPositionView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        m_model = load("vi-en-transformer");
    }
    void cleanupTestCase() { m_theme.reset(); }

    void theDecksRowsComeOut() {
        const PositionTable table = sinusoids(5, 5, 100);
        const double first[] = {.84147096, .5403023, .15782665, .9874668, .02511622};
        const double fourth[] = {-.7568025, -.6536436, .5923377, .80568975, .10030649};
        for (int d = 0; d < 5; ++d) {
            QVERIFY(std::abs(double(table.at(1, d)) - first[d]) < 1e-6);
            QVERIFY(std::abs(double(table.at(4, d)) - fourth[d]) < 1e-6);
        }
    }

    void similarityDependsOnTheOffsetAlone() {
        const PositionTable table = sinusoids(40, 20, 10000);
        const std::vector<double> similarity = similarityByOffset(table, 10);
        QCOMPARE(similarity.size(), size_t(21));
        QVERIFY(std::abs(similarity[10] - 1) < 1e-9);
        for (int k = 1; k <= 10; ++k) {
            double product = 0;
            for (int d = 0; d < 20; ++d)
                product += double(table.at(7, d)) * double(table.at(7 + k, d));
            QVERIFY(std::abs(similarity[size_t(10 + k)] - product / 10) < 1e-5);  // d/2 = 10
            QVERIFY(std::abs(similarity[size_t(10 + k)] - similarity[size_t(10 - k)]) < 1e-9);
        }
    }

    void theHeatmapShowsTheTableAndACellItsArithmetic() {
        PositionView view;
        view.resize(1376, 740);
        view.show();
        view.setSinusoids(40, 20, 10000);
        QCOMPARE(view.heatmap()->data().values, view.table().values);
        QCOMPARE(view.heatmap()->data().columns, 20);
        view.chooseCell(10, 4);
        bool told = false;
        for (const QLabel* label : view.findChildren<QLabel*>())
            told = told || (label->text().contains("6.3096") && label->text().contains("0.9999"));
        QVERIFY(told);  // n^(4/20) = 6.3096, sin(10 / 6.3096) = 0.9999
        QCOMPARE(view.curves()->lines().front()[10].y(), double(view.table().at(10, 4)));
        QCOMPARE(view.similarity()->bars().size(), size_t(41));
    }

    void slidersTurnTheTable() {
        PositionView view;
        view.show();
        const auto sliders = view.findChildren<Slider*>().first(3);  // the fourth turns the hands
        const std::vector<float> before = view.table().values;
        for (Slider* slider : sliders) {
            QTest::keyClick(slider, Qt::Key_Home);
            QVERIFY(view.table().values != before);
        }
        QCOMPARE(view.table().width, 2);
        QCOMPARE(view.table().length, 5);
    }

    /// R_k is the same from wherever it begins, and turns one row of the table into the one k on: of every pair, of
    /// both layouts.
    void anOffsetTurnsEveryHandByTheSameMatrix() {
        for (const SinusoidLayout layout : {SinusoidLayout::Interleaved, SinusoidLayout::Halves}) {
            const std::vector<float> table = sinusoidalTable(40, 7, 100, layout);
            const auto first = positionTurns(7, 100, layout, 0, 5), later = positionTurns(7, 100, layout, 30, 5);
            QCOMPARE(later.size(), size_t(3));
            for (size_t pair = 0; pair < 3; ++pair) {
                QVERIFY(first[pair].rotation == later[pair].rotation);
                const PositionTurn::Pair turned = later[pair].turned();
                QVERIFY(std::abs(turned[0] - double(table[size_t(35 * 7 + later[pair].sine)])) < 1e-6);
                QVERIFY(std::abs(turned[1] - double(table[size_t(35 * 7 + later[pair].cosine)])) < 1e-6);
            }
        }
    }

    void theHandsAndTheirMatrixAreDrawn() {
        PositionView view;
        view.resize(1376, 740);
        view.setSinusoids(40, 20, 10000);
        view.showHands(true, 4);
        view.chooseCell(10, 4);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        const TurningHands& hands = *view.hands();
        QCOMPARE(hands.chosen(), 2);
        QCOMPARE(hands.drawn().size(), size_t(10));
        const double w = std::pow(10000, -4.0 / 20);
        const auto text = [](double value) { return formatNumber(value, 4); };
        const QStringList written = {text(std::sin(14 * w)), text(std::cos(14 * w)), text(std::cos(4 * w)),
                                     text(std::sin(4 * w)),  text(-std::sin(4 * w)), text(std::cos(4 * w)),
                                     text(std::sin(10 * w)), text(std::cos(10 * w))};
        QCOMPARE(hands.equation(), written);
        const PositionTurn::Pair product = hands.turns()[2].turned();
        QCOMPARE(text(product[0]), written[0]);
        QCOMPARE(text(product[1]), written[1]);
        QTemporaryDir folder;
        const QStringList drawn = textsOf(*view.hands(), folder.filePath("hands.svg"));
        for (const QString& number : written)
            QVERIFY2(drawn.contains(number), qPrintable(number));
        // The sine goes right, the cosine up; both hands leave their ink where they end.
        const QPointF middle = hands.centre(2), tip = hands.tip(2, hands.turns()[2].from);
        QVERIFY(std::abs((tip.x() - middle.x()) / hands.radius() - std::sin(10 * w)) < 1e-6);
        QVERIFY(std::abs((middle.y() - tip.y()) / hands.radius() - std::cos(10 * w)) < 1e-6);
        const QImage picture = view.hands()->grab().toImage();
        const QPointF along = middle + (tip - middle) * 0.7;
        const QColor ink = picture.pixelColor((along * picture.devicePixelRatio()).toPoint());
        QVERIFY2(contrast(ink, Theme::light().sunken) > 7, qPrintable(ink.name()));
    }

    void keysGoFromHandToHandAndTheSliderTurnsThem() {
        PositionView view;
        view.resize(1376, 740);
        view.setSinusoids(40, 20, 10000);
        view.showHands(true, 4);
        view.chooseCell(10, 4);
        view.show();
        QTest::keyClick(view.hands(), Qt::Key_Right);
        QCOMPARE(view.heatmap()->locked().column, 6);
        const auto before = view.hands()->equation();
        QTest::keyClick(view.findChildren<Slider*>().at(3), Qt::Key_Right);
        QVERIFY(view.hands()->equation() != before);
        QVERIFY2(view.hands()->accessibleDescription().contains("position 15"),
                 qPrintable(view.hands()->accessibleDescription()));
        view.setReading(load("fr-en-transformer"), {});  // it learned its table
        QVERIFY(view.hands()->turns().empty());
        QVERIFY(view.hands()->accessibleDescription().contains("No angle"));
    }

    void aModelsOwnTableIsItsWeights() {
        const auto french = load("fr-en-transformer");
        const PositionTable own = positionsOf(*french);
        QCOMPARE(own.width, french->network->config().dModel);
        const Session::Reading reading = readSentence(*french, QStringLiteral("le gros chien rouge"));
        const TraceRecord& used = reading.trace->at("encoder.positional_encoding");
        for (int p = 0; p < used.dim(0); ++p)
            for (int d = 0; d < own.width; ++d)
                QCOMPARE(own.at(p, d), used.values[size_t(p * own.width + d)]);
        QCOMPARE(positionsOf(*load("vi-en-gru")).length, 0);
    }

    void wordAndPositionAddUpToTheInput() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh"));
        PositionView view;
        view.setReading(m_model, reading.trace);
        const auto& strips = view.findChild<ValueStrips*>()->strips();
        QCOMPARE(strips.size(), size_t(3));
        for (size_t i = 0; i < strips[0].values.size(); ++i)
            QVERIFY(std::abs(strips[0].values[i] + strips[1].values[i] - strips[2].values[i]) < 1e-5f);
    }

    void withoutPositionsTheOrderOfTheWordsIsLost() {
        const auto deaf = withoutPositions(*m_model);
        QVERIFY(deaf);
        const auto encoderOutput = [](const TrainedModel& model, const char* text) {
            const Trace trace = traceSentence(model, text, "i");
            return std::pair(trace.at("encoder.output").values, trace.at("encoder.output").dim(1));
        };
        // Without them the encoder's rows are the same whatever the order; with them they are not.
        const auto same = [&](const TrainedModel& model) {
            const auto [there, width] = encoderOutput(model, "tôi yêu bạn");
            const auto back = encoderOutput(model, "bạn yêu tôi").first;
            double worst = 0;
            for (int d = 0; d < width; ++d)
                worst = std::max(worst, std::abs(double(there[size_t(d)] - back[2 * size_t(width) + size_t(d)])));
            return worst < 1e-4;
        };
        QVERIFY(same(*deaf));
        QVERIFY(!same(*m_model));
        PositionView view;
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        view.setReading(m_model, reading.trace);
        view.shuffleWords();
        QVERIFY2(view.isBusy(), "the window is not held by three translations");
        QTRY_VERIFY(!view.isBusy());
        bool told = false;
        for (const QLabel* label : view.findChildren<QLabel*>())
            told = told || label->text().contains("Without positions");
        QVERIFY(told);
    }

    /// All sines, then all cosines: said, drawn first, and worked out.
    void aTableInHalvesIsNamedAndShown() {
        const auto [model, reading] = foreign("marian");
        PositionView view;
        view.setReading(model, reading.trace);
        QVERIFY(says(view, "all sines, then all cosines, d = 16"));
        QVERIFY(says(view, "PE<sub>pos, d/2+i</sub> = cos"));
        QCOMPARE(view.table().width, 16);
        const TraceRecord& added = reading.trace->at("encoder.positional_encoding");
        for (int p = 0; p < added.dim(0); ++p)
            for (int d = 0; d < 16; ++d)
                QCOMPARE(view.table().at(p, d), added.values[size_t(p * 16 + d)]);
        view.chooseCell(3, 9);  // the second cosine: cos(3 / 10,000^(2/16))
        QVERIFY(says(view, "position 3, dimension 9, so i = 1"));
        QVERIFY(says(view, qPrintable(QStringLiteral("<b>%1</b>")
                                          .arg(std::cos(3 / std::pow(10000, 2.0 / 16)), 0, 'f', 4)
                                          .replace(u'-', u'−'))));
        QVERIFY(std::abs(double(view.table().at(3, 9)) - std::cos(3 / std::pow(10000, 2.0 / 16))) < 1e-6);
    }

    void modelsOfOneStackShowWhatTheyAddToAWord() {
        for (const char* name : {"gpt2_by_layer", "bert", "distilbert"}) {
            const auto [model, reading] = foreign(name);
            PositionView view;
            view.resize(1376, 740);
            view.show();
            view.setReading(model, reading.trace);
            const auto& strips = view.findChild<ValueStrips*>()->strips();
            QCOMPARE(strips.size(), size_t(std::string_view(name) == "bert" ? 4 : 3));
            for (size_t i = 0; i < strips[0].values.size(); ++i) {
                float sum = 0;
                for (size_t part = 0; part + 1 < strips.size(); ++part)
                    sum += strips[part].values[i];
                QVERIFY(std::abs(sum - strips.back().values[i]) < 1e-5F);
            }
        }
    }

    void modelsWithoutATableSayWhatTheyDo() {
        for (const auto& [name, words] :
             {std::pair("t5", "adds a learned number to a score"), std::pair("llama", "turns its queries and keys")}) {
            const auto [model, reading] = foreign(name);
            PositionView view;
            view.resize(1376, 740);
            view.show();
            view.setReading(model, reading.trace);
            QVERIFY(says(view, words));
            QVERIFY2(!view.findChild<SegmentedControl*>()->isVisible(), "there is no table of its own to choose");
            QVERIFY(view.findChild<ValueStrips*>()->strips().empty());
        }
    }

    void theCurvesAndTheOffsetAreNamed() {
        PositionView view;
        view.setSinusoids(40, 20, 10000);
        view.chooseCell(10, 4);
        QCOMPARE(view.curves()->names().size(), 4);
        QCOMPARE(view.curves()->names().front(), QStringLiteral("4"));
        QCOMPARE(view.similarity()->axisTitle(), QStringLiteral("offset k"));
        QVERIFY(says(view, "1 at k = 0"));
    }

private:
    static QStringList textsOf(QWidget& widget, const QString& path) {
        {
            QSvgGenerator generator;
            generator.setFileName(path);
            generator.setSize(widget.size());
            QPainter painter(&generator);
            widget.render(&painter);
        }
        return fixture::Drawn(path).texts();
    }
    static bool says(const QWidget& view, const char* words) {
        return std::ranges::any_of(view.findChildren<QLabel*>(), [words](const QLabel* label) {
            return label->text().contains(QString::fromUtf8(words));
        });
    }
    std::pair<std::shared_ptr<const TrainedModel>, Session::Reading> foreign(const char* name) {
        const fixture::ForeignWithWords& wanted = fixture::foreignWithWords(name);
        const QString folder = m_folder.filePath(QLatin1String(name));
        fixture::writeForeign(wanted, folder.toStdString());
        auto model = openTrainedModel(folder);
        Session::Reading reading = readSentence(*model, QString::fromUtf8(wanted.text));
        return {std::move(model), std::move(reading)};
    }

    QTemporaryDir m_folder;
    static std::shared_ptr<const TrainedModel> load(const char* name) {
        return std::make_shared<const TrainedModel>(
            loadModel(std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") + name + ".safetensors"));
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
};

QTEST_MAIN(TestPositionView)
#include "test_position_view.moc"
