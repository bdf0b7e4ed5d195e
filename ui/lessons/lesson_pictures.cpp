// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_pictures.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include <unistd.h>

#include "ui/lessons/shipped_pictures.h"

namespace headlight {

namespace {

constexpr auto kPictureSize = "960x600";
constexpr int kNice = 15;

}  // namespace

LessonPictures::LessonPictures(QObject* parent) : QObject(parent) {
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { [[maybe_unused]] const int now = nice(kNice); });
    connect(&m_process, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus status) { end(status == QProcess::NormalExit && code == 0); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) end(false);
    });
}

LessonPictures::~LessonPictures() {
    disconnect(&m_process, nullptr, this, nullptr);
    m_process.kill();
    m_process.waitForFinished();
}

void LessonPictures::setMaker(const QString& program, const QString& folder) {
    m_program = program;
    m_folder = folder;
}

/// The lesson's words, the program's age, the step and the theme decide what is drawn.
QString LessonPictures::fileOf(const Lesson& lesson, int step, bool dark, bool ships) const {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (QFile file(QString::fromStdString(lesson.path)); file.open(QIODevice::ReadOnly)) hash.addData(&file);
    const QFileInfo program(m_program);
    const QString more = QStringLiteral("%1 %2 %3 %4 %5")
                             .arg(program.size())
                             .arg(program.lastModified().toMSecsSinceEpoch())
                             .arg(step)
                             .arg(dark)
                             .arg(QLatin1String(kPictureSize));
    hash.addData(more.toUtf8());
    // Of a course's lesson the third step may be the seventh of the file.
    if (!ships) hash.addData(QByteArray::fromStdString(linkTo(lesson.stateAt(static_cast<size_t>(step)))));
    const QString key = QString::fromLatin1(hash.result().toHex().left(24));
    return QDir(m_folder).filePath(QStringLiteral("%1-%2.png").arg(QString::fromStdString(lesson.slug), key));
}

QImage LessonPictures::picture(const Lesson& lesson, int step, bool dark, bool ships) {
    if (ships && !m_isDrawnAnew)
        if (QImage picture = shippedPicture(lesson, step, dark); !picture.isNull()) return picture;
    if (!canDraw()) return {};
    const QString slug = QString::fromStdString(lesson.slug), file = fileOf(lesson, step, dark, ships);
    if (const auto known = m_read.find(file); known != m_read.end()) return known->second;
    if (QImage kept(file); !kept.isNull()) return m_read[file] = kept;
    const auto isIt = [&](const Job& job) { return job.file == file; };
    if (m_failures.contains(file) || m_job.file == file || std::ranges::any_of(m_waiting, isIt)) return {};
    const StageState state = lesson.stateAt(static_cast<size_t>(step));
    QStringList arguments{QStringLiteral("--render"),
                          QString::fromStdString(viewWords[static_cast<size_t>(state.view)])};
    if (ships) {
        arguments << QStringLiteral("--option") << QStringLiteral("lesson=%1").arg(slug)
                  << QStringLiteral("page=%1").arg(step + 1);
    } else {
        StageState alone = state;
        alone.lesson.clear();
        arguments << QStringLiteral("--state") << QString::fromStdString(linkTo(alone));
    }
    arguments << QStringLiteral("--theme") << (dark ? QStringLiteral("dark") : QStringLiteral("light"))
              << QStringLiteral("--size") << QLatin1String(kPictureSize) << QStringLiteral("--out") << file;
    m_waiting.push_back({slug, step, file, arguments});
    if (m_process.state() == QProcess::NotRunning) startNext();
    return {};
}

void LessonPictures::forget() {
    m_waiting.clear();
}

void LessonPictures::startNext() {
    if (m_waiting.empty()) return;
    m_job = m_waiting.front();
    m_waiting.pop_front();
    QDir().mkpath(m_folder);
    m_process.start(m_program, m_job.arguments);
}

void LessonPictures::end(bool good) {
    const Job job = std::exchange(m_job, {});
    const QString why = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
    if (const QImage picture(job.file); good && !picture.isNull()) {
        m_read[job.file] = picture;
        emit drawn(job.slug, job.step);
    } else {
        m_failures[job.file] = why;
        emit failed(job.slug, job.step, why);
    }
    if (m_process.state() == QProcess::NotRunning) startNext();
}

int pictureStep(const Lesson& lesson) {
    const auto count = static_cast<int>(lesson.steps.size());
    for (int away = 0; away < count; ++away)
        for (const int step : {count / 2 - away, count / 2 + away})
            if (step >= 0 && step < count && lesson.stateAt(static_cast<size_t>(step)).train == 0) return step;
    return 0;
}

}  // namespace headlight

#include "moc_lesson_pictures.cpp"
