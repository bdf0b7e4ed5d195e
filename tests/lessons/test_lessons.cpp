// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of every lesson in every language, played on the real stage: the view appears, the focus is there, each
// check takes its right answer and refuses wrong ones, and what is to be tried is seen once it was done by hand.
// Each lesson is played in one window out of six (three sizes, light and dark), and what its steps point at is looked
// for in all three sizes; HEADLIGHT_EVERYTHING=1 plays all lessons in all six. HEADLIGHT_SHOTS=FOLDER keeps a picture
// of each step.
#include <QAbstractButton>
#include <QClipboard>
#include <QDir>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <optional>

#include <sys/resource.h>
#include <zip.h>

#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/lesson_check.h"
#include "tests/lessons/step_sight.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/fixture.h"
#include "ui/lessons/check_card.h"
#include "ui/lessons/code_card.h"
#include "ui/lessons/formula_box.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/handout.h"
#include "ui/shell/learn_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/presenter.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/decode/forcing/forcing_stage.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/laboratory/batch_shapes.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/loss/loss_word.h"
#include "ui/views/models/cost/growth_chart.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/residual/stream_chart.h"
#include "ui/views/subwords/merge_chart.h"
#include "ui/views/subwords/subwords_view.h"
#include "ui/views/surgery/place_map.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/views/train/training_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"

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

