// SPDX-License-Identifier: GPL-3.0-or-later
// An instructor makes a course on the path of the lessons, saves it, tries it and changes it. HEADLIGHT_SHOTS=FOLDER
// keeps pictures, in both themes and two sizes.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>

#include "core/error.h"
#include "ui/lessons/chip_row.h"
#include "ui/lessons/course_maker.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_station.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

class TestCourseMaking : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        QCoreApplication::setOrganizationName("Headlight");
        QCoreApplication::setApplicationName("test-course-making");
    }
    void cleanupTestCase() { m_theme.reset(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
        QSettings().clear();
        m_library = std::make_unique<LessonLibrary>();
        m_library->setLanguage(QStringLiteral("en"));
        m_list = std::make_unique<LessonList>(*m_library);
        m_list->resize(1216, 750);
        m_list->show();
        m_list->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_list.get(), fixture::kPatienceMs));
    }
    void cleanup() {
        m_list.reset();
        m_library.reset();
    }

    void stationsBecomeCheckBoxesAndOpenNoLesson() {
        QSignalSpy opened(m_list.get(), &LessonList::lessonChosen);
        button(QStringLiteral("Make a course"))->click();
        QVERIFY(m_list->isMaking() && maker().isVisible());
        QVERIFY2(maker().title()->hasFocus(), "its title is what is asked for first");
        QCOMPARE(m_list->path()->stations().size(), m_library->lessons().size());
        QVERIFY(!maker().saveButton()->isEnabled());
        QVERIFY(maker().advice().contains("on the path below"));
        QVERIFY(!maker().stops()->isVisible() && !maker().steps()->isVisible());
        LessonStation& masks = station("masks");
        QCOMPARE(masks.choice(), LessonStation::Choice::None);
        QTest::keyClick(&masks, Qt::Key_Space);
        QCOMPARE(masks.choice(), LessonStation::Choice::All);
        QVERIFY(masks.isChecked());
        QTest::keyClick(&masks, Qt::Key_Return);
        QCOMPARE(masks.choice(), LessonStation::Choice::None);
        masks.click();
        station("attention").click();
        QCOMPARE(chips(), (QStringList{"6", "12"}));  // as on the path, whatever was clicked first
        QCOMPARE(opened.size(), 0);
        maker().cancelButton()->click();
        QVERIFY(!m_list->isMaking());
        QCOMPARE(station("masks").choice(), LessonStation::Choice::NotAsked);
        station("masks").click();
        QCOMPARE(opened.size(), 1);
        // What was given up waits.
        button(QStringLiteral("Make a course"))->click();
        QCOMPARE(chips(), (QStringList{"6", "12"}));
        QCOMPARE(station("masks").choice(), LessonStation::Choice::All);
    }

    void aMissingNeedIsNamedWithAButtonThatAddsIt() {
        m_list->makeCourse(false);
        station("attention").click();
        QCOMPARE(maker().advice(), QStringLiteral("Lesson 6 builds on 1 and 5, which are not in it."));
        QCOMPARE(maker().needsButton()->text(), QStringLiteral("Add 1 and 5"));
        QVERIFY(maker().needsButton()->isVisible());
        maker().needsButton()->click();
        QCOMPARE(chips(), (QStringList{"1", "5", "6"}));
        QVERIFY(!maker().needsButton()->isVisible());
        QCOMPARE(maker().advice(), QStringLiteral("It needs a title."));
        QCOMPARE(station("seq2seq").choice(), LessonStation::Choice::All);
        // Undone, both are gone at once.
        maker().undo();
        QCOMPARE(chips(), QStringList{"6"});
        maker().redo();
        QCOMPARE(chips(), (QStringList{"1", "5", "6"}));
    }

    void stepsAreChosenByPointerAndByKeys() {
        m_list->makeCourse(false);
        station("masks").click();
        ChipRow& steps = *maker().steps();
        QCOMPARE(steps.count(), station("masks").steps());
        steps.chip(1)->click();
        QVERIFY(!steps.chip(1)->isChecked() && steps.chip(0)->isChecked());
        QCOMPARE(station("masks").choice(), LessonStation::Choice::Some);
        steps.chip(1)->setFocus();
        QTest::keyClick(steps.chip(1), Qt::Key_Right);
        QVERIFY(steps.chip(2)->hasFocus());
        QTest::keyClick(steps.chip(2), Qt::Key_Space);
        const auto taken = maker().course().stops.at(0).steps;
        QCOMPARE(taken.size(), static_cast<size_t>(steps.count()) - 2);
        QVERIFY(std::ranges::find(taken, 2) == taken.end() && std::ranges::find(taken, 3) == taken.end());
        // Ctrl+Z goes back step by step.
        QTest::keyClick(steps.chip(2), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(maker().course().stops[0].steps.size(), static_cast<size_t>(steps.count()) - 1);
        QTest::keyClick(steps.chip(2), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(maker().course().stops[0].steps.empty());
        QTest::keyClick(steps.chip(2), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(maker().course().stops.empty() && !maker().canUndo());
        // Another stop shows its own steps.
        station("attention").click();
        station("masks").click();
        maker().stops()->chip(0)->click();
        QCOMPARE(maker().openLesson(), QStringLiteral("attention"));
        QCOMPARE(steps.count(), station("attention").steps());
    }

    void itIsSavedOpenedAtOnceAndChangedWithNothingLost() {
        m_list->makeCourse(false);
        QTest::keyClicks(maker().title(), "One hour: masks");
        QTest::keyClicks(maker().words(), "For \"Monday\".");
        QVERIFY(!maker().saveButton()->isEnabled());
        station("masks").click();
        maker().steps()->chip(0)->click();
        station("by-hand").click();
        QVERIFY(maker().saveButton()->isEnabled());  // a need that is missing is named, and no more
        const QString file = m_folder->filePath("c.yaml");
        maker().saveTo(file);
        QVERIFY(!m_list->isMaking());
        QVERIFY(m_library->course());
        QCOMPARE(m_list->path()->headings(), QStringList{"One hour: masks"});
        QCOMPARE(m_library->lessons().size(), 2U);
        QCOMPARE(m_library->course()->words, std::string("For \"Monday\"."));
        QCOMPARE(m_library->find("masks")->steps.size() + 1, allSteps("masks"));

        write(file, "# Mine.\n" + read(file) + "# the end\n");
        button(QStringLiteral("Change it…"))->click();
        QCOMPARE(maker().title()->text(), QStringLiteral("One hour: masks"));
        QCOMPARE(chips(), (QStringList{"8", "12"}));
        QCOMPARE(station("masks").choice(), LessonStation::Choice::Some);
        const QByteArray before = read(file);
        station("heads").click();
        maker().saveButton()->click();
        QCOMPARE(read(file), QByteArray(before).replace("  - lesson: masks", "  - heads\n  - lesson: masks"));
        QCOMPARE(m_library->lessons().size(), 3U);
    }

    void whatStandsInItsWayIsOneLineAndNothingIsOverwritten() {
        m_list->makeCourse(false);
        QTest::keyClicks(maker().title(), "Mine");
        station("masks").click();
        QVERIFY_THROWS_EXCEPTION(Error, maker().saveTo(QStringLiteral("/nowhere/c.yaml")));
        QVERIFY2(m_list->isMaking() && chips() == QStringList{"12"}, "nothing of it is lost");
        const QString file = m_folder->filePath("c.yaml");
        maker().saveTo(file);
        m_list->makeCourse(true);
        write(file, read(file) + "  - heads\n");
        station("by-hand").click();
        QSignalSpy failed(m_list.get(), &LessonList::failed);
        maker().saveButton()->click();
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains("was changed meanwhile") && !failed[0][0].toString().contains(u'\n'));
        QVERIFY(read(file).contains("heads") && !read(file).contains("by-hand"));
        maker().saveTo(m_folder->filePath("d.yaml"));
        QVERIFY(read(m_folder->filePath("d.yaml")).contains("by-hand"));
    }

    void anOrderOfOnesOwnThatCannotBeFollowedIsSaid() {
        const QString file = m_folder->filePath("c.yaml");
        write(file, "title: Mine\nlessons: [masks, attention]\n");
        m_library->openCourse(file);
        m_list->makeCourse(true);
        QCOMPARE(chips(), (QStringList{"12", "6"}));
        station("heads").click();  // it builds on attention, which stands behind
        QCOMPARE(chips(), (QStringList{"12", "6", "11"}));
        QVERIFY(maker().saveButton()->isEnabled());
        // Another course that is opened meanwhile is what is seen.
        const QString other = m_folder->filePath("d.yaml");
        write(other, "title: Other\nlessons: [attention]\n");
        m_library->openCourse(other);
        QVERIFY(!m_list->isMaking());
        QCOMPARE(m_list->path()->headings(), QStringList{"Other"});
    }

    void itFitsSmallWindows_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("dark");
        for (const bool dark : {false, true})
            for (const QSize size : {QSize(960, 640), QSize(1216, 740)})
                QTest::addRow("%d, %s", size.width(), dark ? "dark" : "light") << size << dark;
    }
    void itFitsSmallWindows() {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        m_theme->setMode(dark ? ThemeManager::Mode::Dark : ThemeManager::Mode::Light);
        m_list->resize(size);
        m_list->makeCourse(false);
        const QString shots = qEnvironmentVariable("HEADLIGHT_SHOTS");
        const auto keep = [&](const QString& what) {
            QCoreApplication::processEvents();
            if (!shots.isEmpty())
                m_list->grab().save(QStringLiteral("%1/%2-%3-%4.png")
                                        .arg(shots, what)
                                        .arg(size.width())
                                        .arg(dark ? QStringLiteral("dark") : QStringLiteral("light")));
        };
        keep("empty");
        for (const char* lesson : {"attention", "by-hand", "heads", "masks"})
            station(lesson).click();
        maker().steps()->chip(2)->click();
        maker().title()->setText(QStringLiteral("Attention in an afternoon"));
        keep("some");
        for (LessonStation* each : m_list->path()->stations())
            if (each->choice() == LessonStation::Choice::None) each->click();
        keep("all");
        QCOMPARE(maker().stops()->count(), static_cast<int>(m_library->lessons().size()));
        const QRect room = maker().rect();
        for (ChipRow* row : {maker().stops(), maker().steps()})
            for (int i = 0; i < row->count(); ++i)
                QVERIFY(room.contains(QRect(row->chip(i)->mapTo(&maker(), QPoint()), row->chip(i)->size())));
        QVERIFY(room.right() < m_list->width());
        for (const Button* each : maker().findChildren<Button*>())
            QVERIFY(!each->isVisible() || each->width() >= each->sizeHint().width());
        QVERIFY2(m_list->height() - maker().geometry().bottom() > LessonStation::heightFor(150),
                 "a station is in sight below");
        m_theme->setMode(ThemeManager::Mode::Light);
    }

private:
    CourseMaker& maker() const { return *m_list->maker(); }
    LessonStation& station(const char* slug) const {
        const auto& all = m_list->path()->stations();
        return **std::ranges::find_if(all,
                                      [&](const LessonStation* each) { return each->slug() == QLatin1String(slug); });
    }
    Button* button(const QString& text) const {
        for (Button* each : m_list->findChildren<Button*>())
            if (each->text() == text && each->isVisible()) return each;
        return nullptr;
    }
    QStringList chips() const {
        QStringList labels;
        for (int i = 0; i < maker().stops()->count(); ++i)
            labels << maker().stops()->chip(i)->text();
        return labels;
    }
    size_t allSteps(const char* slug) const {
        for (const Lesson& lesson : m_library->shippedLessons())
            if (lesson.slug == slug) return lesson.steps.size();
        return 0;
    }
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString& path, const QByteArray& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<LessonLibrary> m_library;
    std::unique_ptr<LessonList> m_list;
};

QTEST_MAIN(TestCourseMaking)
#include "test_course_making.moc"
