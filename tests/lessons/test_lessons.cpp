// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of every lesson in every language, played on the real stage: the view appears, the focus is there, each
// check takes its right answer and refuses wrong ones, and what is to be tried is seen once it was done by hand.
// Each lesson is played in one window out of six (three sizes, light and dark), and what its steps point at is looked
// for in all three sizes; HEADLIGHT_EVERYTHING=1 plays all lessons in all six. HEADLIGHT_SHOTS=FOLDER keeps a picture
// of each step.
#include <QTest>
#include <QTextBlock>
#include <algorithm>

#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/lesson_check.h"
#include "tests/lessons/lesson_reader.h"
#include "tests/lessons/lesson_window.h"
#include "tests/lessons/step_sight.h"
#include "tests/ui/painted.h"
#include "ui/lessons/formula_box.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/open/motion.h"
#include "ui/shell/learn_room.h"
#include "ui/shell/main_window.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

class TestLessons : public fixture::LessonWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { beginCase(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void cleanupTestCase() { endCase(); }

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
            QVERIFY2(lesson.steps.size() >= 6 && lesson.steps.size() <= 15, lesson.slug.c_str());
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
        fixture::LessonReader reader(*m_window);
        for (int step = 0; step < player().steps(); ++step) {
            if (step > 0) QTest::mouseClick(m_window->lessonPanel()->nextButton(), Qt::LeftButton);
            QCOMPARE(player().step(), step);
            QTRY_VERIFY(m_window->stage().isSettled());
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
                if (const auto* check = std::get_if<LessonCheck>(&it)) reader.judge(*check, part);
                if (const auto* task = std::get_if<LessonTask>(&it)) reader.meet(*task, part);
                if (QTest::currentTestFailed()) QFAIL(where.constData());
            }
        }
    }

    void goingBackReturnsExactly() {
        player().open(QStringLiteral("attention"));
        std::vector<StageSetting> seen;
        for (int step = 0; step < player().steps(); ++step) {
            player().goTo(step);
            QTRY_VERIFY(m_window->stage().isSettled());
            seen.push_back(state());
        }
        // Somebody plays in between.
        bench().session.setSource(QStringLiteral("tôi yêu bạn"));
        bench().selection.setHead(0);
        m_window->rooms().showView(ViewName::Models);
        for (int step = player().steps() - 1; step >= 0; --step) {
            player().goTo(step);
            QTRY_VERIFY(m_window->stage().isSettled());
            QVERIFY(state() == seen[size_t(step)]);
        }
    }

    void lettingTheReaderPlayAndComingBackRestoresTheStage() {
        player().open(QStringLiteral("by-hand"));
        QTRY_VERIFY(m_window->stage().isSettled());
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
        QTRY_VERIFY(m_window->stage().isSettled());
        QVERIFY(state() == before);
    }

    void leavingALessonGivesTheLaboratoriesBack() {
        player().open(QStringLiteral("masks"));
        player().goTo(player().steps() - 1);
        QTRY_VERIFY(m_window->stage().isSettled());
        QCOMPARE(explore()->masks()->weights()->data().columnLabels.front(), QStringLiteral("<start>"));
        player().close();
        QTRY_COMPARE(explore()->masks()->weights()->data().columnLabels.front(), QStringLiteral("<bos>"));
        player().open(QStringLiteral("by-hand"));
        QTRY_VERIFY(m_window->stage().isSettled());
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
        m_window->openModel(headlight::shippedModel(QStringLiteral("vi-en-transformer")));
        auto* learn = m_window->rooms().find<LearnRoom>();
        QVERIFY2(learn->isVisible(), "the program begins with the lessons");
        QTest::mouseClick(learn->list()->card(0), Qt::LeftButton);
        QTRY_VERIFY(m_window->stage().isSettled());
        const QImage first = m_window->rooms().current().viewWidget()->grab().toImage();
        QTRY_VERIFY(m_window->rooms().current().viewWidget()->grab().toImage() != first);
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
        QTRY_VERIFY(player().hasNumbers());
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
        QVERIFY(fixture::painted(*m_window));
        m_window->grab()
            .scaledToWidth(1440, Qt::SmoothTransformation)
            .save(QStringLiteral("%1/%2-%3-%4.png").arg(folder, language, slug).arg(step + 1, 2, 10, QLatin1Char('0')));
    }
};

QTEST_MAIN(TestLessons)
#include "test_lessons.moc"