class TestLessons : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_manager = fixture::calmTheme(m_settings); }
    void init() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(*m_manager);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openModel(firstModel());
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(bench().session.isSettled() && bench().session.reading(), 20000);
    }
    void cleanup() {
        m_window.reset();
        m_manager->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_manager.reset(); }

    void everyLessonIsWholeAndWithoutMistake() {
        const std::string folder = shippedFolder(QStringLiteral("lessons")).toStdString();
        const LessonFolder lessons = readLessonFolder(folder);
        const auto open = [](const std::string& name) {
            const QString file = shippedModel(QString::fromStdString(name));
            if (file.isEmpty()) throw Error("no model " + name);
            return std::make_shared<const TrainedModel>(loadModel(file.toStdString()));
        };
        const auto mistakes =
            checkLessons(lessons, {open, {shippedFolder(QStringLiteral("formulas")).toStdString()}, {}});
        for (const LessonMistake& mistake : mistakes)
            qWarning("%s:%d: %s", mistake.path.c_str(), mistake.line, mistake.what.c_str());
        QVERIFY(mistakes.empty());
        int last = 0;
        for (const Lesson& lesson : lessons.inLanguage("en")) {
            QVERIFY2(lesson.number > last && lesson.number <= 24, lesson.slug.c_str());
            last = lesson.number;
            // Beside the last, which has the same in code.
            QVERIFY2(lesson.steps.size() >= 9 && lesson.steps.size() <= 15, lesson.slug.c_str());
            const auto isCode = [](const LessonPart& part) { return std::holds_alternative<LessonCode>(part); };
            QVERIFY2(std::ranges::any_of(lesson.steps.back().parts, isCode), lesson.slug.c_str());
            QVERIFY2(lesson.minutes >= 10 && lesson.minutes <= 25, lesson.slug.c_str());
            QVERIFY2(lesson.sources.size() >= 2, lesson.slug.c_str());
        }
        for (const char* language : {"vi", "ru"})
            QVERIFY(lessons.find("by-hand", language));
    }

    void everyStepPlays_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("slug");
        QTest::addColumn<int>("sight");
        const LessonFolder lessons = readLessonFolder(shippedFolder(QStringLiteral("lessons")).toStdString());
        const bool everything = qEnvironmentVariableIsSet("HEADLIGHT_EVERYTHING");
        for (const Lesson& lesson : lessons.lessons)
            for (int number = 0; number < fixture::kSights; ++number) {
                if (!everything && number != lesson.number % fixture::kSights) continue;
                const std::string name =
                    lesson.language + "/" + lesson.slug + " " + nameOf(fixture::sight(number)).toStdString();
                QTest::newRow(name.c_str())
                    << QString::fromStdString(lesson.language) << QString::fromStdString(lesson.slug) << number;
            }
    }
    void everyStepPlays() {
        QFETCH(QString, language);
        QFETCH(QString, slug);
        QFETCH(int, sight);
        m_manager->setMode(fixture::sight(sight).theme);
        m_window->resize(fixture::sight(sight).size);
        bench().lessons.setLanguage(language);
        player().open(slug);
        QVERIFY(player().isOpen());
        QVERIFY(m_window->lessonPanel()->isVisible());
        for (int step = 0; step < player().steps(); ++step) {
            if (step > 0) QTest::mouseClick(m_window->lessonPanel()->nextButton(), Qt::LeftButton);
            QCOMPARE(player().step(), step);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
            const QByteArray where = QStringLiteral("step %1").arg(step + 1).toUtf8();
            QVERIFY2(m_window->noticeText().isEmpty(), (where + ": " + m_window->noticeText().toUtf8()).constData());
            stageIsAsTheStepSays(step);
            if (QTest::currentTestFailed()) QFAIL(where.constData());
            nothingIsMissingInTheText();
            keepPicture(language, slug, step);
            nothingIsOutOfSight(step, fixture::sight(sight).size);
            if (QTest::currentTestFailed()) QFAIL(where.constData());
            for (int part = 0; part < int(player().current().parts.size()); ++part) {
                const LessonPart& it = player().current().parts[size_t(part)];
                if (const auto* check = std::get_if<LessonCheck>(&it)) judge(*check, part);
                if (const auto* task = std::get_if<LessonTask>(&it)) meet(*task, part);
                if (QTest::currentTestFailed()) QFAIL(where.constData());
            }
        }
    }

    void goingBackReturnsExactly() {
        player().open(QStringLiteral("attention"));
        std::vector<StageSetting> seen;
        for (int step = 0; step < player().steps(); ++step) {
            player().goTo(step);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
            seen.push_back(state());
        }
        // Somebody plays in between.
        bench().session.setSource(QStringLiteral("tôi yêu bạn"));
        bench().selection.setHead(0);
        m_window->rooms().showView(ViewName::Models);
        for (int step = player().steps() - 1; step >= 0; --step) {
            player().goTo(step);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
            QVERIFY(state() == seen[size_t(step)]);
        }
    }

    void aTermTellsItsMeaningUnderThePointer() {
        player().open(QStringLiteral("seq2seq"));
        QTRY_VERIFY(m_window->stage().isSettled());
        for (auto* text : m_window->lessonPanel()->content()->findChildren<LessonText*>()) {
            if (!text->toPlainText().contains(QLatin1String("model"))) continue;
            emit text->highlighted(QUrl(QStringLiteral("#model")));
            QTRY_VERIFY(QToolTip::text().contains(bench().lessons.meaning(QStringLiteral("model")).left(20)));
            QVERIFY(!bench().lessons.meaning(QStringLiteral("model")).isEmpty());
            return;
        }
        QFAIL("the first step says nothing of a model");
    }

    void aTargetIsWrittenWhateverTheModelWouldSay() {
        m_window->stage().apply(stageFrom({{"source", "tôi yêu bạn"}, {"target", "you love me"}}));
        QTRY_VERIFY(m_window->stage().isSettled());
        QCOMPARE(bench().session.reading()->trace->targetTokens,
                 (std::vector<std::string>{"<bos>", "you", "love", "me"}));
        m_window->stage().apply(stageFrom({{"source", "tôi yêu bạn"}}));
        QTRY_VERIFY(m_window->stage().isSettled());
        QCOMPARE(bench().session.reading()->trace->targetTokens,
                 (std::vector<std::string>{"<bos>", "i", "love", "you"}));
    }

    /// Its content scrolls down only: what is wider is cut off at the right.
    void aQuestionIsNoWiderThanANarrowPanel() {
        m_window->resize(1024, 700);
        player().open(QStringLiteral("positions"));
        player().goTo(2);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
        const QWidget& content = *m_window->lessonPanel()->content();
        QTRY_VERIFY(content.width() <= content.parentWidget()->width());
        m_window->resize(1440, 900);
    }

    void lettingTheReaderPlayAndComingBackRestoresTheStage() {
        player().open(QStringLiteral("by-hand"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
        const StageSetting before = state();
        QTest::mouseClick(m_window->lessonPanel()->playButton(), Qt::LeftButton);
        QVERIFY(!m_window->lessonPanel()->isVisible());
        m_window->rooms().showView(ViewName::Decode);
        bench().session.setSource(QStringLiteral("tôi yêu bạn"));
        for (auto* button : m_window->findChildren<Button*>())
            if (button->isVisible() && button->text() == QLatin1String("Back to the lesson")) {
                button->click();
                break;
            }
        QVERIFY(m_window->lessonPanel()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
        QVERIFY(state() == before);
    }

    void aStepThatATranslationLacksIsEnglish() {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("en"));
        QDir(folder.path()).mkpath(QStringLiteral("vi"));
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QByteArray head =
            "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-gru\nsources: [a]\n---\n";
        write("en/01-one.md", head + "## First\n\nOne.\n\n## Second\n\nTwo.\n\n## Third\n\nThree.\n");
        write("vi/01-one.md", head + "## Một\n\nMột.\n\n## Second\n");
        LessonLibrary& library = bench().lessons;
        library.open(folder.path());
        library.setLanguage(QStringLiteral("vi"));
        const Lesson* lesson = library.find(QStringLiteral("one"));
        QCOMPARE(lesson->steps.size(), size_t(3));
        QCOMPARE(lesson->steps[0].title, std::string("Một"));
        QCOMPARE(std::get<LessonProse>(lesson->steps[1].parts[0]).markdown, std::string("Two."));
        QCOMPARE(lesson->steps[2].title, std::string("Third"));
    }

    void whatIsNotTranslatedSaysThatItIsEnglish() {
        LessonLibrary& library = bench().lessons;
        library.setLanguage(QStringLiteral("ru"));
        LessonList list(library);
        list.show();
        QStringList said;
        for (const QLabel* label : list.findChildren<QLabel*>())
            said << label->text();
        const int all = static_cast<int>(library.lessons().size());
        QVERIFY2(said.contains(QStringLiteral("Русский: 1 of %1 lessons; the others are in English").arg(all)),
                 qPrintable(said.join(u'|')));
        int english = 0;
        for (int i = 0; i < all; ++i)
            english += list.card(i)->accessibleDescription().startsWith(QLatin1String("in English")) ? 1 : 0;
        QCOMPARE(english, all - 1);
        library.setLanguage(QStringLiteral("en"));
        QVERIFY(!list.card(0)->accessibleDescription().startsWith(QLatin1String("in English")));
    }

    void aWrongAnswerIsExplainedFromTheReadersOwnNumber() {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("en"));
        QFile file(folder.filePath(QStringLiteral("en/01-one.md")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "---\ntitle: T\nsummary: s\nminutes: 5\nneeds: []\nmodel: vi-en-gru\nsources: [a]\n---\n## One\n"
            "```tensors\nQ: [[2, 0], [0, 2]]\nK: [[1, 5], [-3, 4], [0.5, 0.25]]\nV: [[1, 0], [0, 1], [0, 0]]\n```\n"
            "```check\nask: a\nnumber: scores[1,2]\nhint: You said {{given}}.\nright: Right.\n```\n");
        file.close();
        bench().lessons.open(folder.path());
        bench().lessons.setLanguage(QStringLiteral("en"));
        player().open(QStringLiteral("one"));
        QTRY_VERIFY(player().hasNumbers());
        // Scores are q·k/√2: row 1 is 1.414, −4.243, 0.707; row 2 is 7.071, 5.657, 0.354.
        const auto said = [&](const char* answer) { return player().judgeNumber(0, QString::fromUtf8(answer)).text; };
        QVERIFY(said("4.243").contains(QLatin1String("Only the sign is wrong")));
        QVERIFY(said("7.071").contains(QLatin1String("row 2, column 1: row and column are swapped")));
        QVERIFY(said("0,707").contains(QLatin1String("in the same row, in column 3")));
        QCOMPARE(said("99"), QStringLiteral("You said 99."));
        QVERIFY(said("many").contains(QLatin1String("is no number")));
        QVERIFY(!player().isSolved(0));
        QVERIFY(player().judgeNumber(0, QStringLiteral("−4,243")).isRight);
        QVERIFY(player().isSolved(0));
    }

    void aStepsLinesOfPyTorchAreACardThatCopiesThem() {
        player().open(QStringLiteral("by-hand"));
        player().goTo(player().steps() - 1);
        QTRY_VERIFY_WITH_TIMEOUT(player().hasNumbers(), 30000);
        auto* card = m_window->lessonPanel()->content()->findChild<CodeCard*>();
        QVERIFY(card);
        QVERIFY2(card->printed().startsWith(QLatin1String("0.1950 0.2050 0.2600 0.1000 0.2400\n0.1987 0.2007")),
                 qPrintable(card->printed()));
        const std::string folder = "import torch\nfrom modeling import load_model";
        QVERIFY(whereCodeRuns({0, {}, folder, "1"}, "vi-en-gru").contains(QLatin1String("makes of vi-en-gru")));
        QVERIFY(whereCodeRuns({0, {}, "import torch", "1"}, "vi-en-gru").contains(QLatin1String("Wherever PyTorch")));
        QVERIFY(whereCodeRuns({0, {}, "print(1)", "1"}, "vi-en-gru").contains(QLatin1String("Wherever Python")));
        card->copyButton()->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QLatin1String("import torch\n\nX = torch.tensor([[0.3")), qPrintable(copied));
        QVERIFY2(copied.contains(QLatin1String("\n                  [0.1, 0.2")), qPrintable(copied));
    }

    void aSavedChangeShowsAtOnceAndMistakesAreNamed() {
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
            QTest::keyClick(&presenter, Qt::Key_PageDown);
        }
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
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
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
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
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
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
        QVERIFY(full);
        full.reset();
        QCOMPARE(failed.count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
        QTest::qWait(100);
        const QString said = m_window->noticeText();
        QVERIFY2(said.startsWith(path + QStringLiteral(": cannot be written (")), qPrintable(said));
        QVERIFY2(said.size() > path.size() + 25 && !said.contains(u'\n'), qPrintable(said));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
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
            QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 20000);
            player().look();
            QVERIFY(!m_window->grab().isNull());
        }
        QVERIFY(!player().filledIn("{{weights[1,1]}}").isEmpty());
    }

    void leavingALessonGivesTheLaboratoriesBack() {
        player().open(QStringLiteral("masks"));
        player().goTo(player().steps() - 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 20000);
        QCOMPARE(explore()->masks()->weights()->data().columnLabels.front(), QStringLiteral("<start>"));
        player().close();
        QTRY_COMPARE(explore()->masks()->weights()->data().columnLabels.front(), QStringLiteral("<bos>"));
        player().open(QStringLiteral("by-hand"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 20000);
        const auto firstLabel = [&] {
            return explore()->queryKeyValue()->matrix(QueryKeyValueView::Query)->data().rowLabels.front();
        };
        QCOMPARE(firstLabel(), QStringLiteral("tôi"));
        player().close();
        QCOMPARE(firstLabel(), QStringLiteral("<start>"));
    }

    void fromAColdStartTheFirstPictureMovesAfterOneClick() {
        motion::setReduced(false);
        m_window = std::make_unique<MainWindow>(*m_manager);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openModel(firstModel());
        auto* learn = m_window->rooms().find<LearnRoom>();
        QVERIFY2(learn->isVisible(), "the program begins with the lessons");
        QTest::mouseClick(learn->list()->card(0), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 20000);
        const QImage first = m_window->rooms().current().viewWidget()->grab().toImage();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->rooms().current().viewWidget()->grab().toImage() != first, 5000);
        motion::setReduced(true);
    }

    void progressIsKeptBetweenStarts() {
        player().open(QStringLiteral("seq2seq"));
        player().goTo(3);
        player().close();
        m_window = std::make_unique<MainWindow>(*m_manager);
        player().open(QStringLiteral("seq2seq"));
        QCOMPARE(player().step(), 3);
        QVERIFY(exportedProgress().contains("\"seq2seq\""));
    }

