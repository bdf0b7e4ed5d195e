// SPDX-License-Identifier: GPL-3.0-or-later
// A number of a lesson's sentence is dragged, and the stage follows at once; and the reverse.
#include <QTest>

#include "tests/ui/calm_window.h"
#include "ui/export/prose_html.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_text.h"
#include "ui/shell/stage.h"

using namespace headlight;

namespace {

const char* const kDialsLesson =
    "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n"
    "## By hand\n\nAt a temperature of {{sharpness from 0.1 to 5}} the weight is {{weights[1,2]}}.\n\n"
    "```stage\nview: query-key-value\nfocus: scores\ncell: 1,1\nsharpness: 1\n```\n\n"
    "```tensors\nwords: [a, b, c]\nQ: [[0.3, 0.5], [0.4, 0.1], [0.2, 0.6]]\n"
    "K: [[0.3, 0.5], [0.4, 0.1], [0.2, 0.6]]\nV: [[1, 0], [0, 1], [1, 1]]\n```\n\n"
    "```try\ndo: Drag it to its end.\nwhen:\n  sharpness: 5\n```\n\n"
    "## Search\n\nA beam of {{beam from 1 to 5}}.\n\n```stage\nview: decode\nbeam: 2\n```\n";

}  // namespace

class TestDials : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        QVERIFY(m_calm->beginLesson(QStringLiteral("dials"), kDialsLesson));
    }
    void cleanupTestCase() { m_calm.reset(); }

    void draggingTurnsTheStageAndTheSentence() {
        LessonText* text = show(0);
        QVERIFY(text);
        QCOMPARE(text->dials().size(), 1U);
        const QString before = text->toPlainText();
        QVERIFY(before.startsWith(QStringLiteral("At a temperature of 1.0 the weight is 0.")));
        const QPoint from = text->dialArea(0).center();
        QTest::mousePress(text->viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(text->viewport(), from + QPoint(25, 0));
        QCOMPARE(stage().state().queryKeyValue.sharpness, 1.5);  // 25 of 240 pixels over a range of 4.9
        QVERIFY(text->toPlainText().startsWith(QStringLiteral("At a temperature of 1.5 ")));
        QTest::mouseMove(text->viewport(), from - QPoint(500, 0));
        QTest::mouseRelease(text->viewport(), Qt::LeftButton, {}, from);
        QCOMPARE(stage().state().queryKeyValue.sharpness, 0.1);
        const QString sharp = text->toPlainText();
        QVERIFY(sharp.startsWith(QStringLiteral("At a temperature of 0.1 ")));
        QVERIFY(sharp.section(u' ', -1) != before.section(u' ', -1));  // its other number follows
        QTest::mouseMove(text->viewport(), from + QPoint(100, 0));
        QCOMPARE(stage().state().queryKeyValue.sharpness, 0.1);  // let go
    }

    void theArrowKeysTurnTheOneThatHasTheFocusAndTheTaskIsDone() {
        LessonText* text = show(0);
        QVERIFY(text);
        QCOMPARE(stage().state().queryKeyValue.sharpness, 1.0);
        QTest::keyClick(text, Qt::Key_Tab);
        QTest::keyClick(text, Qt::Key_Right);
        QTest::keyClick(text, Qt::Key_Right);
        QCOMPARE(stage().state().queryKeyValue.sharpness, 1.2);
        QVERIFY(!player().isSolved(1));
        QTest::keyClick(text, Qt::Key_End);
        QCOMPARE(stage().state().queryKeyValue.sharpness, 5.0);
        player().look();
        QVERIFY(player().isSolved(1));  // dragging is the reader's doing
    }

    void whatTheReaderTurnsOnTheStageIsPrinted() {
        LessonText* text = show(0);
        QVERIFY(text);
        stage().turn("sharpness", 2.5);
        QVERIFY(text->toPlainText().contains(QStringLiteral("of 2.5 ")));
    }

    void aSettingOfTheSearchIsTurned() {
        LessonText* text = show(1);
        QVERIFY(text);
        QCOMPARE(text->toPlainText(), QStringLiteral("A beam of 2."));
        QTest::keyClick(text, Qt::Key_Tab);
        QTest::keyClick(text, Qt::Key_Up);
        QCOMPARE(window().workbench().decoding.settings().beam, 3);
        QCOMPARE(text->toPlainText(), QStringLiteral("A beam of 3."));
        QVERIFY(QTest::qWaitFor([this] { return stage().isSettled(); }, fixture::kPatienceMs));
        QCOMPARE(text->toPlainText(), QStringLiteral("A beam of 3."));
    }

    void aPagePrintsItAsItsNumber() {
        const QByteArray html = proseHtml(QStringLiteral("At [1.0](dial:sharpness/0.1/5/0.1)."), {});
        QCOMPARE(html, QByteArray("<p>At 1.0.</p>\n"));
    }

private:
    MainWindow& window() const { return *m_calm->window; }
    LessonPlayer& player() const { return window().workbench().player; }
    Stage& stage() const { return window().stage(); }

    /// The words of a step, once the stage and the numbers are there.
    LessonText* show(int step) {
        player().goTo(step);
        const auto isThere = [this] { return stage().isSettled() && player().hasNumbers(); };
        if (!QTest::qWaitFor(isThere, fixture::kPatienceMs)) return nullptr;
        auto* text = window().lessonPanel()->content()->findChild<LessonText*>();
        text->setFocus();
        return text;
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestDials)
#include "test_dials.moc"
