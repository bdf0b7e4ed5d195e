// SPDX-License-Identifier: GPL-3.0-or-later
// An instructor's course: how its file is read, checked and cut out of the lessons.
#include <QTest>

#include "core/error.h"
#include "core/lessons/course.h"
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

std::vector<Lesson> shipped() {
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
        for (const LessonMistake& each : checkCourse(course, shipped()))
            lines << QStringLiteral("%1: %2").arg(each.line).arg(QString::fromStdString(each.what));
        QCOMPARE(lines.filter("there is no lesson \"nowhere\""), QStringList("3: there is no lesson \"nowhere\""));
        QCOMPARE(lines.filter("twice"), QStringList("7: \"by-hand\" stands in the course twice"));
        QCOMPARE(lines.filter(" steps").size(), 1);
        QVERIFY(lines.filter("comes later").contains("4: \"by-hand\" needs \"attention\", which comes later"));
    }

    /// Every step of every lesson, taken alone, shows what it shows in its place.
    void aStepShowsWhatItShowsInItsLesson() {
        const std::vector<Lesson> all = shipped();
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

    void theExampleIsACourse() {
        const Course course = readCourse(HEADLIGHT_SOURCE_DIR "/lessons/courses/attention-in-an-afternoon.yaml");
        QVERIFY(checkCourse(course, shipped()).empty());
        QCOMPARE(lessonsOf(course, shipped()).size(), course.stops.size());
    }
};

QTEST_GUILESS_MAIN(TestLessonCourse)
#include "test_lesson_course.moc"
