// SPDX-License-Identifier: GPL-3.0-or-later
// An instructor's course: how its file is read, checked and cut out of the lessons.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/error.h"
#include "core/lessons/course.h"
#include "core/lessons/course_making.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_folder.h"

using namespace headlight;

namespace {

const std::string kTwo = "title: One hour\nwords: For Monday.\nlessons:\n  - attention\n";

QString whyNoCourse(const std::string& text) {
    try {
        parseCourse(text, "c.yaml");
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

std::vector<Lesson> shippedLessons() {
    return readLessonFolder(HEADLIGHT_SOURCE_DIR "/lessons").inLanguage("en");
}

}  // namespace

class TestLessonCourse : public QObject {
    Q_OBJECT
private slots:
    void aCourseIsReadAsItIsWritten() {
        const Course course = parseCourse(kTwo + "  - lesson: by-hand\n    steps: 1-3, 5\n", "c.yaml");
        QCOMPARE(course.title, std::string("One hour"));
        QCOMPARE(course.words, std::string("For Monday."));
        QCOMPARE(course.stops.size(), 2U);
        QCOMPARE(course.stops[0].lesson, std::string("attention"));
        QVERIFY(course.stops[0].steps.empty());
        QCOMPARE(course.stops[1].steps, (std::vector<int>{1, 2, 3, 5}));
        QCOMPARE(course.stops[1].line, 5);
    }

    void aBadFileGetsOneLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const std::string& text, const char* why) {
            QTest::newRow(name) << QString::fromStdString(text) << why;
        };
        row("empty", "", "c.yaml:1: a course is lines of");
        row("no YAML", "title: [a", "this is not YAML");
        row("no title", "lessons: [attention]\n", "c.yaml:1: the course lacks a title");
        row("no lessons", "title: a\n", "c.yaml:1: the course lacks lessons");
        row("one lesson", "title: a\nlessons: attention\n", "c.yaml:2: \"lessons\" is a list");
        row("unknown", "title: a\nlesson: [b]\n", "c.yaml:2: a course has no \"lesson\"");
        row("title of more", "title: [a, b]\n", "c.yaml:1: \"title\" is a text");
        row("list in it", kTwo + "  - [a]\n", "c.yaml:5: a lesson is its slug");
        row("no slug", kTwo + "  - steps: 1\n", "c.yaml:5: which lesson?");
        row("key", kTwo + "  - lesson: a\n    step: 1\n", "c.yaml:6: a lesson of a course has no \"step\"");
        for (const char* steps : {"0", "a", "3-", "1-999", "1,,2"})
            row(steps, kTwo + "  - lesson: a\n    steps: " + steps + "\n", "c.yaml:6: steps count from 1");
        for (const char* steps : {"3-1", "2, 1", "1, 1"})
            row(steps, kTwo + "  - lesson: a\n    steps: " + steps + "\n", "c.yaml:6: steps go upwards");
        row("not UTF-8", "title: \xff\n", "c.yaml:1: this is not valid UTF-8");
    }
    void aBadFileGetsOneLine() {
        QFETCH(QString, text);
        QFETCH(QString, why);
        // Bytes that are no UTF-8 do not survive a QString.
        const QString told = why.contains("UTF-8") ? whyNoCourse("title: \xff\n") : whyNoCourse(text.toStdString());
        QVERIFY2(told.contains(why) && !told.contains(u'\n'), qPrintable(told));
    }

    void whatALessonHasNotIsNamed() {
        const Course course = parseCourse(
            "title: a\nlessons:\n  - nowhere\n  - by-hand\n  - lesson: masks\n    steps: 1, 99\n  - by-hand\n"
            "  - attention\n",
            "c.yaml");
        QStringList lines;
        for (const LessonMistake& each : checkCourse(course, shippedLessons()))
            lines << QStringLiteral("%1: %2").arg(each.line).arg(QString::fromStdString(each.what));
        QCOMPARE(lines.filter("there is no lesson \"nowhere\""), QStringList("3: there is no lesson \"nowhere\""));
        QCOMPARE(lines.filter("twice"), QStringList("7: \"by-hand\" stands in the course twice"));
        QCOMPARE(lines.filter(" steps").size(), 1);
        QVERIFY(lines.filter("comes later").contains("4: \"by-hand\" needs \"attention\", which comes later"));
    }

    /// Every step of every lesson, taken alone, shows what it shows in its place.
    void aStepShowsWhatItShowsInItsLesson() {
        const std::vector<Lesson> all = shippedLessons();
        for (const Lesson& lesson : all) {
            Course course;
            course.stops.push_back({lesson.slug, {}, 1});
            QVERIFY(lessonsOf(course, all)[0].steps.size() == lesson.steps.size());
            std::vector<int>& steps = course.stops[0].steps;
            for (int step = 2; step <= static_cast<int>(lesson.steps.size()); step += 2)
                steps.push_back(step);
            const Lesson cut = lessonsOf(course, all).at(0);
            QCOMPARE(cut.steps.size(), steps.size());
            for (size_t i = 0; i < steps.size(); ++i) {
                const auto at = static_cast<size_t>(steps[i]) - 1;
                StageState is = cut.stateAt(i), was = lesson.stateAt(at);
                is.page = was.page;
                QVERIFY2(
                    is == was,
                    qPrintable(QStringLiteral("%1, step %2").arg(QString::fromStdString(lesson.slug)).arg(steps[i])));
                QVERIFY(!cut.tensorsAt(i) == !lesson.tensorsAt(at));
                QVERIFY(!cut.tensorsAt(i) || *cut.tensorsAt(i) == *lesson.tensorsAt(at));
            }
        }
    }

