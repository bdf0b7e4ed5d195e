// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures on the path of lessons that come with the program: there for every lesson as it reads now, and near to
// what is drawn of it today; of every eighth lesson, with HEADLIGHT_EVERYTHING=1 of all. scripts/lesson-pictures draws
// them anew.
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdlib>

#include "tests/ui/calm_theme.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_pictures.h"
#include "ui/lessons/lesson_station.h"
#include "ui/lessons/shipped_pictures.h"
#include "ui/session/open/shipped.h"

using namespace headlight;

namespace {

/// The mean of what their colours are apart, of 255.
double pixelsApart(const QImage& one, const QImage& other) {
    double sum = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x) {
            const QColor a = one.pixelColor(x, y), b = other.pixelColor(x, y);
            sum += std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
        }
    return sum / (3.0 * one.width() * one.height());
}

}  // namespace

class TestShippedPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = fixture::calmTheme(m_folder); }
    void cleanupTestCase() { m_theme.reset(); }

    void everyLessonHasThemAsItReadsNow() {
        LessonLibrary library;
        QStringList wanted;
        for (const QString& language : library.languages()) {
            library.setLanguage(language);
            for (const Lesson& lesson : library.shippedLessons())
                for (const bool dark : {false, true})
                    wanted << shippedPictureName(lesson, pictureStep(lesson), dark);
        }
        wanted.removeDuplicates();
        const QStringList there =
            QDir(shippedFolder(QStringLiteral("pictures"))).entryList({QStringLiteral("*.png")}, QDir::Files);
        for (const QString& name : wanted)
            QVERIFY2(there.contains(name), qPrintable(name + QStringLiteral(": run scripts/lesson-pictures")));
        constexpr int kOfTheFirstStep = 2;  // both themes
        for (const QString& name : there)
            QVERIFY2(wanted.contains(name) || name.contains(QStringLiteral("-1-")), qPrintable(name));
        QVERIFY(there.size() <= wanted.size() + kOfTheFirstStep * library.languages().size());
    }

    void theyAreWhatTheProgramDraws_data() {
        QTest::addColumn<int>("at");
        const auto count = static_cast<int>(LessonLibrary().lessons().size());
        constexpr int kPart = 8;
        for (int at = 0; at < count; at += qEnvironmentVariableIsSet("HEADLIGHT_EVERYTHING") ? 1 : kPart)
            QTest::addRow("%d", at + 1) << at;
    }
    void theyAreWhatTheProgramDraws() {
        QFETCH(int, at);
        const LessonLibrary library;
        const Lesson& lesson = library.lessons()[static_cast<size_t>(at)];
        const int step = pictureStep(lesson);
        LessonPictures pictures;
        pictures.setMaker(QStringLiteral(HEADLIGHT_WINDOW), m_folder.filePath(QStringLiteral("pictures")));
        pictures.setDrawnAnew();
        QSignalSpy drawn(&pictures, &LessonPictures::drawn);
        if (pictures.picture(lesson, step, false, true).isNull())
            QTRY_COMPARE_WITH_TIMEOUT(drawn.size(), 1, fixture::kLongPatienceMs);  // it gives way to all else
        const QImage shipped = shippedPicture(lesson, step, false),
                     now = pictures.picture(lesson, step, false, true)
                               .scaled(shipped.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        const double far = pixelsApart(shipped, now);
        constexpr double kMost = 4;  // letters that are smoothed otherwise are 2, another picture of the same view 8
        QVERIFY2(far < kMost, qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(lesson.slug)).arg(far)));
    }

    /// Nobody draws here: no process is known that could.
    void thePathIsWholeAtOnce() {
        LessonLibrary library;
        LessonList list(library);
        list.resize(1280, 850);
        list.show();
        for (const LessonStation* station : list.path()->stations())
            QVERIFY2(station->hasPicture(), qPrintable(station->slug()));
        QVERIFY(!list.pictures()->canDraw());
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestShippedPictures)
#include "test_shipped_pictures.moc"
