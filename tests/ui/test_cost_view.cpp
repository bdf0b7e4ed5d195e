// SPDX-License-Identifier: GPL-3.0-or-later
// Costs: the numbers of the decks, and parameters that add up.
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include "core/io/model_file.h"
#include "ui/session/trace/cost.h"
#include "ui/views/models/cost/cost_bars.h"
#include "ui/views/models/cost/cost_view.h"
#include "ui/views/models/cost/growth_chart.h"
#include "ui/views/models/cost/weight_blocks.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

class TestCostView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void theDecksNumbersComeOut() {
        const auto operations = [](int n) {
            std::vector<double> result;
            for (const LayerCost& cost : layerCosts(n, 1000, 3, Layering::Dilated))
                result.push_back(cost.operations);
            return result;
        };
        QCOMPARE(operations(100), (std::vector<double>{1e8, 3e8, 1e7, 4.1e8}));
        QCOMPARE(operations(1000)[0], 1e9);
        QCOMPARE(operations(1000)[1], 3e9);
        QCOMPARE(operations(1000)[2], 1e9);
        QCOMPARE(layerCosts(100, 1000, 3, Layering::Dilated)[1].pathLength, 5.0);
    }

    void theMessageArrivesAfterExactlyAsManyLayersAsAreCounted() {
        for (const Layering layering : {Layering::Dilated, Layering::Plain})
            for (int kernel = 2; kernel <= 9; ++kernel)
                for (int words = 2; words <= 300; ++words) {
                    const int layers = convolutionLayers(words, kernel, layering);
                    const std::vector<int> way = convolutionWay(words, kernel, layering);
                    QCOMPARE(std::ssize(way), layers + 1);
                    QCOMPARE(way.front(), 0);
                    QCOMPARE(way.back(), words - 1);
                    int reach = 0;
                    for (int layer = 1; layer <= layers; ++layer) {
                        const int step = way[size_t(layer)] - way[size_t(layer) - 1],
                                  spacing = spacingOf(layer, kernel, layering);
                        QVERIFY(step >= 0 && step % spacing == 0 && step / spacing < kernel);
                        if (layer < layers) reach += spacing * (kernel - 1);
                    }
                    QVERIFY2(reach < words - 1, "one layer fewer would not have been enough");
                }
    }

    void anLstmTranslatorWeighsWhatTheDecksSay() {
        const auto total = [](int biases) {
            long sum = 0;
            for (const WeightBlock& block : weightBlocks({16055, 36256, 200, 256, biases}))
                sum += block.count();
            return sum;
        };
        QCOMPARE(total(1), 20715928L);
        QCOMPARE(total(2), 20717976L);
    }

    void everyPictureFollowsTheSizes() {
        CostView view;
        view.resize(1200, 800);
        view.show();
        view.setSizes(100, 1000, 3, Layering::Dilated);
        using Kind = TravelPicture::Kind;
        QCOMPARE(view.bars(Kind::Recurrence)->rows()[0].text, QStringLiteral("100"));
        QCOMPARE(view.bars(Kind::Convolution)->rows()[0].text, QStringLiteral("5"));
        QCOMPARE(view.bars(Kind::Attention)->rows()[2].text, QStringLiteral("10⁷"));
        QCOMPARE(view.picture(Kind::Convolution)->way().size(), qsizetype{6});
        QCOMPARE(view.picture(Kind::Recurrence)->way().size(), qsizetype{200});
        view.setSizes(100, 1000, 3, Layering::Plain);
        QCOMPARE(view.picture(Kind::Convolution)->way().size(), qsizetype{51});
        view.setSizes(1000, 1000, 3, Layering::Dilated);
        QCOMPARE(view.picture(Kind::Convolution)->dots(), TravelPicture::kMostDots);
        QCOMPARE(view.bars(Kind::Convolution)->rows()[0].text, QStringLiteral("7"));
    }

    void theAmberLineIsDraggedToAsManyWords() {
        CostView view;
        view.resize(1200, 800);
        view.show();
        view.setSizes(100, 512, 3, Layering::Dilated);
        QSignalSpy changed(&view, &CostView::optionsChanged);
        const QPoint at(qRound(view.chart()->xOf(2000)), 60);
        QTest::mouseClick(view.chart(), Qt::LeftButton, {}, at);
        StageState state;
        view.tellOptions(state);
        QVERIFY2(std::abs(state.cost.words - 2000) < 60, qPrintable(QString::number(state.cost.words)));
        QCOMPARE(changed.size(), 1);
        // Where attention alone takes what the RNN takes, both lines meet.
        QCOMPARE(view.chart()->yOf(layerCosts(512, 512, 3, Layering::Dilated)[0].operations),
                 view.chart()->yOf(layerCosts(512, 512, 3, Layering::Dilated)[2].operations));
    }

    void anAreaIsSoManyParameters() {
        CostView view;
        StageState state;
        state.cost.model = CostOptions::Model::Lstm;
        view.resize(1200, 800);
        view.show();
        view.showOptions(state);
        QCoreApplication::sendPostedEvents();
        const std::vector<WeightBlock> blocks = weightBlocks({16055, 36256, 200, 256, 1});
        const auto density = [&](size_t i) {
            const QRectF area = view.blocks()->areaOf(i);
            return static_cast<double>(blocks[i].count()) / (area.width() * area.height());
        };
        for (size_t i = 1; i < blocks.size(); ++i)
            QVERIFY(std::abs(density(i) / density(0) - 1) < 1e-9);
        QCOMPARE(view.blocks()->total(), 20715928L);
    }

    void partsAddUpToTheModel() {
        for (const char* name : {"vi-en-transformer", "vi-en-gru", "sentiment-transformer"}) {
            const auto model = std::make_shared<const TrainedModel>(
                loadModel(std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") + name + ".safetensors"));
            long total = 0;
            for (const ModulePart& part : parametersByPart(*model))
                total += part.parameters;
            QCOMPARE(size_t(total), std::as_const(*model->network).parameters().count());
            CostView view;
            view.setModel(model);
            QVERIFY(view.parts()->rowCount() >= 4);
        }
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestCostView)
#include "test_cost_view.moc"