    /// All that a file may say comes back, however it was written.
    void aCourseThatIsWrittenAgainLosesNothing() {
        const std::string text =
            "# Mine.\n\ntitle: \"A: #1 of 'two'\"\nwords: |\n  First line.\n  # not a comment\nlessons:  # few\n"
            "  - by-hand   # bring a pencil\n  # the first half\n  - lesson: attention\n    steps: 1, 2, 3, 5 # no 4\n"
            "  - lesson: masks\n    steps: 1-2\n# the end\n";
        const Course course = parseCourse(text, "c.yaml");
        QCOMPARE(course.comments, (std::vector<std::string>{"# Mine.", "# few"}));
        QCOMPARE(course.stops[0].comments, std::vector<std::string>{"# bring a pencil"});
        QCOMPARE(course.stops[1].comments, (std::vector<std::string>{"# the first half", "# no 4"}));
        QCOMPARE(course.lastComments, std::vector<std::string>{"# the end"});
        QCOMPARE(course.words, std::string("First line.\n# not a comment"));
        const std::string written = courseText(course);
        const Course again = parseCourse(written, "c.yaml");
        QCOMPARE(again.title, course.title);
        QCOMPARE(again.words, course.words);
        QCOMPARE(again.comments, course.comments);
        QCOMPARE(again.lastComments, course.lastComments);
        QCOMPARE(again.stops.size(), course.stops.size());
        for (size_t i = 0; i < course.stops.size(); ++i) {
            QCOMPARE(again.stops[i].lesson, course.stops[i].lesson);
            QCOMPARE(again.stops[i].steps, course.stops[i].steps);
            QCOMPARE(again.stops[i].comments, course.stops[i].comments);
        }
        QCOMPARE(courseText(again), written);
        for (const char* title : {"null", "~", "12", "[a", "- b", "Tiếng Việt", "yes", "a \\ b", "{", "*x", "% y"}) {
            Course odd = course;
            odd.title = title;
            QCOMPARE(parseCourse(courseText(odd), "c.yaml").title, odd.title);
        }
    }

    void aLessonIsAddedWhereThePathHasIt() {
        const std::vector<Lesson> all = shippedLessons();
        Course course;
        for (const char* lesson : {"masks", "attention", "by-hand"})
            addLesson(course, lesson, all);
        const auto order = [&] {
            QStringList slugs;
            for (const Course::Stop& stop : course.stops)
                slugs << QString::fromStdString(stop.lesson);
            return slugs.join(u' ');
        };
        QCOMPARE(order(), QStringLiteral("attention by-hand masks"));
        const auto missing = missingNeeds(course, all);
        QVERIFY(missing);
        QCOMPARE(missing->lesson->slug, std::string("attention"));
        QCOMPARE(missing->needs.size(), 2U);
        for (const Lesson* need : missing->needs)
            addLesson(course, need->slug, all);
        QCOMPARE(order(), QStringLiteral("seq2seq bottleneck attention by-hand masks"));
        QVERIFY(!missingNeeds(course, all));
        // An order of one's own stays, and what is added comes after what it needs.
        std::ranges::reverse(course.stops);
        removeLesson(course, "by-hand");
        addLesson(course, "by-hand", all);
        QCOMPARE(order(), QStringLiteral("masks attention by-hand bottleneck seq2seq"));
    }

    void stepsAreTakenOneByOne() {
        const std::vector<Lesson> all = shippedLessons();
        const auto steps = static_cast<int>(std::ranges::find(all, std::string("masks"), &Lesson::slug)->steps.size());
        Course course;
        takeStep(course, "masks", 3, true, all);
        QCOMPARE(course.stops.at(0).steps, std::vector<int>{3});
        takeStep(course, "masks", 1, true, all);
        QCOMPARE(course.stops[0].steps, (std::vector<int>{1, 3}));
        for (int step = 1; step <= steps; ++step)
            takeStep(course, "masks", step, true, all);
        QVERIFY2(course.stops[0].steps.empty(), "all of them are the lesson, whatever is added to it later");
        takeStep(course, "masks", 2, false, all);
        QCOMPARE(course.stops[0].steps.size(), static_cast<size_t>(steps) - 1);
        for (int step = 1; step <= steps; ++step)
            takeStep(course, "masks", step, false, all);
        QVERIFY(course.stops.empty());
        QCOMPARE(stepRanges({1, 2, 3, 5, 7, 8}), std::string("1-3, 5, 7-8"));
    }

    void whatCannotBeWrittenLeavesTheFileThatWasThere() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("c.yaml").toStdString();
        Course course = parseCourse(kTwo, path);
        writeCourse(course, path);
        QCOMPARE(readCourse(path).stops.size(), 1U);
        course.title.clear();
        QVERIFY_THROWS_EXCEPTION(Error, writeCourse(course, path));
        course.title = "Long";
        course.words = std::string(size_t{70} << 10, 'x');
        QVERIFY_THROWS_EXCEPTION(Error, writeCourse(course, path));
        QVERIFY_THROWS_EXCEPTION(Error, writeCourse(parseCourse(kTwo, ""), "/nowhere/c.yaml"));
        QCOMPARE(readCourse(path).title, std::string("One hour"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList("c.yaml"));  // no temporary file is left
    }

    void theExampleIsACourse() {
        const Course course = readCourse(HEADLIGHT_SOURCE_DIR "/lessons/courses/attention-in-an-afternoon.yaml");
        QVERIFY(checkCourse(course, shippedLessons()).empty());
        QCOMPARE(lessonsOf(course, shippedLessons()).size(), course.stops.size());
    }
};

QTEST_GUILESS_MAIN(TestLessonCourse)
#include "test_lesson_course.moc"
