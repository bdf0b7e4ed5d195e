// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done is found: in the menu, in the palette, on the sheet of keys; and what a view is about is said.
#include <QAbstractButton>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/lessons/view_help.h"
#include "core/platform/pace.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/painted.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/actions.h"
#include "ui/shell/help_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/stage.h"
#include "ui/shell/view_group.h"
#include "ui/shell/view_tabs.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/time/timeline.h"

using namespace headlight;

namespace {

/// Every action of a menu and of the menus in it.
QList<QAction*> allActions(const QMenu& menu) {
    QList<QAction*> all;
    for (QAction* action : menu.actions()) {
        all << action;
        if (action->menu()) all << allActions(*action->menu());
    }
    return all;
}

}  // namespace

class TestAtEase : public QObject {
    Q_OBJECT

    const platform::ScopedPace m_atOnce{platform::Pace::AtOnce};
    QTemporaryDir m_settings, m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;

    Palette* palette() { return m_window->findChild<Palette*>(); }
    /// Opens the palette by its key and types.
    Palette* find(const QString& words) {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        if (palette()) QTest::keyClicks(palette()->input(), words);
        return palette();
    }
    void keepPicture(const char* name) { fixture::keepPicture(*m_window, name); }

private slots:
    void initTestCase() {
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openModel(firstModel());
        QTRY_VERIFY(m_window->workbench().session.reading());
    }
    void cleanupTestCase() {
        m_window.reset();
        m_theme.reset();
    }
    void cleanup() {
        if (palette()) palette()->close();
        if (m_window->help()->isOpen()) m_window->help()->shut();
    }

    void everyActionIsInTheMenuThePaletteAndTheSheet() {
        const std::unique_ptr<QMenu> menu(m_window->commands().makeMenu(nullptr));
        const QList<QAction*> inMenu = allActions(*menu);
        const std::vector<PaletteEntry> entries = paletteEntries(*m_window);
        const QString sheet = m_window->commands().sheet();
        QStringList ids, keys;
        QVERIFY(m_window->commands().all().size() > 30);
        for (const Actions::Entry& entry : m_window->commands().all()) {
            const QString id = entry.action->objectName(), text = entry.action->text();
            QVERIFY2(!id.isEmpty() && !text.isEmpty() && !ids.contains(id), qPrintable(id));
            ids << id;
            QVERIFY2(inMenu.contains(entry.action), qPrintable(id));
            QCOMPARE(m_window->commands().find(id), entry.action);
            QVERIFY2(!entry.action->isEnabled() ||
                         std::ranges::any_of(entries, [&](const auto& each) { return each.title == text; }),
                     qPrintable(id));
            for (const QKeySequence& each : entry.action->shortcuts()) {
                const QString key = each.toString(QKeySequence::NativeText);
                QVERIFY2(!keys.contains(key), qPrintable(id + u' ' + key));  // one key, one action
                QVERIFY2(sheet.contains(key.toHtmlEscaped()), qPrintable(id + u' ' + key));
                keys << key;
            }
        }
        for (const char* key : {"Ctrl+O", "Ctrl+S", "Ctrl+Z", "Ctrl+K", "F1", "F5", "F11", "Ctrl+1", "Alt+1", ",", "."})
            QVERIFY2(keys.contains(QLatin1String(key)), key);
    }

