// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers are written and read with a point, whatever the language of the system: a program with a window takes it
// over.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <clocale>
#include <cmath>
#include <cstdlib>

#include "core/error.h"
#include "core/lessons/lesson_numbers.h"
#include "core/lessons/lesson_parser.h"
#include "core/models/model_config.h"
#include "core/number_text.h"

using namespace headlight;

class TestNumberText : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void numbersAreWrittenWithAPoint();
    void numbersAreReadWithAPoint();
    void aLessonsNumbersAreThoseOfItsFile();
    void configurationsAreRefusedInPoints();

private:
    QTemporaryDir m_folder;
};

/// A language with commas, made here: a machine has those only that somebody installed.
void TestNumberText::initTestCase() {
    const auto write = [this](const char* name, const QByteArray& text) {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("rules", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
    QByteArray characters =
        "<code_set_name> ANSI_X3.4-1968\n<comment_char> %\n<escape_char> /\n<mb_cur_min> 1\n<mb_cur_max> 1\nCHARMAP\n";
    for (int c = 0; c < 128; ++c)
        characters += QString::asprintf("<U%04X> /x%02x C%d\n", c, c, c).toLatin1();
    write("characters", characters + "END CHARMAP\n");
    // It warns of every other category that is missing, and says so with its status.
    QProcess::execute("localedef", {"-c", "--quiet", "--no-archive", "-f", m_folder.filePath("characters"), "-i",
                                    m_folder.filePath("rules"), m_folder.filePath("comma")});
    qputenv("LOCPATH", m_folder.path().toLocal8Bit());
    QVERIFY(std::setlocale(LC_NUMERIC, "comma"));
    QCOMPARE(QString(std::localeconv()->decimal_point), QString(","));
    QCOMPARE(QString::fromStdString(std::to_string(0.5)), QString("0,500000"));
}

void TestNumberText::numbersAreWrittenWithAPoint() {
    QCOMPARE(fixedNumber(0.385, 3), std::string("0.385"));
    QCOMPARE(fixedNumber(-1234.5, 2), std::string("-1234.50"));
    QCOMPARE(fixedNumber(1e300, 1).size(), size_t{303});
    QCOMPARE(shortestNumber(1.5), std::string("1.5"));
    QCOMPARE(writtenNumber(0.385, 3), std::string("0.385"));
    QCOMPARE(writtenNumber(-0.385, 3), std::string("−0.385"));
    QCOMPARE(writtenNumber(-0.0001, 3), std::string("0.000"));
    QCOMPARE(writtenNumber(-INFINITY, 3), std::string("−∞"));
}

void TestNumberText::numbersAreReadWithAPoint() {
    QCOMPARE(readNumber("100.5").value_or(0), 100.5);
    QCOMPARE(readNumber("1e-310").value_or(0), 1e-310);
    for (const char* text : {"", "1,5", "1.5 ", "one", "1e999"})
        QVERIFY2(!readNumber(text), text);
}

void TestNumberText::aLessonsNumbersAreThoseOfItsFile() {
    const auto baseOf = [](const std::string& base) {
        std::vector<LessonMistake> mistakes;
        const Lesson lesson = parseLesson(
            "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [one, two]\n---\n"
            "\n## A\n```stage\nview: positions\nbase: " +
                base + "\n```\n",
            "x/en/03-gates.md", mistakes);
        return sceneOf(lesson, 0).state.positions.base;
    };
    QCOMPARE(baseOf("100.5"), 100.5);
    QCOMPARE(baseOf("1e-310"), 1e-310);
}

void TestNumberText::configurationsAreRefusedInPoints() {
    ModelConfig config{.dropout = 1.5, .sourceVocabSize = 10, .targetVocabSize = 10};
    try {
        config.validate();
        QFAIL("it was taken");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains("dropout is 1.5:"), error.what());
    }
}

QTEST_APPLESS_MAIN(TestNumberText)
#include "test_number_text.moc"
