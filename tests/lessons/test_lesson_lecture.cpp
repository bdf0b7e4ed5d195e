// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson on the projector and on paper.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <optional>

#include <sys/resource.h>

#include "tests/lessons/lesson_window.h"
#include "tests/session/jobs.h"
#include "ui/lessons/lesson_text.h"
#include "ui/shell/handout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/presenter.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

namespace {

/// While it lives no file grows beyond so many bytes: to who writes, the disk is full.
class FullDisk {
public:
    explicit FullDisk(rlim_t most) : m_handler(signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{most, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &m_before);
        signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

}  // namespace

class TestLessonLecture : public fixture::LessonWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { beginCase(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void cleanupTestCase() { endCase(); }

    void onTheProjectorALessonIsALecture() {
        player().open(QStringLiteral("by-hand"));
        Presenter presenter(bench(), m_window->rooms());
        presenter.setAttribute(Qt::WA_DeleteOnClose, false);
        presenter.resize(1440, 900);
        presenter.show();
        QCOMPARE(presenter.pages(), player().steps());
        QVERIFY(presenter.isStep());
        for (int column = presenter.words().columns(); column > 0; --column) {
            QCOMPARE(player().step(), 0);
            QVERIFY(presenter.showsWords());
            QTest::keyClick(&presenter, Qt::Key_PageDown);
        }
        // The equation, which is too small beside its words, has the screen before the next step comes.
        QCOMPARE(player().step(), 0);
        QVERIFY(presenter.isAlone() && !presenter.showsWords());
        const double alone = presenter.enlargement();
        QTest::keyClick(&presenter, Qt::Key_PageUp);
        QVERIFY(!presenter.isAlone() && presenter.showsWords());
        QVERIFY(presenter.enlargement() < alone / 1.1);
        QTest::keyClick(&presenter, Qt::Key_PageDown);
        QTest::keyClick(&presenter, Qt::Key_PageDown);
        QCOMPARE(player().step(), 1);
        QTRY_VERIFY(m_window->stage().isSettled());
        const QImage second = presenter.grab().toImage();
        QTest::keyClick(&presenter, Qt::Key_PageUp);
        QCOMPARE(player().step(), 0);
        QTRY_VERIFY(presenter.grab().toImage() != second);
        // The window is the notes: turning a step there turns the slide.
        QTest::mouseClick(m_window->lessonPanel()->nextButton(), Qt::LeftButton);
        QCOMPARE(presenter.page(), 1);
    }

    /// What the panel says stands on the slides, column after column, whole; a clicker comes by all of it.
    void onTheProjectorEveryStepSaysItsWords() {
        player().open(QStringLiteral("by-hand"));
        Presenter presenter(bench(), m_window->rooms());
        presenter.setAttribute(Qt::WA_DeleteOnClose, false);
        presenter.resize(1440, 810);
        presenter.show();
        const auto squeezed = [](QString text) { return text.remove(QRegularExpression(QStringLiteral("\\s"))); };
        int columns = 0;
        for (int step = 0; step < player().steps(); ++step) {
            QCOMPARE(player().step(), step);
            QTRY_VERIFY(player().hasNumbers());
            QVERIFY(presenter.words().isWhole());
            QStringList told;
            for (const LessonText* text : m_window->lessonPanel()->content()->findChildren<LessonText*>())
                told << squeezed(text->toPlainText());
            QString said;
            do {
                said += squeezed(presenter.words().text());
                ++columns;
                const bool isLast = presenter.words().column() + 1 == presenter.words().columns();
                if (isLast && step + 1 == player().steps()) break;
                QTest::keyClick(&presenter, Qt::Key_PageDown);
            } while (player().step() == step);
            for (const QString& text : told)
                QVERIFY2(said.contains(text), qPrintable(text));
        }
        QVERIFY(columns >= player().steps());
        QVERIFY(presenter.showsWords());
        const QImage with = presenter.grab().toImage();
        QTest::keyClick(&presenter, Qt::Key_W);
        QVERIFY(!presenter.showsWords());
        QVERIFY(presenter.grab().toImage() != with);
    }

    void aHandoutHoldsEveryStep() {
        QTemporaryDir folder;
        player().open(QStringLiteral("by-hand"));
        player().goTo(2);
        auto* handout =
            new Handout(player(), m_window->stage(), m_window->rooms(), folder.filePath(QStringLiteral("x.pdf")));
        QSignalSpy finished(handout, &Handout::finished), drawn(handout, &Handout::drawn);
        handout->start();
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(drawn.count(), player().steps());
        QCOMPARE(player().step(), 2);
        QFile file(folder.filePath(QStringLiteral("x.pdf")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray pdf = file.readAll();
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.count("/Type /Page\n") >= 4);
        auto* nowhere = new Handout(player(), m_window->stage(), m_window->rooms(), QStringLiteral("/nowhere/x.pdf"));
        QSignalSpy failed(nowhere, &Handout::failed);
        nowhere->start();
        QTRY_COMPARE(failed.count(), 1);
    }

    void aHandoutThatTheDiskCannotHoldIsSaidAndLeavesNothing() {
        QTemporaryDir folder;
        player().open(QStringLiteral("by-hand"));
        const QString path = folder.filePath(QStringLiteral("full.pdf"));
        auto* handout = new Handout(player(), m_window->stage(), m_window->rooms(), path);
        connect(handout, &Handout::failed, m_window.get(), &MainWindow::say);
        QSignalSpy drawn(handout, &Handout::drawn), finished(handout, &Handout::finished),
            failed(handout, &Handout::failed);
        std::optional<FullDisk> full;  // from the last step but one on
        connect(handout, &Handout::drawn, handout, [&] {
            if (drawn.count() == player().steps() - 1) full.emplace(16 << 10);
        });
        handout->start();
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(full);
        full.reset();
        QCOMPARE(failed.count(), 1);
        QTRY_VERIFY(m_window->stage().isSettled());
        QVERIFY(fixture::allJobsAreDone());
        const QString said = m_window->noticeText();
        QVERIFY2(said.startsWith(path + QStringLiteral(": cannot be written (")), qPrintable(said));
        QVERIFY2(said.size() > path.size() + 25 && !said.contains(u'\n'), qPrintable(said));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    }
};

QTEST_MAIN(TestLessonLecture)
#include "test_lesson_lecture.moc"
