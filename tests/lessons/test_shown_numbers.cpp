// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of a lesson writes and what it shows come from one state: its model, its sentence, its head, its muted
// heads. Both are compared with what the engine computes from the model file.
#include <QTest>

#include "core/data/translate.h"
#include "core/lessons/inline_markup.h"
#include "tests/ui/calm_window.h"
#include "tests/ui/fixture.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/views/values/values_view.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

namespace {

const std::string kValue = "decoder.layers.1.cross_attn.weights";

/// A step of a lesson, as its file says it.
struct Step {
    const char* model;
    const char* source;
    int head;
    std::vector<std::string> mute;
};

const std::vector<Step> kSteps = {
    {"vi-en-transformer", "tôi đang học tiếng anh", 1, {}},
    {"vi-en-transformer", "tôi đang học tiếng anh", 3, {}},
    {"vi-en-transformer", "tôi yêu bạn", 8, {}},
    {"vi-en-transformer", "tôi yêu bạn", 8, {"decoder.layers.0.cross_attn.1", "encoder.layers.0.self_attn.4"}},
    {"fr-en-transformer", "je suis un étudiant", 2, {}},
    {"vi-en-transformer", "tôi đang học tiếng anh", 2, {"decoder.layers.0.cross_attn.0"}},
};

QByteArray lessonText() {
    QByteArray text = "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n";
    for (const Step& step : kSteps) {
        QStringList mute;
        for (const std::string& head : step.mute)
            mute << QString::fromStdString(head);
        text += QStringLiteral(
                    "## Step\n\nIt is {{%1[%2,2,1]:6}}.\n\n```stage\nview: values\nmodel: %3\nsource: %4\n"
                    "focus: %1\nhead: %2\nmute: %5\n```\n\n")
                    .arg(QString::fromStdString(kValue))
                    .arg(step.head)
                    .arg(QLatin1String(step.model), QString::fromUtf8(step.source),
                         mute.isEmpty() ? QStringLiteral("none") : mute.join(QLatin1String(", ")))
                    .toUtf8();
    }
    return text;
}

/// The step's head, by the engine alone.
std::vector<float> computed(const Step& step) {
    const auto model = fixture::shippedModel(QString::fromLatin1(step.model));
    const Trace trace = traceSentence(*model, step.source, {}, parseMutedHeads(step.mute, *model->network));
    const auto head = trace.at(kValue).head(step.head - 1);
    return {head.begin(), head.end()};
}

}  // namespace

class TestShownNumbers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        QVERIFY(m_calm->beginLesson(QStringLiteral("shown"), lessonText()));
        QCOMPARE(player().steps(), static_cast<int>(kSteps.size()));
    }
    void cleanupTestCase() { m_calm.reset(); }

    void aStepShowsTheHeadOfItsModelAndSentence_data() { everyStep(); }
    void aStepShowsTheHeadOfItsModelAndSentence() {
        QFETCH(int, step);
        show(step);
        const std::vector<float> expected = computed(kSteps[static_cast<size_t>(step)]);
        auto* values = m_calm->window->rooms().find<ExploreRoom>()->values();
        const auto matrices = values->findChildren<MatrixView*>();
        QVERIFY(std::ranges::any_of(matrices, [&](const MatrixView* matrix) {
            return matrix->isVisible() && matrix->data().values == expected;
        }));
    }

    void numbersInATextAreThoseOnTheStageMutedHeadsIncluded_data() { everyStep(); }
    void numbersInATextAreThoseOnTheStageMutedHeadsIncluded() {
        QFETCH(int, step);
        show(step);
        const Step& it = kSteps[static_cast<size_t>(step)];
        const Trace& shown = *m_calm->window->workbench().session.reading()->trace;
        const int columns = shown.at(kValue).shape.back();
        const auto stage = static_cast<double>(shown.at(kValue).head(it.head - 1)[static_cast<size_t>(columns)]);
        const std::vector<float> alone = computed(it);
        const QString text = player().filledIn("{{" + kValue + "[" + std::to_string(it.head) + ",2,1]:6}}");
        QCOMPARE(text, QString::fromStdString(writtenNumber(stage, 6)));
        QCOMPARE(text,
                 QString::fromStdString(writtenNumber(static_cast<double>(alone[static_cast<size_t>(columns)]), 6)));
        if (it.mute.empty()) return;
        Step loud = it;
        loud.mute.clear();
        QVERIFY2(text != QString::fromStdString(
                             writtenNumber(static_cast<double>(computed(loud)[static_cast<size_t>(columns)]), 6)),
                 "a muted head makes a difference here");
    }

private:
    LessonPlayer& player() const { return m_calm->window->workbench().player; }

    static void everyStep() {
        QTest::addColumn<int>("step");
        for (size_t i = 0; i < kSteps.size(); ++i)
            QTest::addRow("%s, head %d, %zu muted", kSteps[i].model, kSteps[i].head, kSteps[i].mute.size())
                << static_cast<int>(i);
    }

    void show(int step) {
        player().goTo(step);
        QTRY_VERIFY(m_calm->window->stage().isSettled());
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestShownNumbers)
#include "test_shown_numbers.moc"
