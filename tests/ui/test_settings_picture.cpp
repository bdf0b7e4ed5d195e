// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run as what they make: the model by its parameters, the learning rate, the share of true words.
#include <QTest>
#include <algorithm>

#include "tests/ui/calm_window.h"
#include "ui/session/format/number_format.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/views/train/settings_picture.h"
#include "ui/views/train/training_settings.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/time/plain_chart.h"

using namespace headlight;

namespace {

long drawn(const ModelBlueprint& blueprint) {
    long sum = 0;
    for (const ModelBlueprint::Row& row : blueprint.rows())
        sum += row.count();
    return sum;
}

}  // namespace

class TestSettingsPicture : public QObject {
    Q_OBJECT
private slots:
    void init() { m_theme = fixture::calmTheme(m_folder); }
    void cleanup() { m_theme.reset(); }

    void theModelIsDrawnWithTheParametersThatItsConfigurationHas_data() {
        QTest::addColumn<int>("kind");
        for (const int kind : {0, 1, 2, 3, 4, 5})
            QTest::addRow("kind %d", kind) << kind;
    }
    void theModelIsDrawnWithTheParametersThatItsConfigurationHas() {
        QFETCH(int, kind);
        TrainingSettings settings;
        QVERIFY(settings.picture()->says().contains(QStringLiteral("depends on the words")));
        QCOMPARE(drawn(*settings.picture()->blueprint()), 0L);
        settings.model()->setCurrentIndex(kind);
        settings.setWords(std::array{300, 200});
        const auto expected = [&] {
            TrainingSetup setup;
            settings.apply(setup);
            setup.config.sourceVocabSize = 300;
            setup.config.targetVocabSize = 200;
            return static_cast<long>(setup.config.weightCount());
        };
        const long middle = expected();
        QCOMPARE(drawn(*settings.picture()->blueprint()), middle);
        QVERIFY2(settings.picture()->says().startsWith(formatCount(middle)), qPrintable(settings.picture()->says()));
        settings.setSize(TrainingSettings::Size::Large);
        QVERIFY(expected() > middle);
        QCOMPARE(drawn(*settings.picture()->blueprint()), expected());
    }

    void theRateIsThatOfTheSchedule() {
        TrainingSettings settings;
        settings.setSteps(10);
        TrainingSetup setup;
        settings.apply(setup);
        const Schedule schedule = setup.options.scheduleFor(setup.config);
        const auto& lines = settings.picture()->rate()->lines();
        QCOMPARE(lines.size(), size_t{1});
        QCOMPARE(lines[0].back().x(), 1000.0);
        for (const QPointF& point : lines[0])
            QCOMPARE(point.y(), schedule.at(static_cast<long>(point.x())));
    }

    void theShareOfTrueWordsGoesFromTheFirstStepToTheLast() {
        TrainingSettings settings;
        settings.forcingEnd()->setValue(40);
        QCOMPARE(settings.picture()->forcing()->lines()[0].front(), QPointF(1, 1));
        QCOMPARE(settings.picture()->forcing()->lines()[0].back(), QPointF(settings.steps(), 0.4));
    }

    /// Of a task nobody has read yet, the words are counted as the run will count them.
    void whatIsDrawnIsWhatTheRunBuilds() {
        fixture::CalmWindow calm({1440, 900});
        calm.window->stage().apply(stageFromLink("headlight:training-settings?task=reverse"));
        QTRY_VERIFY(calm.window->stage().isSettled());
        const auto* settings = calm.window->rooms().find<TrainRoom>()->findChild<TrainingSettings*>();
        const long shown = drawn(*settings->picture()->blueprint());
        QVERIFY(shown > 0);
        calm.window->stage().apply(stageFromLink("headlight:training?task=reverse&train=1"));
        QTRY_VERIFY(calm.window->stage().isSettled());
        const auto& facts = calm.window->workbench().training.facts();
        long built = 0;
        for (const auto& [module, count] : facts.parameters)
            built += count;
        QCOMPARE(shown, built);
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestSettingsPicture)
#include "test_settings_picture.moc"
