// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/shipped_pictures.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QImageWriter>
#include <QTemporaryDir>
#include <map>
#include <set>

#include "core/error.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_pictures.h"
#include "ui/session/open/shipped.h"

namespace headlight {

namespace {

constexpr QSize kShippedSize(640, 400);  ///< that of a card of the path, in pixels of a dense screen

/// That of the path; and of the first lesson the first step, with which a reader begins.
std::set<int> shippedSteps(const Lesson& lesson, bool isFirst) {
    std::set<int> steps = {pictureStep(lesson)};
    if (isFirst) steps.insert(0);
    return steps;
}

/// Waits for the process that draws it.
QImage drawn(LessonPictures& pictures, const Lesson& lesson, int step, bool dark) {
    QEventLoop loop;
    QString trouble;
    QObject::connect(&pictures, &LessonPictures::drawn, &loop, &QEventLoop::quit);
    QObject::connect(&pictures, &LessonPictures::failed, &loop, [&](const QString&, int, const QString& why) {
        trouble = why;
        loop.quit();
    });
    if (QImage picture = pictures.picture(lesson, step, dark, true); !picture.isNull()) return picture;
    loop.exec();
    if (!trouble.isEmpty()) throw Error(lesson.slug + ": " + trouble.toStdString());
    return pictures.picture(lesson, step, dark, true);
}

void write(const QImage& picture, const QString& file) {
    QImageWriter writer(file, "png");
    writer.setQuality(0);  // the smallest file
    if (!writer.write(picture.scaled(kShippedSize, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)))
        throw Error(file.toStdString() + ": " + writer.errorString().toStdString());
}

/// Eight digits of the hash of a lesson's file, which is read again only when it has been written again.
QString hashOfWords(const Lesson& lesson) {
    struct Known {
        QDateTime written;
        QString hash;
    };
    static std::map<std::string, Known> known;
    QFile file(QString::fromStdString(lesson.path));
    const QDateTime written = QFileInfo(file).lastModified();
    const auto [at, isNew] = known.try_emplace(lesson.path);
    if (isNew || at->second.written != written) {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        if (file.open(QIODevice::ReadOnly)) hash.addData(&file);
        at->second = {written, QString::fromLatin1(hash.result().toHex().left(8))};
    }
    return at->second.hash;
}

}  // namespace

QString shippedPictureName(const Lesson& lesson, int step, bool dark) {
    return QStringLiteral("%1-%2-%3-%4.png")
        .arg(QString::fromStdString(lesson.slug))
        .arg(step + 1)
        .arg(dark ? QLatin1String("dark") : QLatin1String("light"), hashOfWords(lesson));
}

QImage shippedPicture(const Lesson& lesson, int step, bool dark) {
    static std::map<QString, QImage> known;  // every window shows the same ones
    const QString folder = shippedFolder(QStringLiteral("pictures"));
    if (folder.isEmpty()) return {};
    const QString file = QDir(folder).filePath(shippedPictureName(lesson, step, dark));
    const auto [at, isNew] = known.try_emplace(file);
    if (isNew || at->second.isNull()) at->second.load(file);
    return at->second;
}

void drawShippedPictures(LessonLibrary& library, const QString& folder) {
    QTemporaryDir whole;
    LessonPictures pictures;
    pictures.setMaker(QCoreApplication::applicationFilePath(), whole.path());
    pictures.setDrawnAnew();
    QDir().mkpath(folder);
    QStringList written;
    for (const QString& language : library.languages()) {
        library.setLanguage(language);
        const std::vector<Lesson> lessons = library.shippedLessons();
        for (const Lesson& lesson : lessons)
            for (const int step : shippedSteps(lesson, &lesson == &lessons.front()))
                for (const bool dark : {false, true}) {
                    const QString name = shippedPictureName(lesson, step, dark);
                    if (written.contains(name)) continue;  // of a language that it is not translated into
                    write(drawn(pictures, lesson, step, dark), QDir(folder).filePath(name));
                    written << name;
                }
    }
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.png")}, QDir::Files))
        if (!written.contains(name)) QFile::remove(QDir(folder).filePath(name));
}

}  // namespace headlight
