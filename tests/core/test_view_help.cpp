// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about views: read from help.yaml, with what is wrong in it by its line.
#include <QTest>
#include <algorithm>

#include "core/lessons/lesson_folder.h"
#include "core/lessons/view_help.h"
#include "core/views/views.h"

using namespace headlight;

class TestViewHelp : public QObject {
    Q_OBJECT
private slots:
    void aViewsHelpIsRead() {
        std::vector<LessonMistake> mistakes;
        const auto help = parseHelp(R"(masks:
  shows: >-
    Which words may be
    looked at.
  parts:
    - at: picture
      is: "A row for each word: the one that looks."
  can:
    - keys: Click
      does: Mask a cell
  lesson: masks
  not: What is masked is not forgotten.
cost: {shows: Sizes., no_lesson: true}
)",
                                    "help.yaml", mistakes);
        QVERIFY2(mistakes.empty(), mistakes.empty() ? "" : mistakes.front().what.c_str());
        QCOMPARE(help.size(), size_t{2});
        const ViewHelp& masks = help.at("masks");
        QCOMPARE(masks.shows, std::string("Which words may be looked at."));
        QCOMPARE(masks.parts.size(), size_t{1});
        QCOMPARE(masks.parts[0].at, std::string("picture"));
        QCOMPARE(masks.parts[0].is, std::string("A row for each word: the one that looks."));
        QCOMPARE(masks.can.at(0).keys + ": " + masks.can.at(0).does, std::string("Click: Mask a cell"));
        QCOMPARE(masks.lesson, std::string("masks"));
        QCOMPARE(masks.doesNotSay, std::string("What is masked is not forgotten."));
        QVERIFY(help.at("cost").lesson.empty());
    }

    void whatIsWrongIsNamedByItsLine_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("said");
        const QByteArray right = "masks:\n  shows: Words.\n  no_lesson: true\n";
        QTest::newRow("no YAML") << QByteArray("masks: [\n") << 0 << QByteArray("not YAML");
        QTest::newRow("a list") << QByteArray("- masks\n") << 1 << QByteArray("the name of a view");
        QTest::newRow("no such view") << right + "mask: {shows: x, no_lesson: true}\n"
                                      << 4 << QByteArray("there is no view \"mask\"");
        QTest::newRow("no map") << right + "cost: sizes\n" << 4 << QByteArray("cost");
        QTest::newRow("no such key") << right + "  show: twice\n" << 4 << QByteArray("has no \"show\"");
        QTest::newRow("no such part") << right + "  parts:\n    - {at: nowhere, is: x}\n"
                                      << 5 << QByteArray("masks has no part \"nowhere\"");
        QTest::newRow("half an entry") << right + "  can:\n    - {keys: M}\n" << 5 << QByteArray("keys and does");
        QTest::newRow("no list") << right + "  can: M\n" << 4 << QByteArray("a list");
        QTest::newRow("shows nothing") << QByteArray("masks:\n  no_lesson: true\n") << 2 << QByteArray("lacks shows");
        QTest::newRow("no lesson") << QByteArray("masks:\n  shows: x\n") << 2 << QByteArray("needs a lesson");
        QTest::newRow("both") << right + "  lesson: masks\n" << 2 << QByteArray("needs a lesson");
    }
    void whatIsWrongIsNamedByItsLine() {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QByteArray, said);
        std::vector<LessonMistake> mistakes;
        parseHelp(text.toStdString(), "help.yaml", mistakes);
        const auto found = std::ranges::find_if(mistakes, [&](const LessonMistake& mistake) {
            return QByteArray::fromStdString(mistake.what).contains(said);
        });
        QVERIFY2(found != mistakes.end(), mistakes.empty() ? "no mistake" : mistakes.front().what.c_str());
        if (line > 0) QCOMPARE(found->line, line);
        QCOMPARE(found->path, std::string("help.yaml"));
    }

    void theProgramsOwnIsWholeAndHasNoMistake() {
        const LessonFolder folder = readLessonFolder(HEADLIGHT_SOURCE_DIR "/lessons");
        for (const LessonMistake& mistake : folder.mistakes)
            QVERIFY2(mistake.path.find("help.yaml") == std::string::npos, mistake.what.c_str());
        for (const View* view : views()) {
            const ViewHelp* const help = folder.helpOf(view->name, "en");
            QVERIFY2(help && !help->parts.empty() && !help->can.empty() && !help->doesNotSay.empty(), view->name);
            // A language that says nothing of it has the English words.
            QCOMPARE(folder.helpOf(view->name, "vi"), help);
        }
        QVERIFY(folder.helpOf("no-such-view", "en") == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestViewHelp)
#include "test_view_help.moc"