    void thePaletteFindsAndGoes() {
        QVERIFY(find(QStringLiteral("posi")));
        QCOMPARE(palette()->titles().value(0), QStringLiteral("Positions"));
        QVERIFY(!palette()->titles().filter(QStringLiteral("positions")).isEmpty());
        keepPicture("palette");
        QTest::keyClick(palette()->input(), Qt::Key_Return);
        QCOMPARE(m_window->rooms().view(), ViewName::Positions);
        QTRY_VERIFY(!palette());

        // By words of several places, in any order; the arrows move.
        QVERIFY(find(QStringLiteral("open en-fr-lstm")));
        QVERIFY(!palette()->titles().isEmpty());
        for (const QString& title : palette()->titles())
            QVERIFY2(title.contains(QStringLiteral("en-fr-lstm")), qPrintable(title));
        QTest::keyClick(palette()->input(), Qt::Key_Down);
        QCOMPARE(palette()->list()->currentRow(), std::min(1, palette()->list()->count() - 1));
        QTest::keyClick(palette()->input(), Qt::Key_Escape);
        QTRY_VERIFY(!palette());

        QVERIFY(find(QStringLiteral("dark theme")));
        QCOMPARE(palette()->titles().value(0), QStringLiteral("Dark theme"));
        QVERIFY(palette()->titles().size() >= 1);
        // The same key puts it away again.
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(!palette());
        QVERIFY(find(QStringLiteral("zzzz"))->titles().isEmpty());
    }
    /// From view to view, over those that the open model leaves empty, and round again.
    void ctrlTabGoesFromViewToView() {
        m_window->rooms().showView(ViewName::FeedForward);
        const auto on = [&] { QTest::keyClick(m_window.get(), Qt::Key_Tab, Qt::ControlModifier); };
        const auto back = [&] {
            QTest::keyClick(m_window.get(), Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
        };
        on();  // Recurrent and Cell have nothing to show of a Transformer
        QCOMPARE(m_window->rooms().view(), ViewName::Attention);
        back();
        QCOMPARE(m_window->rooms().view(), ViewName::FeedForward);
        m_window->rooms().showView(ViewName::Surgery);
        on();
        QCOMPARE(m_window->rooms().view(), ViewName::Architecture);
        back();
        QCOMPARE(m_window->rooms().view(), ViewName::Surgery);
    }
    /// A step of a lesson may have folded the row of views away.
    void aClickOnThePresentGroupBringsItsViewsBack() {
        m_window->rooms().showView(ViewName::Attention);
        const auto* const row = m_window->findChild<ViewGroup*>();
        QVERIFY(row->isVisible());
        m_window->rooms().showPanels({"picture"});
        QVERIFY(!row->isVisible());
        const auto tabs = m_window->findChild<ViewTabs*>()->tabs()->findChildren<QAbstractButton*>();
        tabs.at(1)->click();
        QVERIFY(row->isVisible());
        QCOMPARE(m_window->rooms().view(), ViewName::Attention);
    }
    /// To a field, Ctrl+K means that the rest of the line goes.
    void thePaletteOpensWhileSomebodyTypes() {
        m_window->rooms().showView(ViewName::Attention);
        QLineEdit* const field = m_window->rooms().current().findChild<SentenceBar*>()->input();
        field->setFocus();
        field->setCursorPosition(0);
        const QString before = field->text();
        QVERIFY(!before.isEmpty());
        QTest::keyClick(field, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(palette());
        QCOMPARE(field->text(), before);
    }
    void everyViewLessonStepAndTermIsFound() {
        const std::vector<PaletteEntry> entries = paletteEntries(*m_window);
        const auto finds = [&](const QString& words, const QString& title) {
            for (const PaletteEntry* entry : matching(entries, words))
                if (entry->title == title) return true;
            return false;
        };
        for (const Room* room : m_window->rooms().all())
            for (const Room::View& view : room->views())
                QVERIFY2(finds(view.title, view.title), qPrintable(view.title));
        const LessonLibrary& library = m_window->workbench().lessons;
        for (const Lesson& lesson : library.lessons())
            for (const LessonStep& step : lesson.steps)
                QVERIFY2(finds(QString::fromStdString(step.title), QString::fromStdString(step.title)),
                         step.title.c_str());
        QVERIFY(library.terms().size() > 50);
        for (const auto& [term, meaning] : library.terms())
            QVERIFY2(finds(term, QStringLiteral("What is “%1”?").arg(term)), qPrintable(term));
        QVERIFY(finds(QStringLiteral("en-fr-transformer"), QStringLiteral("en-fr-transformer")));
        QVERIFY(matching(entries, QStringLiteral("  ")).empty());
    }
    void aLessonsStepIsGoneTo() {
        const Lesson& lesson = m_window->workbench().lessons.lessons().at(7);
        QVERIFY(find(QString::fromStdString(lesson.steps.at(2).title)));
        QTest::keyClick(palette()->input(), Qt::Key_Return);
        LessonPlayer& player = m_window->workbench().player;
        QTRY_VERIFY(player.isOpen());
        QCOMPARE(player.lesson().slug, lesson.slug);
        QCOMPARE(player.step(), 2);
        player.close();
        // Left before its stage stood, it folded panels afterwards.
        QTRY_VERIFY(m_window->stage().isSettled());
        QVERIFY(m_window->rooms().shownPanels().empty());
    }

    void everyViewHasItsHelp() {
        HelpPanel* const help = m_window->help();
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QVERIFY(help->isOpen());
        for (const Room* room : m_window->rooms().all())
            for (const Room::View& view : room->views()) {
                m_window->rooms().showView(view.name);
                const ViewHelp* const about = m_window->workbench().lessons.helpOf(view.name);
                QVERIFY2(about, qPrintable(view.title));
                QCOMPARE(help->lines().value(0), view.title);
                QVERIFY(help->lines().contains(QString::fromStdString(about->shows)));
                QCOMPARE(help->marks().size(), about->parts.size());
                QCOMPARE(help->lessonButton() != nullptr, !about->lesson.empty());
            }
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QVERIFY(!help->isOpen() && help->marks().empty());
    }
    void numbersStandAtTheParts() {
        m_window->rooms().showView(ViewName::Attention);
        HelpPanel* const help = m_window->help();
        help->open();
        QTRY_VERIFY(std::ranges::any_of(help->marks(), [](const QWidget* mark) { return mark->isVisible(); }));
        for (const QWidget* mark : help->marks())
            if (mark->isVisible()) QVERIFY(!mark->geometry().intersects(help->geometry()));
        QTest::qWait(300);
        keepPicture("help-attention");
        m_theme->setMode(ThemeManager::Mode::Dark);
        m_window->rooms().showView(ViewName::Residuals);
        keepPicture("help-residuals-dark");
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    /// The last line of what a view shows was cut through.
    void helpHasRoomForItsLines() {
        HelpPanel* const help = m_window->help();
        for (const QSize& size : {QSize(1024, 700), QSize(1440, 900)}) {
            m_window->resize(size);
            help->open();
            for (const Room* room : m_window->rooms().all())
                for (const Room::View& view : room->views()) {
                    m_window->rooms().showView(view.name);
                    const auto isWhole = [&] {
                        const QList<QLabel*> labels = help->findChildren<QLabel*>();
                        return std::ranges::all_of(labels, [](const QLabel* label) {
                            return !label->wordWrap() || label->height() >= label->heightForWidth(label->width());
                        });
                    };
                    QTRY_VERIFY2(isWhole(), qPrintable(view.title));
                }
            help->shut();
        }
    }
    void helpIsSearched() {
        HelpPanel* const help = m_window->help();
        help->open();
        const auto [term, meaning] = *m_window->workbench().lessons.terms().begin();
        QTest::keyClicks(help->input(), term);
        QVERIFY(help->lines().contains(term) && help->lines().contains(meaning));
        help->explain(QStringLiteral("no such word"));
        QCOMPARE(help->lines(), QStringList{QStringLiteral("Nothing is written about “no such word”.")});
        QTest::keyClick(help->input(), Qt::Key_Escape);
        QVERIFY(!help->isOpen());
    }
    void theLessonOfAViewIsOneClickAway() {
        m_window->rooms().showView(ViewName::Masks);
        m_window->help()->open();
        QVERIFY(m_window->help()->lessonButton());
        QTest::mouseClick(m_window->help()->lessonButton(), Qt::LeftButton);
        LessonPlayer& player = m_window->workbench().player;
        QTRY_VERIFY(player.isOpen());
        QCOMPARE(player.lesson().slug, m_window->workbench().lessons.helpOf(ViewName::Masks)->lesson);
        player.close();
    }
    /// Beside the room where both have room, else over it: the window does not grow.
    void helpLeavesTheWindowItsSize() {
        for (const QSize& size : {QSize(1024, 700), QSize(1440, 900)}) {
            QCoreApplication::processEvents();  // what was open before is gone
            m_window->resize(size);
            m_window->rooms().showView(ViewName::Attention);
            m_window->help()->open();
            QCoreApplication::processEvents();
            QCOMPARE(m_window->size(), size);
            const HelpPanel& help = *m_window->help();
            QCOMPARE(help.mapTo(m_window->centralWidget(), QPoint(help.width(), 0)).x(),
                     m_window->centralWidget()->width());
            // A lesson that comes beside both takes its place from the help.
            LessonPlayer& player = m_window->workbench().player;
            player.open(QString::fromStdString(m_window->workbench().lessons.lessons().at(7).slug));
            QTRY_VERIFY(m_window->lessonPanel()->isVisible());
            QCoreApplication::processEvents();
            QCOMPARE(m_window->size(), size);
            player.close();
            QTRY_VERIFY(!m_window->lessonPanel()->isVisible());
            m_window->help()->shut();
        }
    }

    /// A link that names the wall left the bar of steps under it, which the wall does not follow.
    void theWallHasNoBarOfStepsHoweverItCame() {
        m_window->rooms().showView(ViewName::Attention);
        const auto* const timeline = m_window->rooms().current().findChild<Timeline*>();
        QVERIFY(timeline->isVisible());
        m_window->open(QStringLiteral("headlight:attention?model=en-fr-transformer&picture=wall"));
        QTRY_VERIFY(!timeline->isVisible());
        m_window->open(QStringLiteral("headlight:attention?model=en-fr-transformer&picture=lines"));
        QTRY_VERIFY(timeline->isVisible());
    }

    void whatWasOpenedIsListed() {
        forgetOpened();
        QVERIFY(recentlyOpened().isEmpty());
        const QString text = m_folder.filePath(QStringLiteral("sentences.tsv"));
        QFile file(text);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a\tb\n");
        file.close();
        rememberModel(firstModel());
        m_window->open(text);
        QCOMPARE(recentlyOpened(), (QStringList{text, firstModel()}));
        QMenu* recent = nullptr;
        for (QMenu* menu : m_window->findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("Open recent")) recent = menu;
        QVERIFY(recent);
        emit recent->aboutToShow();
        QCOMPARE(recent->actions().value(0)->toolTip(), QDir::toNativeSeparators(text));
        QFile::remove(text);  // what is gone is not offered
        emit recent->aboutToShow();
        QCOMPARE(recent->actions().value(0)->text(), QStringLiteral("en-fr-transformer"));
        forgetOpened();
        emit recent->aboutToShow();
        QVERIFY(!recent->actions().value(0)->isEnabled());
    }
    /// Without a model the row was empty.
    void viewsAreThereBeforeAModelIs() {
        const MainWindow fresh(*m_theme);
        QCOMPARE(fresh.findChild<ViewGroup*>()->tabs()->count(), 6);
    }
};

QTEST_MAIN(TestAtEase)
#include "test_at_ease.moc"