private:
    Workbench& bench() const { return m_window->workbench(); }
    LessonPlayer& player() const { return bench().player; }
    ExploreRoom* explore() const { return m_window->rooms().find<ExploreRoom>(); }

    /// What a reader would see, key by key.
    StageSetting state() const { return settingOf(m_window->stage().state()); }

    /// Every field of the step's state is on the stage.
    void stageIsAsTheStepSays(int step) {
        const StageSetting wanted = settingOf(player().lesson().stateAt(size_t(step))), is = state();
        for (const auto& [key, value] : wanted) {
            // A run plays and a network is walked through; what was measured stays.
            if (key == "animate" || (key == "step" && wanted.contains("animate"))) continue;
            // A matrix of the worked example, which other views do not have.
            const bool byHand = wanted.contains("focus") && wanted.at("focus").find('.') == std::string::npos;
            if (byHand && (key == "focus" || key == "cell") && wanted.at("view") != "query-key-value") continue;
            const auto at = is.find(key);
            QVERIFY2(at != is.end() && at->second == value,
                     qPrintable(QStringLiteral("%1: %2, not %3")
                                    .arg(QString::fromStdString(key),
                                         QString::fromStdString(at == is.end() ? std::string("nothing") : at->second),
                                         QString::fromStdString(value))));
        }
        const auto& current = player().lesson().steps[size_t(step)];
        if (!current.stage || !current.stage->contains("focus")) return;
        const QString focus = QString::fromStdString(current.stage->at("focus"));
        if (!focus.contains(u'.')) return;  // of a worked example
        QVERIFY2(bench().session.reading()->trace->find(focus.toStdString()), qPrintable(focus));
        QCOMPARE(bench().selection.value(), focus);
    }

    void nothingIsMissingInTheText() {
        for (const auto* text : m_window->lessonPanel()->content()->findChildren<LessonText*>()) {
            QCOMPARE(text->missingFormulas(), 0);
            for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
                for (auto it = block.begin(); !it.atEnd(); ++it)
                    if (const QTextImageFormat image = it.fragment().charFormat().toImageFormat(); image.isValid())
                        QVERIFY(!text->document()
                                     ->resource(QTextDocument::ImageResource, QUrl(image.name()))
                                     .value<QImage>()
                                     .isNull());
            QVERIFY2(!text->toPlainText().contains(QLatin1String("{{")), qPrintable(text->toPlainText()));
        }
        for (const auto* formula : m_window->lessonPanel()->content()->findChildren<FormulaBox*>())
            QVERIFY(formula->hasPicture());
    }

    /// In windows of all sizes; where all lessons are played in all of them, in this one.
    void nothingIsOutOfSight(int step, const QSize& played) {
        const StageState wanted = player().lesson().stateAt(size_t(step));
        QTRY_VERIFY_WITH_TIMEOUT(player().hasNumbers(), 30000);
        QStringList missing;
        for (const QSize& size : fixture::kSightSizes) {
            if (size != played && qEnvironmentVariableIsSet("HEADLIGHT_EVERYTHING")) continue;
            m_window->resize(size);
            for (int round = 0; round < 4; ++round)
                QApplication::processEvents();  // scroll areas settle in rounds
            const fixture::StepSight sight(*m_window, wanted);
            for (const QString& what : sight.missing())
                missing << QStringLiteral("%1: %2").arg(size.width()).arg(what);
        }
        m_window->resize(played);
        QApplication::processEvents();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }

    void keepPicture(const QString& language, const QString& slug, int step) {
        const QString folder = qEnvironmentVariable("HEADLIGHT_SHOTS");
        if (folder.isEmpty()) return;
        QTest::qWait(300);
        m_window->grab()
            .scaledToWidth(1440, Qt::SmoothTransformation)
            .save(QStringLiteral("%1/%2-%3-%4.png").arg(folder, language, slug).arg(step + 1, 2, 10, QLatin1Char('0')));
    }

    CheckCard* cardOf(int part) const {
        int place = 0;
        for (int i = 0; i < part; ++i)
            place += std::holds_alternative<LessonCheck>(player().current().parts[size_t(i)]);
        return m_window->lessonPanel()->content()->findChildren<CheckCard*>().at(place);
    }

    void judge(const LessonCheck& check, int part) {
        const QString solution = player().solution(part);
        QVERIFY2(!solution.isEmpty(), check.ask.c_str());
        CheckCard* card = cardOf(part);
        QVERIFY2(!card->isRight(), check.ask.c_str());
        switch (check.kind) {
            case LessonCheck::Kind::Number: {
                QString minus = solution;
                const double right = minus.replace(QChar(0x2212), u'-').toDouble();
                for (const QString& wrong :
                     {QString::number(right + 40 * check.tolerance + 1), QStringLiteral("much")}) {
                    card->answer()->setText(wrong);
                    QTest::keyClick(card->answer(), Qt::Key_Return);
                    QVERIFY2(!card->isRight() && !card->verdict().isEmpty(), check.ask.c_str());
                }
                card->answer()->setText(solution);
                card->checkButton()->click();
                break;
            }
            case LessonCheck::Kind::Choice: {
                const auto right = std::ranges::find(check.choices, solution.toStdString());
                QVERIFY2(right != check.choices.end(), check.ask.c_str());
                for (size_t i = 0; i < check.choices.size(); ++i) {
                    if (check.choices[i] == *right) continue;
                    card->choices()[i]->click();
                    QVERIFY2(!card->isRight() && !card->verdict().isEmpty(), check.ask.c_str());
                }
                card->choices()[size_t(right - check.choices.begin())]->click();
                break;
            }
            case LessonCheck::Kind::Cell: {
                const std::vector<int>& at = check.number.indices;
                const int row = at[at.size() - 2] - 1, column = at.back() - 1, head = at.size() > 2 ? at[0] - 1 : 0;
                pointAt(check.number.name, head, row == 0 ? 1 : row - 1, column);
                player().look();
                QVERIFY2(!card->isRight(), check.ask.c_str());
                pointAt(check.number.name, head, row, column);
                player().look();
                break;
            }
        }
        QVERIFY2(card->isRight(), (check.ask + " | " + card->verdict().toStdString()).c_str());
        QVERIFY(player().isSolved(part));
    }

    void pointAt(const std::string& name, int head, int row, int column) {
        constexpr const char* names[] = {"Q", "K", "V", "scores", "weights", "output"};
        const auto place = std::ranges::find(names, name);
        if (place != std::end(names))
            return explore()
                ->queryKeyValue()
                ->matrix(static_cast<QueryKeyValueView::Matrix>(place - std::begin(names)))
                ->cellClicked(row, column);
        bench().selection.setValue(QString::fromStdString(name));
        bench().selection.setHead(head);
        bench().selection.setNumber({head, row, column});
    }

    template <class Widget>
    Widget* visible(const QString& accessibleName) const {
        for (auto* widget : m_window->findChildren<Widget*>())
            if (widget->isVisible() && widget->accessibleName() == accessibleName)
                return fixture::isInSight(widget) ? widget : nullptr;
        return nullptr;
    }

    /// The button that reads so, or begins so where it counts something.
    void press(const QString& words) {
        for (auto* button : m_window->findChildren<QAbstractButton*>())
            if (button->isVisible() && (button->text() == words || button->text().startsWith(words) ||
                                        button->accessibleName().startsWith(words))) {
                QVERIFY2(fixture::isInSight(button), qPrintable(words + QStringLiteral(" is out of sight")));
                return button->click();
            }
        QFAIL(qPrintable(QStringLiteral("there is no button “%1”").arg(words)));
    }

    void meet(const LessonTask& task, int part) {
        QVERIFY2(!player().isSolved(part), task.what.c_str());
        player().look();
        QVERIFY2(!player().isSolved(part), ("is met before anything was done: " + task.what).c_str());
        for (const auto& [key, value] : task.when)
            act(key, value);
        if (QTest::currentTestFailed()) QFAIL(task.what.c_str());
        QTRY_VERIFY2_WITH_TIMEOUT((player().look(), player().isSolved(part)), task.what.c_str(), 240000);
        // The next part of the step begins with the stage as the step shows it.
        player().restoreStage();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), 30000);
    }

    /// What a reader does for a condition.
    void act(const std::string& key, const std::string& value) {
        const QString wanted = QString::fromStdString(value);
        if (key == "source") {
            auto* input = visible<QLineEdit>(QStringLiteral("Sentence to read"));
            QVERIFY(input);
            input->setFocus();
            input->selectAll();
            QString typed = wanted;
            if (value == "changed") typed = input->text().section(u' ', 0, -2);
            if (typed.isEmpty()) typed = QStringLiteral("tôi yêu bạn");
            input->clear();
            QTest::keyClicks(input, typed.left(1));
            input->setText(typed);
            emit input->textEdited(typed);
        } else if (key == "mute") {
            auto* button = visible<QAbstractButton>(
                QStringLiteral("Mute head %1").arg(value == "any" ? 1 : wanted.section(u'.', -1).toInt() + 1));
            QVERIFY2(button, "the switches of the heads are not in sight");
            button->click();
        } else if (key == "numbers") {
            const auto which = value == "Q"   ? QueryKeyValueView::Query
                               : value == "K" ? QueryKeyValueView::Key
                                              : QueryKeyValueView::Value;
            explore()->queryKeyValue()->point(which, 0, 0);
            auto* number = explore()->queryKeyValue()->findChild<QDoubleSpinBox*>();
            number->setValue(number->value() + 0.5);
        } else if (key == "head") {
            BatchShapes* shapes = explore()->queryKeyValue()->shapes();
            const QRectF cell = shapes->cellRect(BatchShapes::Turned, {0, 0, wanted.toInt() - 1, 0});
            QTest::mouseClick(shapes, Qt::LeftButton, {}, cell.center().toPoint());
        } else if (key == "cells") {
            MaskGrid* grid = explore()->masks()->combined();
            QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cellRect(0, 1).center().toPoint());
        } else if (key == "masking") {
            for (auto* way : explore()->masks()->findChildren<SegmentedControl*>())
                if (way->accessibleName() == QLatin1String("Way of masking"))
                    for (auto* button : way->findChildren<QAbstractButton*>())
                        if (button->text().startsWith(value == "after"      ? "After"
                                                      : value == "multiply" ? "Multiply"
                                                                            : "Add"))
                            button->click();
        } else if (key == "shuffles") {
            for (auto* button : explore()->positions()->findChildren<Button*>())
                if (button->text() == QLatin1String("Shuffle the words")) button->click();
        } else if (key == "step") {
            QTest::keyClick(m_window.get(), Qt::Key_Comma);
        } else if (key == "measured") {
            RecurrentSide* side = explore()->recurrent()->side();
            for (int i = int(side->curves().curves().size()); i < wanted.toInt(); ++i) {
                if (i > 0) {
                    m_window->openModel(shippedModel(QStringLiteral("vi-en-long-lstm-attention")));
                    QTRY_COMPARE(bench().session.modelName(), QStringLiteral("vi-en-long-lstm-attention"));
                    QTRY_VERIFY_WITH_TIMEOUT(bench().session.isSettled(), 20000);
                }
                QVERIFY(side->measureButton()->isVisible());
                side->measureButton()->click();
                QTRY_VERIFY_WITH_TIMEOUT(!side->curves().isMeasuring(), 120000);
            }
        } else if (key == "beam" || key == "penalty" || key == "fixed") {
            auto* room = m_window->rooms().find<DecodeRoom>();
            QTRY_VERIFY(bench().decoding.result());
            if (key == "beam") emit room->view()->beamChanged(wanted.toInt());
            if (key == "penalty") emit room->view()->penaltyChanged({LengthPenalty::Kind::Gnmt, wanted.toDouble()});
            if (key == "fixed")
                emit room->view()->prefixWanted({bench().session.model()->target->vocabulary().id(value)});
        } else if (key == "train") {
            auto* room = m_window->rooms().find<TrainRoom>();
            QTRY_VERIFY_WITH_TIMEOUT(bench().training.state() == TrainingState::Paused, 60000);
            emit room->view()->startRequested();
        } else if (key == "sharpness") {
            auto* temperature = visible<QSlider>(QStringLiteral("Temperature"));
            QVERIFY(temperature);
            temperature->setValue(wanted.toDouble() < 1 ? temperature->minimum() : temperature->maximum());
        } else if (key == "cost_layers") {
            press(wanted);
        } else if (key == "cost_biases") {
            press(QStringLiteral("2 biases"));
        } else if (key == "cost_words") {
            auto* chart = visible<GrowthChart>(QStringLiteral("Operations as the words grow"));
            QVERIFY(chart);
            emit chart->wordsChosen(wanted.toInt());
        } else if (key == "habit") {
            press(wanted == QLatin1String("alignment") ? QStringLiteral("the word that belongs to it") : wanted);
        } else if (key == "model") {
            m_window->openModel(shippedModel(value == "changed" ? QStringLiteral("fr-en-transformer") : wanted));
        } else if (key == "residual_number") {
            ProfileStack* profiles = explore()->residuals()->profiles();
            const QPointF bar = profiles->barRect(0, wanted.toInt() - 1).center();
            QTest::mouseClick(profiles, Qt::LeftButton, {}, bar.toPoint());
        } else if (key == "residual_depth") {
            StreamChart* chart = explore()->residuals()->chart();
            QTest::mouseClick(chart, Qt::LeftButton, {}, QPointF(chart->xOf(wanted.toInt()), chart->yOf(0)).toPoint());
        } else if (key == "residual_stack") {
            press(QStringLiteral("Encoder"));
        } else if (key == "unit_order") {
            press(QStringLiteral("By strength"));
        } else if (key == "activation") {
            press(QStringLiteral("GELU"));
        } else if (key == "unit_muted") {
            press(QStringLiteral("Mute unit"));
        } else if (key == "unit_layer") {
            QTest::keyClick(explore()->feedForward()->layers(), Qt::Key_Up);
        } else if (key == "cell_unit") {
            emit explore()->cell()->columns()->unitChosen(wanted.toInt() - 1);
        } else if (key == "target") {
            emit explore()->loss()->targetWanted(wanted);
        } else if (key == "surgery_edits") {
            // The kind is the map's that is drawn.
            const QStringList place = wanted.split(u':');
            const SurgeryMaps& maps = *explore()->surgery()->maps();
            const int depth = place[1].toInt() - 1, ofSource = static_cast<int>(maps.shares(true)->numbers().size());
            PlaceMap& map = *maps.shares(depth < ofSource);
            const QRectF square = map.cellRect({depth < ofSource ? depth : depth - ofSource, place[2].toInt() - 1});
            QTest::mouseClick(&map, Qt::LeftButton, {}, square.center().toPoint());
        } else if (key == "descended") {
            emit explore()->loss()->word()->stepsWanted(wanted.toInt());
        } else if (key == "smoothing") {
            emit explore()->loss()->word()->smoothingWanted(wanted.toDouble());
        } else if (key == "merges") {
            emit explore()->subwords()->chart()->mergesChosen(wanted.toInt());
        } else if (key == "cut") {
            explore()->subwords()->typed()->setText(wanted);
            emit explore()->subwords()->typed()->textEdited(wanted);
        } else if (key == "truth") {
            emit m_window->rooms().find<DecodeRoom>()->forcing()->stage()->truthToggled(wanted.toInt());
        } else if (key == "ngram") {
            BleuView* view = m_window->rooms().find<DecodeRoom>()->bleu();
            for (auto* choice : view->findChildren<SegmentedControl*>())
                if (choice->accessibleName() == QLatin1String("Longest n-gram"))
                    choice->setCurrentIndex(wanted.toInt() - 1);
        } else if (key == "references") {
            QLineEdit* input = m_window->rooms().find<DecodeRoom>()->bleu()->referenceInput();
            input->setText(wanted);
            emit input->returnPressed();
        } else {
            QFAIL(("no way is known to meet the condition " + key).c_str());
        }
    }

    QTemporaryDir m_settings;
    std::unique_ptr<ThemeManager> m_manager;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestLessons)
#include "test_lessons.moc"
