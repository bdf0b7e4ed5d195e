// SPDX-License-Identifier: GPL-3.0-or-later
// What a translation could not reach: numbers are told to it, so that it can choose its form, and words of the engine
// are looked up like any other.
#include <QComboBox>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <memory>

#include "core/data/task.h"
#include "tests/ui/fixture.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_list.h"
#include "ui/session/format/model_names.h"
#include "ui/session/trace/module_tree.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/train_room.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/training_facts.h"
#include "ui/views/train/training_view.h"

using namespace headlight;

namespace {

/// A language in which whatever is counted reads `[number]`, and words of the engine stand in quotation marks.
class Counting : public QTranslator {
public:
    mutable QSet<QString> counted;

    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int n) const override {
        if (n >= 0) {
            counted.insert(QString::fromUtf8(source));
            // A number that is written in groups of three stands as %1.
            return QByteArray(source).contains("%1") ? QStringLiteral("[%1]") : QStringLiteral("[%1]").arg(n);
        }
        if (qstrcmp(context, "Operation") == 0 || qstrcmp(context, "Task") == 0)
            return QStringLiteral("«%1»").arg(QString::fromUtf8(source));
        return {};
    }
};

}  // namespace

class TestTranslation : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("Headlight tests"));
    }
    void init() {
        m_translator = std::make_unique<Counting>();
        QCoreApplication::installTranslator(m_translator.get());
    }
    void cleanup() {
        QCoreApplication::removeTranslator(m_translator.get());
        m_translator.reset();
    }

    void theTreeOfModulesTellsItsNumbers() {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        const auto trace = readSentence(*model, QStringLiteral("tôi yêu bạn")).trace;
        const int heads = model->network->config().numHeads;
        int counted = 0;
        for (const ModuleStack& stack : moduleTree(*trace).stacks)
            for (const ModuleLayer& layer : stack.layers)
                for (const ModuleBlock& block : layer.blocks)
                    if (block.kind == ModuleBlock::Kind::Attention) {
                        QCOMPARE(block.more, QStringLiteral("[%1]").arg(heads));
                        ++counted;
                    }
        QVERIFY(counted > 3);
        QVERIFY(describeModel(model->network->config()).endsWith(QStringLiteral("[%1]").arg(heads)));
    }

    void theFactsOfARunTellTheirNumbers() {
        TrainingRun::Facts facts;
        facts.options.batchSize = 5;
        facts.options.warmupSteps = 7;
        QStringList values;
        for (const TrainingSummary::Row& row : summaryOf(facts).model)
            values << row.value;
        QVERIFY2(values.contains(QStringLiteral("[5]")), qPrintable(values.join(u'|')));
        QVERIFY2(values.contains(QStringLiteral("[7]")), qPrintable(values.join(u'|')));
        QCoreApplication::removeTranslator(m_translator.get());
        facts.options.batchSize = facts.options.warmupSteps.emplace(1);
        values.clear();
        for (const TrainingSummary::Row& row : summaryOf(facts).model)
            values << row.value;
        QVERIFY2(values.contains(QStringLiteral("1 pair")), qPrintable(values.join(u'|')));
        QVERIFY2(values.contains(QStringLiteral("1 step")), qPrintable(values.join(u'|')));
    }

    /// A system without a language speaks English.
    void noLanguageIsEnglish() {
        QCOMPARE(lessonLanguage(QLocale::c()), QStringLiteral("en"));
        QCOMPARE(lessonLanguage(QLocale(QLocale::German, QLocale::Germany)), QStringLiteral("de"));
    }

    void theListOfLessonsTellsItsMinutes() {
        LessonLibrary library;
        LessonList list(library);
        list.resize(1200, 800);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list, fixture::kPatienceMs));
        list.grab();
        QVERIFY(m_translator->counted.contains(QStringLiteral("%n minute(s)")));
    }

    void sentencesOfOperationsAreLookedUp() {
        for (int i = 0; i <= static_cast<int>(Operation::Identity); ++i) {
            const auto operation = static_cast<Operation>(i);
            const std::string_view words = describe(operation).sentence;
            QCOMPARE(operationSentence(operation), QStringLiteral("«%1»").arg(QString::fromUtf8(words.data())));
        }
    }

    void titlesOfTasksAreLookedUp() {
        for (const Task& task : tasks())
            QCOMPARE(taskTitle(task), QStringLiteral("«%1»").arg(QString::fromUtf8(task.title.data())));
        ThemeManager theme(qApp);
        Workbench bench(theme);
        TrainRoom room(bench, nullptr);
        bool shown = false;
        for (const QComboBox* box : room.view()->findChildren<QComboBox*>())
            shown = shown || box->findText(QStringLiteral("«Vietnamese to English»")) >= 0;
        QVERIFY(shown);
    }

private:
    QTemporaryDir m_settings;
    std::unique_ptr<Counting> m_translator;
};

QTEST_MAIN(TestTranslation)
#include "test_translation.moc"
