// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <deque>
#include <map>

#include "core/lessons/lesson.h"

namespace headlight {

/// What steps of lessons show, as small pictures. The program draws them itself, in a process of its own that gives way
/// to whatever else runs: widgets are drawn by the thread that the window lives on, and that has better things to do.
/// A picture is kept in a folder until the lesson or the program is another one. Some ship (shipped_pictures.h), and
/// are there at once.
class LessonPictures : public QObject {
    Q_OBJECT
public:
    explicit LessonPictures(QObject* parent = nullptr);
    ~LessonPictures() override;

    /// `program` draws (`headlight --render`), `folder` keeps; without either there are no pictures.
    void setMaker(const QString& program, const QString& folder);
    /// Also what ships.
    void setDrawnAnew() { m_isDrawnAnew = true; }
    bool canDraw() const { return !m_program.isEmpty() && !m_folder.isEmpty(); }

    /// The picture of a step, from 0; null where it is not there yet: then drawn() follows, or failed() where it cannot
    /// be drawn. `ships`: the lesson is one of the program's own, found by its slug.
    QImage picture(const Lesson& lesson, int step, bool dark, bool ships);
    /// Those that are waited for are not wanted any more.
    void forget();
    bool isBusy() const { return m_process.state() != QProcess::NotRunning || !m_waiting.empty(); }

signals:
    void drawn(const QString& slug, int step);
    void failed(const QString& slug, int step, const QString& why);

private:
    struct Job {
        QString slug;
        int step = 0;
        QString file;
        QStringList arguments;
    };
    QString fileOf(const Lesson& lesson, int step, bool dark, bool ships) const;
    void startNext();
    void end(bool good);

    QString m_program, m_folder;
    bool m_isDrawnAnew = false;
    std::deque<Job> m_waiting;
    std::map<QString, QString> m_failures;  ///< by the picture's file: not tried again
    std::map<QString, QImage> m_read;       ///< pictures that were read, by their files
    Job m_job;                              ///< that is drawn now
    QProcess m_process;
};

/// The step whose picture stands for a lesson: the middle one of those that need no training.
int pictureStep(const Lesson& lesson);

}  // namespace headlight
