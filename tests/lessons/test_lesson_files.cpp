// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons of one's own: a file that is saved, a pack, and what is hostile or points nowhere.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <zip.h>

#include "core/platform/pace.h"
#include "tests/lessons/lesson_window.h"

using namespace headlight;

class TestLessonFiles : public fixture::LessonWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { beginCase(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void cleanupTestCase() { endCase(); }

    void aSavedChangeShowsAtOnceAndMistakesAreNamed() {
        const platform::ScopedPace atOnce(platform::Pace::AtOnce);
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("en"));
        QFile(QStringLiteral(HEADLIGHT_SOURCE_DIR "/lessons/template.md")).copy(folder.filePath("en/03-mine.md"));
        QFile file(folder.filePath("en/03-mine.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        QFile::setPermissions(file.fileName(), QFile::ReadOwner | QFile::WriteOwner);
        m_window->openLessons(file.fileName());
        QVERIFY(player().isOpen());
        const auto save = [&] {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(text);
            file.close();
        };
        text.replace("## A question first", "## Another question");
        text.replace("view: attention", "view: atention");
        save();
        QTRY_COMPARE(player().current().title, std::string("Another question"));
        QTRY_VERIFY(!bench().lessons.mistakes().empty());
        QVERIFY(bench().lessons.mistakes().front().what.find("view: atention") != std::string::npos);
        text.replace("view: atention", "view: attention");
        text.replace("Another question", "The third");
        save();
        QTRY_COMPARE(player().current().title, std::string("The third"));
        QTRY_VERIFY(bench().lessons.mistakes().empty());
    }

    void aPackOpensByItsZipAndAHostileOneDoesNothing() {
        QTemporaryDir folder;
        const auto pack = [&](const char* name, const QList<QPair<QByteArray, QByteArray>>& files) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            int error = 0;
            zip_t* archive = zip_open(path.toUtf8().constData(), ZIP_CREATE | ZIP_TRUNCATE, &error);
            for (const auto& [file, content] : files)
                zip_file_add(archive, file.constData(),
                             zip_source_buffer(archive, content.constData(), zip_uint64_t(content.size()), 0), 0);
            zip_close(archive);
            return path;
        };
        QFile source(QStringLiteral(HEADLIGHT_SOURCE_DIR "/lessons/template.md"));
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray lesson = source.readAll();
        m_window->openLessons(pack("good.zip", {{"mine/en/03-mine.md", lesson}, {"mine/read me.txt", "x"}}));
        QCOMPARE(m_window->noticeText(), QString());
        QVERIFY(bench().lessons.find(QStringLiteral("mine")));
        // Names that lead out, giants, and what is no zip: nothing is written, nothing opens, what was open stays.
        const QString target = folder.filePath(QStringLiteral("out.md"));
        m_window->openLessons(
            pack("out.zip", {{"../en/01-a.md", lesson}, {"/tmp/en/01-a.md", lesson}, {"en/../../out.md", lesson}}));
        QVERIFY(!m_window->noticeText().isEmpty());
        QVERIFY(!QFile::exists(target));
        m_window->openLessons(pack("giant.zip", {{"en/01-a.md", QByteArray(3 << 20, 'x')}}));
        QVERIFY(m_window->noticeText().contains(QLatin1String("more than a pack of lessons may")));
        QFile rubbish(folder.filePath(QStringLiteral("rubbish.zip")));
        QVERIFY(rubbish.open(QIODevice::WriteOnly));
        rubbish.write("PK\3\4 not a zip");
        rubbish.close();
        m_window->openLessons(rubbish.fileName());
        QVERIFY(m_window->noticeText().contains(QLatin1String("no zip")));
        QVERIFY(bench().lessons.find(QStringLiteral("mine")));
    }

    void aLessonThatPointsOutsideOfEverythingShowsWhatThereIs() {
        // What `lessons check` refuses, and whoever opens the folder all the same must survive.
        static constexpr const char* steps[] = {
            "```stage\nview: values\nsource: tôi yêu bạn\nfocus: encoder.input\nhead: 99\ncell: 5000, 5000\n```\n",
            "```stage\nview: attention\nfocus: decoder.layers.0.cross_attn.weights\nhead: 99\ncell: 77, 99\n```\n",
            "```stage\nview: architecture\nfocus: nothing.at.all\ncell: 9000, 9000\n```\n",
            "```stage\nview: recurrent\nmodel: vi-en-gru\nstep: 900\nlayer: 99\n```\n",
            "```stage\nview: positions\nmodel: vi-en-transformer\nlength: 5\nwidth: 5\ncell: 800, 800\n```\n",
            "```stage\nview: qkv\nfocus: scores\ncell: 80, 80\n```\n```tensors\nQ: [[1, 2], [3, 4]]\n```\n",
            "```tensors\nQ: [[1, 2], [3, 4]]\nK: [[1, 2, 3]]\nV: [[1], [2], [3], [4]]\n```\n",
            "```stage\nview: masks\n```\n```tensors\nwords: [a, b, c, d, e]\nscores: [[1, 2, 3], [1, 2, 3]]\n```\n",
            "```stage\nview: values\n```\n```check\nask: a\ncell: encoder.input[1]\nhint: h\nright: r\n```\n"};
        QByteArray text =
            "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n";
        for (const char* step : steps)
            text += QByteArray("## Step\n") + step;
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("en"));
        QFile file(folder.filePath(QStringLiteral("en/01-wild.md")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        m_window->openLessons(folder.path());
        player().open(QStringLiteral("wild"));
        QCOMPARE(player().steps(), int(std::size(steps)));
        for (int step = 0; step < player().steps(); ++step) {
            player().goTo(step);
            QTRY_VERIFY(m_window->stage().isSettled());
            player().look();
            QVERIFY(!m_window->grab().isNull());
        }
        QVERIFY(!player().filledIn("{{weights[1,1]}}").isEmpty());
    }
};

QTEST_MAIN(TestLessonFiles)
#include "test_lesson_files.moc"
