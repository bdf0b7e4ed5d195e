// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a lesson's words are computed beside the window: what stands there meanwhile, what replaces what, and
// who waits for them.
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "core/platform/pace.h"
#include "tests/session/jobs.h"
#include "tests/ui/fixture.h"
#include "ui/lessons/check_card.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/open/settling.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

namespace {

/// A disk that is slow for as long as it is told to be, and knows who read from it.
class SlowModels {
public:
    std::shared_ptr<const TrainedModel> open(const std::string& name) {
        std::unique_lock lock(m_mutex);
        m_readers.insert(std::this_thread::get_id());
        ++m_waiting;
        m_wake.notify_all();
        m_wake.wait(lock, [this] { return !m_slow; });
        --m_waiting;
        return fixture::shippedModel(QString::fromStdString(name));
    }
    void setSlow(bool slow) {
        const std::lock_guard lock(m_mutex);
        m_slow = slow;
        m_wake.notify_all();
    }
    bool isWaitedFor() {
        const std::lock_guard lock(m_mutex);
        return m_waiting > 0;
    }
    bool wasReadBy(std::thread::id thread) {
        const std::lock_guard lock(m_mutex);
        return m_readers.contains(thread);
    }

private:
    std::mutex m_mutex;  ///< guards all that follows
    std::condition_variable m_wake;
    std::set<std::thread::id> m_readers;
    int m_waiting = 0;
    bool m_slow = true;
};

constexpr const char* kBackgroundNumbersLesson =
    "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n"
    "## One\n```stage\nsource: tôi yêu bạn\n```\nIt begins with {{encoder.input[1,1]}}, you see.\n"
    "## Two\n```stage\nsource: bạn yêu tôi\n```\nIt begins with {{encoder.input[1,1]}}, you see.\n"
    "```check\nask: How does it begin?\nnumber: encoder.input[1,1]\nhint: You said {{given}}.\nright: Right.\n```\n"
    "## Three\nStill {{encoder.input[2,1]}}.\n";

}  // namespace

class TestBackgroundNumbers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QCoreApplication::setOrganizationName(QStringLiteral("Headlight tests"));
        m_theme = std::make_unique<fixture::LightTheme>();
        QDir(m_folder.path()).mkpath(QStringLiteral("en"));
        QFile file(m_folder.filePath(QStringLiteral("en/01-one.md")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kBackgroundNumbersLesson);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void init() {
        QSettings().clear();
        m_pace = std::make_unique<platform::ScopedPace>(platform::Pace::Hourly);  // nobody saves the lesson meanwhile
        m_models = std::make_unique<SlowModels>();
        m_settling = std::make_unique<Settling>();
        m_library = std::make_unique<LessonLibrary>(
            nullptr, [models = m_models.get()](const std::string& name) { return models->open(name); });
        m_models->setSlow(false);  // the checker reads as well, on a thread of its own
        QSignalSpy changed(m_library.get(), &LessonLibrary::changed);
        m_library->open(m_folder.path());
        QTRY_COMPARE(changed.count(), 2);  // read, and checked
        m_models->setSlow(true);
        m_player = std::make_unique<LessonPlayer>(*m_library, m_settling.get());
        m_panel = std::make_unique<LessonPanel>(*m_player);
    }
    void cleanup() {
        m_models->setSlow(false);  // whoever still reads must come to an end
        m_panel.reset();
        m_player.reset();
        m_library.reset();
        m_settling.reset();
        m_models.reset();
        m_pace.reset();
    }

    void wordsStandAtOnceAndTheirNumbersWhenTheyAreThere() {
        m_player->open(QStringLiteral("one"));
        QVERIFY(!m_player->hasNumbers());
        QCOMPARE(said(), QStringLiteral("It begins with …, you see."));
        QTRY_VERIFY(m_models->isWaitedFor());
        QVERIFY2(!m_settling->isSettled(), "the stage is not there before its numbers are");
        m_models->setSlow(false);
        QTRY_VERIFY(m_player->hasNumbers());
        QCOMPARE(said(), written("tôi yêu bạn", 1));
        QTRY_VERIFY(m_settling->isSettled());
        QVERIFY2(!m_models->wasReadBy(std::this_thread::get_id()), "the window has not waited for a model");
    }

    void numbersOfAStepThatWasLeftNeverReplaceThoseOfAnother() {
        m_player->open(QStringLiteral("one"));
        QTRY_VERIFY(m_models->isWaitedFor());  // step 1 is being read
        m_player->goTo(1);
        QCOMPARE(said(), QStringLiteral("It begins with …, you see."));
        QSignalSpy ready(m_player.get(), &LessonPlayer::numbersReady);
        m_models->setSlow(false);
        QTRY_COMPARE(ready.count(), 1);
        QCOMPARE(said(), written("bạn yêu tôi", 1));
        QVERIFY(fixture::allJobsAreDone());
        QCOMPARE(ready.count(), 1);
        QCOMPARE(said(), written("bạn yêu tôi", 1));
        QVERIFY(written("bạn yêu tôi", 1) != written("tôi yêu bạn", 1));
    }

    void aStepOnTheSameReadingHasItsNumbersAtOnce() {
        m_models->setSlow(false);
        m_player->open(QStringLiteral("one"));
        m_player->goTo(1);
        QTRY_VERIFY(m_player->hasNumbers());
        m_player->goTo(2);
        QVERIFY(m_player->hasNumbers());
        QVERIFY2(!said().contains(u'…'), qPrintable(said()));
    }

    void anAnswerThatCameEarlierIsJudgedWhenItCanBe() {
        m_player->open(QStringLiteral("one"));
        m_player->goTo(1);
        auto* card = m_panel->content()->findChild<CheckCard*>();
        QVERIFY(card);
        card->answer()->setText(QStringLiteral("99"));
        emit card->checkButton()->clicked();
        QCOMPARE(card->verdict(), QString());
        m_models->setSlow(false);
        QTRY_COMPARE(card->verdict(), QStringLiteral("You said 99."));
    }

    void aLessonThatIsClosedWaitsForNothing() {
        m_player->open(QStringLiteral("one"));
        QTRY_VERIFY(m_models->isWaitedFor());
        QSignalSpy ready(m_player.get(), &LessonPlayer::numbersReady);
        m_player->close();
        QVERIFY(m_settling->isSettled());
        m_models->setSlow(false);
        QVERIFY(fixture::allJobsAreDone());
        QCOMPARE(ready.count(), 0);
    }

private:
    QString said() const { return m_panel->content()->findChild<LessonText*>()->toPlainText().trimmed(); }
    /// The same words with what the engine says.
    static QString written(const char* source, int row) {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        LessonNumbers numbers([&](const std::string&) { return model; });
        LessonScene scene;
        scene.state.model = "vi-en-transformer";
        scene.state.source = source;
        const double value = numbers.number(scene, {"encoder.input", {row, 1}});
        return QStringLiteral("It begins with %1, you see.").arg(QString::fromStdString(writtenNumber(value, 3)));
    }

    QTemporaryDir m_folder;
    std::unique_ptr<fixture::LightTheme> m_theme;
    std::unique_ptr<platform::ScopedPace> m_pace;
    std::unique_ptr<SlowModels> m_models;
    std::unique_ptr<Settling> m_settling;
    std::unique_ptr<LessonLibrary> m_library;
    std::unique_ptr<LessonPlayer> m_player;
    std::unique_ptr<LessonPanel> m_panel;
};

QTEST_MAIN(TestBackgroundNumbers)
#include "test_background_numbers.moc"
