// SPDX-License-Identifier: GPL-3.0-or-later
// Costs: the numbers of the decks, and parameters that add up.
#include <QTableWidget>
#include <QTest>
#include <QValueAxis>

#include "core/io/model_file.h"
#include "ui/session/trace/cost.h"
#include "ui/views/models/cost_view.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

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
        const auto operations = [](double n) {
            std::vector<double> result;
            for (const LayerCost& cost : layerCosts(n, 1000, 3))
                result.push_back(cost.operations);
            return result;
        };
        QCOMPARE(operations(100), (std::vector<double>{1e8, 3e8, 1e7, 4.2e8}));
        QCOMPARE(operations(1000)[0], 1e9);
        QCOMPARE(operations(1000)[1], 3e9);
        QCOMPARE(operations(1000)[2], 1e9);
    }

    void theTableAndTheChartFollowTheSliders() {
        CostView view;
        view.setSizes(100, 1000, 3);
        QCOMPARE(view.costs()->item(0, 1)->text(), QStringLiteral("1.0e8"));
        QCOMPARE(view.costs()->item(3, 1)->text(), QStringLiteral("4.2e8"));
        QCOMPARE(view.costs()->item(0, 2)->text(), QStringLiteral("100"));
        view.setSizes(1000, 1000, 3);
        QCOMPARE(view.costs()->item(2, 1)->text(), QStringLiteral("1.0e9"));
        const auto& line = view.chart()->lines()[0];
        QVERIFY(std::abs(line.back().y() - line.back().x() * 1e6 / 1e9) < 1e-9);
    }

    void noTwoTicksOfAnAxisBearTheSameNumber() {
        CostView view;
        for (const int width : {64, 512, 1000}) {
            view.setSizes(50, width, 3);
            for (const QAbstractAxis* axis : view.chart()->chart()->axes(Qt::Vertical)) {
                const auto* values = qobject_cast<const QValueAxis*>(axis);
                const QByteArray format = values->labelFormat().toUtf8();
                QStringList labels;
                for (double tick = 0; tick <= values->max(); tick += values->tickInterval())
                    labels << QString::asprintf(format.constData(), tick);
                QVERIFY(labels.size() >= 3);
                QCOMPARE(labels.removeDuplicates(), 0);
            }
        }
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
