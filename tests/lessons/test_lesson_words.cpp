// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the stage: terms, questions, lines of PyTorch, and the words of a translation.
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include "tests/lessons/lesson_window.h"
#include "ui/lessons/code_card.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_text.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

class TestLessonWords : public fixture::LessonWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { beginCase(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void cleanupTestCase() { endCase(); }

    void aTermTellsItsMeaningUnderThePointer() {
        player().open(QStringLiteral("seq2seq"));
        QTRY_VERIFY(m_window->stage().isSettled());
        for (auto* text : m_window->lessonPanel()->content()->findChildren<LessonText*>()) {
            if (!text->toPlainText().contains(QLatin1String("model"))) continue;
            emit text->highlighted(QUrl(QStringLiteral("#model")));
            QTRY_VERIFY(QToolTip::text().contains(bench().lessons.meaning(QStringLiteral("model")).left(20)));
            QVERIFY(!bench().lessons.meaning(QStringLiteral("model")).isEmpty());
            return;
        }
        QFAIL("the first step says nothing of a model");
    }

    void aTargetIsWrittenWhateverTheModelWouldSay() {
        m_window->stage().apply(stageFrom({{"source", "tôi yêu bạn"}, {"target", "you love me"}}));
        QTRY_VERIFY(m_window->stage().isSettled());
        QCOMPARE(bench().session.reading()->trace->targetTokens,
                 (std::vector<std::string>{"<bos>", "you", "love", "me"}));
        m_window->stage().apply(stageFrom({{"source", "tôi yêu bạn"}}));
        QTRY_VERIFY(m_window->stage().isSettled());
        QCOMPARE(bench().session.reading()->trace->targetTokens,
                 (std::vector<std::string>{"<bos>", "i", "love", "you"}));
    }

    /// Its content scrolls down only: what is wider is cut off at the right.
    void aQuestionIsNoWiderThanANarrowPanel() {
        m_window->resize(1024, 700);
        player().open(QStringLiteral("positions"));
        player().goTo(2);
        QTRY_VERIFY(m_window->stage().isSettled());
        const QWidget& content = *m_window->lessonPanel()->content();
        QTRY_VERIFY(content.width() <= content.parentWidget()->width());
        m_window->resize(1440, 900);
    }

    void aStepThatATranslationLacksIsEnglish() {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("en"));
        QDir(folder.path()).mkpath(QStringLiteral("vi"));
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QByteArray head =
            "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-gru\nsources: [a]\n---\n";
        write("en/01-one.md", head + "## First\n\nOne.\n\n## Second\n\nTwo.\n\n## Third\n\nThree.\n");
        write("vi/01-one.md", head + "## Một\n\nMột.\n\n## Second\n");
        LessonLibrary& library = bench().lessons;
        library.open(folder.path());
        library.setLanguage(QStringLiteral("vi"));
        const Lesson* lesson = library.find(QStringLiteral("one"));
        QCOMPARE(lesson->steps.size(), size_t(3));
        QCOMPARE(lesson->steps[0].title, std::string("Một"));
        QCOMPARE(std::get<LessonProse>(lesson->steps[1].parts[0]).markdown, std::string("Two."));
        QCOMPARE(lesson->steps[2].title, std::string("Third"));
    }

    void whatIsNotTranslatedSaysThatItIsEnglish() {
        LessonLibrary& library = bench().lessons;
        library.setLanguage(QStringLiteral("ru"));
        LessonList list(library);
        list.show();
        QStringList said;
        for (const QLabel* label : list.findChildren<QLabel*>())
            said << label->text();
        const int all = static_cast<int>(library.lessons().size());
        QVERIFY2(said.contains(QStringLiteral("Русский: 1 of %1 lessons; the others are in English").arg(all)),
                 qPrintable(said.join(u'|')));
        int english = 0;
        for (int i = 0; i < all; ++i)
            english += list.card(i)->accessibleDescription().startsWith(QLatin1String("in English")) ? 1 : 0;
        QCOMPARE(english, all - 1);
        library.setLanguage(QStringLiteral("en"));
        QVERIFY(!list.card(0)->accessibleDescription().startsWith(QLatin1String("in English")));
    }

    void aWrongAnswerIsExplainedFromTheReadersOwnNumber() {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("en"));
        QFile file(folder.filePath(QStringLiteral("en/01-one.md")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-gru\nsources: [a]\n---\n## One\n"
            "```tensors\nQ: [[2, 0], [0, 2]]\nK: [[1, 5], [-3, 4], [0.5, 0.25]]\nV: [[1, 0], [0, 1], [0, 0]]\n```\n"
            "```check\nask: a\nnumber: scores[1,2]\nhint: You said {{given}}.\nright: Right.\n```\n");
        file.close();
        bench().lessons.open(folder.path());
        bench().lessons.setLanguage(QStringLiteral("en"));
        player().open(QStringLiteral("one"));
        QTRY_VERIFY(player().hasNumbers());
        // Scores are q·k/√2: row 1 is 1.414, −4.243, 0.707; row 2 is 7.071, 5.657, 0.354.
        const auto said = [&](const char* answer) { return player().judgeNumber(0, QString::fromUtf8(answer)).text; };
        QVERIFY(said("4.243").contains(QLatin1String("Only the sign is wrong")));
        QVERIFY(said("7.071").contains(QLatin1String("row 2, column 1: row and column are swapped")));
        QVERIFY(said("0,707").contains(QLatin1String("in the same row, in column 3")));
        QCOMPARE(said("99"), QStringLiteral("You said 99."));
        QVERIFY(said("many").contains(QLatin1String("is no number")));
        QVERIFY(!player().isSolved(0));
        QVERIFY(player().judgeNumber(0, QStringLiteral("−4,243")).isRight);
        QVERIFY(player().isSolved(0));
    }

    void aStepsLinesOfPyTorchAreACardThatCopiesThem() {
        player().open(QStringLiteral("by-hand"));
        player().goTo(player().steps() - 1);
        QTRY_VERIFY(player().hasNumbers());
        auto* card = m_window->lessonPanel()->content()->findChild<CodeCard*>();
        QVERIFY(card);
        QVERIFY2(card->printed().startsWith(QLatin1String("0.1950 0.2050 0.2600 0.1000 0.2400\n0.1987 0.2007")),
                 qPrintable(card->printed()));
        const std::string folder = "import torch\nfrom modeling import load_model";
        QVERIFY(whereCodeRuns({0, {}, folder, "1"}, "vi-en-gru").contains(QLatin1String("makes of vi-en-gru")));
        QVERIFY(whereCodeRuns({0, {}, "import torch", "1"}, "vi-en-gru").contains(QLatin1String("Wherever PyTorch")));
        QVERIFY(whereCodeRuns({0, {}, "print(1)", "1"}, "vi-en-gru").contains(QLatin1String("Wherever Python")));
        card->copyButton()->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QLatin1String("import torch\n\nX = torch.tensor([[0.3")), qPrintable(copied));
        QVERIFY2(copied.contains(QLatin1String("\n                  [0.1, 0.2")), qPrintable(copied));
    }
};

QTEST_MAIN(TestLessonWords)
#include "test_lesson_words.moc"
