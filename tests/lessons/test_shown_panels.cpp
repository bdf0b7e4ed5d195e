// SPDX-License-Identifier: GPL-3.0-or-later
// What a step shows of its view (`show:`), and what it keeps folded in its words (`more`).
#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_parser.h"
#include "tests/core/opened.h"
#include "tests/lessons/lesson_window.h"
#include "ui/lessons/lesson_text.h"
#include "ui/lessons/more_card.h"
#include "ui/widgets/controls/foldable.h"
#include "ui/widgets/controls/panel.h"

using namespace headlight;

namespace {

const char* const panelsLesson = R"(---
title: T
summary: S
minutes: 5
needs: []
model: vi-en-transformer
sources: [one]
---

## One panel

```stage
view: values
source: tôi yêu bạn
focus: log_probs
cell: 1, 1
show: side
```

```more
title: What the others are
text: |
  The number here is {{log_probs[1,1]}}.
```

## The same

## Another view

```stage
view: loss
```

## The picture alone

```stage
show: picture
```
)";

}  // namespace

class TestShownPanels : public fixture::LessonWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { beginCase(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void cleanupTestCase() { endCase(); }

    void aStepShowsWhatItNamesAndLettingOnePlayBringsAllBack() {
        openLesson();
        QCOMPARE(seen(), (QSet<QString>{"side"}));
        QCOMPARE(state()["show"], std::string("side"));
        player().goTo(1);
        settle();
        QCOMPARE(seen(), (QSet<QString>{"side"}));
        player().goTo(2);  // another view has other panels
        settle();
        QVERIFY(seen().contains("word") && seen().contains("side") && seen().contains("sentence"));
        player().goTo(3);
        settle();
        QCOMPARE(seen(), QSet<QString>());
        player().goTo(0);
        settle();
        QCOMPARE(seen(), (QSet<QString>{"side"}));
        player().letPlay(true);
        QCOMPARE(seen(), (QSet<QString>{"sentence", "views", "list", "side", "timeline"}));
        QVERIFY(!state().contains("show"));
        player().letPlay(false);
        settle();
        QCOMPARE(seen(), (QSet<QString>{"side"}));
        player().close();
        QVERIFY(seen().contains("timeline"));
    }

    void whatIsMoreIsFoldedUntilItIsOpened() {
        openLesson();
        auto* const card = m_window->lessonPanel()->content()->findChild<MoreCard*>();
        QVERIFY(card && !card->words()->isVisible());
        QVERIFY(card->title()->accessibleName().contains("What the others are"));
        const int folded = card->height();
        QTest::keyClick(card->title(), Qt::Key_Space);
        QTRY_VERIFY(card->words()->isVisible() && card->height() > folded);
        QTRY_VERIFY2(card->words()->toPlainText().contains(QStringLiteral("The number here is −")),
                     qPrintable(card->words()->toPlainText()));
        card->title()->click();
        QVERIFY(!card->words()->isVisible());
    }

    /// Lessons are checked without a window, so the names stand in two places.
    void panelsAreCalledAsTheViewSays() {
        for (const View* view : views()) {
            const std::optional<ViewName> name = viewNamed(view->name);
            QVERIFY(name);
            const Room& room = m_window->rooms().roomOf(*name);
            QSet<QString> told, all;
            for (const char* panel : view->panels)
                told << QString::fromLatin1(panel);
            for (const auto* panel : room.findChildren<Foldable*>())
                if (panel->panelName()) all << QString::fromLatin1(panel->panelName());
            QVERIFY2(all.contains(told), view->name);
        }
        QSet<QString> told{"sentence", "views", "timeline"}, all;
        for (const View* view : views())
            for (const char* panel : view->panels)
                told << QString::fromLatin1(panel);
        for (const auto* panel : m_window->findChildren<Foldable*>())
            if (panel->panelName()) all << QString::fromLatin1(panel->panelName());
        QCOMPARE(all, told);
    }

    /// What a step speaks of is there, on a stage where it would step aside by itself.
    void aPanelThatIsNamedYieldsLater() {
        QWidget stage;
        auto* side = new Panel(Qt::LeftEdge, &stage);
        side->yieldBelow(900);
        const auto isThere = [&](int wide) {
            stage.resize(wide, 100);
            QCoreApplication::processEvents();
            return side->isVisibleTo(&stage);
        };
        stage.show();
        QVERIFY(isThere(900) && !isThere(899));
        side->setAskedFor(true);
        QVERIFY(isThere(675) && !isThere(674));
        side->setAskedFor(false);
        QVERIFY(!isThere(899) && isThere(900));
    }

    void aPanelThatTheViewHasNotIsNamed() {
        std::string text = panelsLesson;
        text.replace(text.find("show: side"), 10, "show: sid");
        LessonFolder folder;
        folder.lessons.push_back(parseLesson(text, "x/en/03-panels.md", folder.mistakes));
        QStringList lines;
        for (const LessonMistake& mistake : checkLessons(folder, {fixture::openShipped, {}, {}}))
            lines << QStringLiteral("%1: %2").arg(mistake.line).arg(QString::fromStdString(mistake.what));
        QVERIFY2(lines.contains(
                     "17: show: the view values has no panel \"sid\": it has list, side, sentence, views, timeline, "
                     "picture, all"),
                 qPrintable(lines.join('|')));
    }

private:
    void settle() { QTRY_VERIFY(m_window->stage().isSettled() && player().hasNumbers()); }

    void openLesson() {
        QDir(m_folder.path()).mkpath(QStringLiteral("en"));
        QFile file(m_folder.filePath("en/03-panels.md"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(panelsLesson);
        file.close();
        m_window->openLessons(file.fileName());
        QVERIFY(player().isOpen());
        settle();
    }

    /// Names of the panels that the reader sees.
    QSet<QString> seen() const {
        QSet<QString> names;
        for (const auto* panel : m_window->findChildren<Foldable*>())
            if (panel->panelName() && panel->isVisible()) names << QString::fromLatin1(panel->panelName());
        return names;
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestShownPanels)
#include "test_shown_panels.moc"
