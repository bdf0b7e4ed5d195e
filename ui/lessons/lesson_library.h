// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QLocale>
#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>

#include "core/lessons/course.h"
#include "core/lessons/lesson_folder.h"
#include "core/lessons/lesson_numbers.h"
#include "ui/session/open/job_thread.h"
#include "ui/session/open/paced_timer.h"

class QTemporaryDir;

namespace headlight {

/// The language of a system that is set to `locale`, as lessons name it ("de"); English for a system without one.
QString lessonLanguage(const QLocale& locale);

/// Throws Error where there is none of that name.
std::shared_ptr<const TrainedModel> openShippedModel(const std::string& name);

/// The lessons there are: those that ship, or a folder (or a zip of one) that was opened. A file that is saved is read
/// again at once.
class LessonLibrary : public QObject {
    Q_OBJECT
public:
    /// `open` gives the shipped model of a name, on any thread (tests have models of their own).
    explicit LessonLibrary(QObject* parent = nullptr, LessonNumbers::OpenModel open = openShippedModel);
    ~LessonLibrary() override;

    /// A folder or a zip. Throws Error where it holds no lesson; what was open then stays.
    void open(const QString& path);
    void openShipped();
    /// Are these the program's own, and all of them?
    bool isShipped() const;
    /// An instructor's choice of the lessons that ship, from one file. Throws Error, one line, where that is no course
    /// or names what there is not; what was open then stays.
    void openCourse(const QString& path);
    /// What a course is made of, in the chosen language where they are translated.
    std::vector<Lesson> shippedLessons() const { return m_shipped.inLanguage(m_language.toStdString()); }
    /// Null: all lessons are there to choose from.
    const Course* course() const { return m_course ? &*m_course : nullptr; }
    /// Folder or zip, as it was opened.
    const QString& path() const { return m_path; }

    const std::vector<Lesson>& lessons() const { return m_lessons; }
    const Lesson* find(const QString& slug) const;
    /// What checking found, once it has run in the background; the lessons that ship are not checked again.
    const std::vector<LessonMistake>& mistakes() const { return m_mistakes; }

    QString language() const { return m_language; }
    void setLanguage(const QString& language);
    QStringList languages() const;
    QString meaning(const QString& term) const;
    /// All terms with their meanings in the chosen language, or else in English; sorted.
    std::map<QString, QString> terms() const;
    /// What is said about a view; null: nothing.
    const ViewHelp* helpOf(ViewName view) const;
    QStringList formulaFolders() const;

    const LessonNumbers::OpenModel& modelOpener() const { return m_open; }

signals:
    void changed();

private:
    void read();
    void recheck();
    void watch();

    QString m_path, m_folderPath;
    LessonFolder m_folder, m_shipped;
    std::optional<Course> m_course;
    std::vector<Lesson> m_lessons;
    std::vector<LessonMistake> m_mistakes;
    QString m_language;
    LessonNumbers::OpenModel m_open;
    QFileSystemWatcher m_watcher;
    PacedTimer m_settle;  ///< editors write a file in several goes
    std::unique_ptr<QTemporaryDir> m_unpacked;
    JobThread m_jobs;  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
