// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons as a path: their order, the line that is walked, where to go on, and their signs.
#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>

#include "core/error.h"
#include "core/lessons/lesson_parser.h"
#include "core/lessons/vignette.h"
#include "tests/thread_time.h"
#include "ui/lessons/first_look.h"
#include "ui/lessons/lesson_continue.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/lessons/lesson_station.h"
#include "ui/lessons/vignette.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

class TestLessonPath : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        QCoreApplication::setOrganizationName("Headlight");
        QCoreApplication::setApplicationName("test-lesson-path");
    }
    void cleanupTestCase() { m_theme.reset(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
        QSettings().clear();
        m_library = std::make_unique<LessonLibrary>();
        m_library->setLanguage(QStringLiteral("en"));
    }
    void cleanup() { m_library.reset(); }

    void lessonsStandInTheirOrderUnderTheirChapters() {
        const auto list = shown(1376);
        const auto& stations = list->path()->stations();
        QCOMPARE(stations.size(), m_library->lessons().size());
        QVERIFY(std::ranges::is_sorted(stations, {}, &LessonStation::number));
        QCOMPARE(list->path()->headings(), (QStringList{"Sequence to sequence", "Attention", "The Transformer",
                                                        "Learning and deciding", "In the wild"}));
        QCOMPARE(list->path()->current(), stations[0]);
        QCOMPARE(list->goOn()->place(), QStringLiteral("Lesson 1, %1 steps").arg(stations[0]->steps()));
    }

    void aCourseIsAPathOfItsOwnAndKeepsItsOwnProgress() {
        LessonProgress all = LessonProgress::load(QStringLiteral("bottleneck"));
        all.furthest = 4;
        all.save(QStringLiteral("bottleneck"));
        const QString example = QStringLiteral(HEADLIGHT_SOURCE_DIR "/lessons/courses/attention-in-an-afternoon.yaml");
        m_library->openCourse(example);
        const auto list = shown(1376);
        QCOMPARE(list->path()->headings(), QStringList{"Attention in an afternoon"});
        QCOMPARE(list->path()->stations().size(), 6U);
        QCOMPARE(list->path()->stations()[0]->steps(), 3);
        QCOMPARE(list->path()->stations()[0]->seen(), 0.0);
        LessonProgress here = LessonProgress::load(QStringLiteral("bottleneck"));
        QCOMPARE(here.furthest, -1);
        here.furthest = 1;
        here.save(QStringLiteral("bottleneck"));
        QVERIFY_THROWS_EXCEPTION(Error, m_library->openCourse(QStringLiteral("/nowhere.yaml")));
        QVERIFY(m_library->course());  // it stays
        m_library->openShipped();
        QVERIFY(!m_library->course() && m_library->isShipped());
        QCOMPARE(LessonProgress::load(QStringLiteral("bottleneck")).furthest, 4);
        m_library->openCourse(example);
        QCOMPARE(LessonProgress::load(QStringLiteral("bottleneck")).furthest, 1);
    }

    void everyStationFitsAtAnyWidth_data() {
        QTest::addColumn<int>("width");
        for (const int width : {900, 1216, 1376, 1856, 2496})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void everyStationFitsAtAnyWidth() {
        QFETCH(int, width);
        const auto list = shown(width);
        const LessonPath& path = *list->path();
        QVERIFY2(path.width() <= list->width(), "nothing is cut off at the right");
        QPoint before(-1, -1);
        for (const LessonStation* station : path.stations()) {
            const QRect at = station->geometry();
            QVERIFY(at.left() >= 0 && at.right() < path.width() && at.bottom() < path.height());
            QVERIFY2(at.top() > before.y() || (at.top() == before.y() && at.left() > before.x()), "in their order");
            before = at.topLeft();
            // The longest title has room for its two lines.
            const QFontMetrics metrics(uiFont(13, QFont::DemiBold));
            QVERIFY(metrics.boundingRect(QRect(0, 0, at.width(), 999), Qt::TextWordWrap, station->text()).height() <=
                    2 * metrics.lineSpacing() + 2);
        }
    }

    /// The fifth lesson of a chapter would else stand alone, and be twice as large.
    void aChapterIsBrokenIntoRowsOfAboutALength() {
        const auto list = shown(960);
        const auto& stations = list->path()->stations();
        const int first = stations[0]->y(), second = stations[3]->y();
        QVERIFY(first < second);
        for (const size_t i : {size_t{1}, size_t{2}})
            QCOMPARE(stations[i]->y(), first);
        QCOMPARE(stations[4]->y(), second);
        QVERIFY(stations[5]->y() > second);
    }

    void aTallWindowLeavesTheFirstLookAsItIs() {
        const auto list = shown(1376);
        const int before = list->firstLook()->height();
        list->resize(2496, 1392);
        QCoreApplication::processEvents();
        QCOMPARE(list->firstLook()->height(), before);
    }

    void theLineIsDarkAsFarAsTheReaderCame() {
        const Lesson& first = m_library->lessons()[0];
        const Lesson& second = m_library->lessons()[1];
        LessonProgress progress;
        progress.step = progress.furthest = static_cast<int>(first.steps.size()) - 1;
        progress.save(QString::fromStdString(first.slug));
        progress.step = progress.furthest = 1;
        progress.save(QString::fromStdString(second.slug));
        const auto list = shown(1376);
        const auto& line = list->path()->line();
        QCOMPARE(line[0].walked, 1.0);
        QCOMPARE(line[1].walked, 2.0 / static_cast<double>(second.steps.size()));
        QCOMPARE(line[2].walked, 0.0);
        QVERIFY(list->path()->stations()[0]->isDone());
        QCOMPARE(list->path()->current(), list->path()->stations()[1]);
        QCOMPARE(list->goOn()->place(),
                 QStringLiteral("Lesson %1, step 2 of %2").arg(second.number).arg(second.steps.size()));
        // It is drawn so: the line's colour just behind the first station's minutes, and behind the third's.
        const QImage drawn = list->path()->grab().toImage();
        const auto colorOf = [&](size_t segment) {
            const QPointF at = line[segment].line.pointAt(0.5);
            return drawn.pixelColor(at.toPoint());
        };
        QCOMPARE(colorOf(0), Theme::light().ink);
        QCOMPARE(colorOf(2), Theme::light().line2);
    }

    void theLessonThatWasOpenLastIsGoneOnWith() {
        LessonProgress progress;
        progress.step = progress.furthest = 1;
        progress.save(QString::fromStdString(m_library->lessons()[1].slug));
        progress.save(QString::fromStdString(m_library->lessons()[3].slug));
        const auto list = shown(1376);
        QCOMPARE(list->path()->current(), list->path()->stations()[3]);
        QSignalSpy chosen(list.get(), &LessonList::lessonChosen);
        list->goOn()->button()->click();
        QCOMPARE(chosen[0][0].toString(), QString::fromStdString(m_library->lessons()[3].slug));
    }

    void arrowsWalkThePathAndEnterOpens() {
        const auto list = shown(1376);
        list->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(list.get(), fixture::kPatienceMs));
        const auto& stations = list->path()->stations();
        stations[0]->setFocus();
        QTest::keyClick(stations[0], Qt::Key_Right);
        QVERIFY(stations[1]->hasFocus());
        QTest::keyClick(stations[1], Qt::Key_Down);
        const auto below = std::ranges::find_if(stations, [](const auto* each) { return each->hasFocus(); });
        QVERIFY((*below)->y() > stations[1]->y());
        QSignalSpy chosen(list.get(), &LessonList::lessonChosen);
        QTest::keyClick(*below, Qt::Key_Return);
        QCOMPARE(chosen[0][0].toString(), (*below)->slug());
    }

    /// Each has a sign of its own: of any two at least a tenth of what is drawn differs, in either theme.
    void everyLessonHasASignAndNoTwoAreTheSame() {
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            std::vector<QImage> signs;
            for (const Lesson& lesson : m_library->lessons()) {
                QCOMPARE(vignetteOf(lesson), std::string_view(lesson.slug));
                signs.push_back(signOf(vignetteOf(lesson), theme));
                QVERIFY2(strokes(signs.back(), blank(theme)) > 300, lesson.slug.c_str());
            }
            QCOMPARE(signs.size(), vignetteNames.size());
            for (size_t i = 0; i < signs.size(); ++i)
                for (size_t k = 0; k < i; ++k)
                    QVERIFY2(10 * strokes(signs[i], signs[k]) > strokes(signs[i], blank(theme)),
                             qPrintable(QStringLiteral("%1 and %2").arg(i + 1).arg(k + 1)));
        }
    }

    /// Each is drawn once for a size, a theme and a screen, and looks as it did.
    void signsAreKept() {
        // A size that no other test draws.
        const auto picture = [](const Theme& theme, double ratio) {
            QImage image(QSizeF(331 * ratio, 207 * ratio).toSize(), QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            image.fill(theme.surface);
            return image;
        };
        const auto drawn = [&](const Theme& theme, double ratio) {
            std::vector<QImage> signs;
            for (const std::string_view name : vignetteNames) {
                signs.push_back(picture(theme, ratio));
                QPainter painter(&signs.back());
                paintVignette(painter, QRectF(3, 3, 325, 201), name, theme);
            }
            return signs;
        };
        std::vector<QImage> once, again;
        const double drawing = fixture::secondsFor([&] { once = drawn(Theme::light(), 1); });
        const double showing = fixture::secondsFor([&] { again = drawn(Theme::light(), 1); });
        QVERIFY(once == again);
        QVERIFY2(2 * showing < drawing, qPrintable(QStringLiteral("%1 of %2 s").arg(showing).arg(drawing)));
        const std::vector<QImage> dark = drawn(Theme::dark(), 1), sharp = drawn(Theme::light(), 2);
        for (size_t i = 0; i < once.size(); ++i) {
            QVERIFY(dark[i] != once[i]);
            // Not the same pixels, larger: one that is drawn has edges of its own.
            QVERIFY(sharp[i] != once[i].scaled(sharp[i].size()));
        }
        QVERIFY(drawn(Theme::light(), 1) == once && drawn(Theme::dark(), 1) == dark);
    }

    void aLessonOfOnesOwnHasTheSignThatItNamesOrThatOfItsFirstStep() {
        const auto parsed = [](const char* more, const char* stage) {
            std::vector<LessonMistake> mistakes;
            const std::string text = std::string(
                                         "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\n"
                                         "model: vi-en-transformer\nsources: [a]\n") +
                                     more + "---\n\n## One\n\nWords.\n\n```stage\n" + stage + "```\n";
            return std::pair(parseLesson(text, "/en/01-own.md", mistakes), mistakes);
        };
        QCOMPARE(vignetteOf(parsed("", "view: masks\n").first), std::string_view("masks"));
        QCOMPARE(vignetteOf(parsed("", "view: decode\n").first), std::string_view("decoding"));
        const auto [named, none] = parsed("vignette: cost\n", "view: masks\n");
        QCOMPARE(vignetteOf(named), std::string_view("cost"));
        QVERIFY(none.empty());
        const auto [wrong, mistakes] = parsed("vignette: whale\n", "view: masks\n");
        QCOMPARE(mistakes.size(), size_t{1});
        QCOMPARE(mistakes[0].line, 8);
        QVERIFY(mistakes[0].what.find("whale") != std::string::npos);
        QCOMPARE(vignetteOf(wrong), std::string_view("masks"));
    }

private:
    static QImage blank(const Theme& theme) {
        QImage image(320, 200, QImage::Format_RGB32);
        image.fill(theme.surface);
        return image;
    }
    static QImage signOf(std::string_view name, const Theme& theme) {
        QImage image = blank(theme);
        QPainter painter(&image);
        paintVignette(painter, image.rect(), name, theme);
        return image;
    }
    /// Pixels in which two pictures differ.
    static int strokes(const QImage& a, const QImage& b) {
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x)
                count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
        return count;
    }

    std::unique_ptr<LessonList> shown(int width) {
        auto list = std::make_unique<LessonList>(*m_library);
        list->resize(width, 850);
        list->show();
        for (int round = 0; round < 4; ++round)
            QCoreApplication::processEvents();  // what is dressed as it shows is laid out anew
        return list;
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<LessonLibrary> m_library;
};

QTEST_MAIN(TestLessonPath)
#include "test_lesson_path.moc"
