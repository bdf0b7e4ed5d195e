// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_library.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <chrono>

#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_pack.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

constexpr auto kLanguageKey = "lessons/language";
constexpr std::chrono::milliseconds kSettle{150};

}  // namespace

QString lessonLanguage(const QLocale& locale) {
    const bool isNone = locale.language() == QLocale::C || locale.language() == QLocale::AnyLanguage;
    return isNone ? QStringLiteral("en") : locale.name().section(u'_', 0, 0);
}

std::shared_ptr<const TrainedModel> openShippedModel(const std::string& name) {
    const QString file = shippedModel(QString::fromStdString(name));
    if (file.isEmpty()) throw Error("there is no shipped model \"" + name + "\"");
    return openTrainedModel(file);
}

LessonLibrary::LessonLibrary(QObject* parent, LessonNumbers::OpenModel open)
    : QObject(parent), m_open(std::move(open)), m_settle(kSettle) {
    m_language = QSettings().value(QLatin1String(kLanguageKey)).toString();
    if (m_language.isEmpty()) m_language = lessonLanguage(QLocale::system());
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settle, &PacedTimer::start);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_settle, &PacedTimer::start);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        try {
            m_folder = readLessonFolder(m_folderPath.toStdString());
        } catch (const Error&) {
            return;  // the folder went away while it was looked at: what was read stays
        }
        read();
        recheck();
    });
    openShipped();
}

LessonLibrary::~LessonLibrary() = default;

void LessonLibrary::openShipped() {
    const QString folder = shippedFolder(QStringLiteral("lessons"));
    if (folder.isEmpty()) return;
    m_shipped = m_folder = readLessonFolder(folder.toStdString());
    m_path = m_folderPath = folder;
    m_mistakes.clear();
    m_course.reset();
    read();
}

void LessonLibrary::openCourse(const QString& path) {
    const Course course = readCourse(path.toStdString());
    const std::vector<LessonMistake> mistakes = checkCourse(course, m_shipped.inLanguage("en"));
    if (!mistakes.empty())
        throw Error(mistakes[0].path + ":" + std::to_string(mistakes[0].line) + ": " + mistakes[0].what);
    openShipped();
    m_course = course;
    m_path = path;
    read();
}

bool LessonLibrary::isShipped() const {
    return !m_course && m_folderPath == shippedFolder(QStringLiteral("lessons"));
}

void LessonLibrary::open(const QString& path) {
    std::unique_ptr<QTemporaryDir> unpacked;
    QString folder = path;
    if (QFileInfo(path).isFile()) {
        unpacked = std::make_unique<QTemporaryDir>();
        unpackLessons(path.toStdString(), unpacked->path().toStdString());
        folder = unpacked->path();
    }
    LessonFolder read_ = readLessonFolder(folder.toStdString());
    if (read_.lessons.empty())
        throw Error(path.toStdString() + " holds no lesson: they are files LANGUAGE/NN-slug.md, as en/03-gates.md");
    m_folder = std::move(read_);
    m_unpacked = std::move(unpacked);
    m_path = path;
    m_folderPath = folder;
    m_course.reset();
    read();
    recheck();
}

void LessonLibrary::read() {
    m_lessons = m_folder.inLanguage(languages().contains(m_language) ? m_language.toStdString() : "en");
    if (m_lessons.empty() && !m_folder.lessons.empty())
        m_lessons = m_folder.inLanguage(m_folder.lessons.front().language);
    if (m_course) m_lessons = lessonsOf(*m_course, m_lessons);
    LessonProgress::keepFor(m_course ? QString::fromStdString(m_course->title) : QString());
    watch();
    emit changed();
}

void LessonLibrary::recheck() {
    LessonCheckOptions options{m_open, {}, shippedFolder(QStringLiteral("lessons")).toStdString()};
    for (const QString& folder : formulaFolders())
        options.formulaFolders.push_back(folder.toStdString());
    m_jobs.post(0, [this, folder = m_folder, options] {
        std::vector<LessonMistake> found;
        try {
            found = checkLessons(folder, options);
        } catch (const std::exception& error) {
            found.push_back({folder.path, 1, std::string("the lessons cannot be checked: ") + error.what()});
        }
        QMetaObject::invokeMethod(this, [this, path = folder.path, found] {
            if (path != m_folder.path) return;  // another folder was opened meanwhile
            m_mistakes = found;
            emit changed();
        });
    });
}

void LessonLibrary::watch() {
    if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
    QStringList all{m_folderPath};
    QDirIterator entries(m_folderPath, QDir::Dirs | QDir::Files | QDir::NoDotAndDotDot | QDir::NoSymLinks,
                         QDirIterator::Subdirectories);
    while (entries.hasNext() && all.size() < 500)
        all << entries.next();
    m_watcher.addPaths(all);
}

const Lesson* LessonLibrary::find(const QString& slug) const {
    for (const Lesson& lesson : m_lessons)
        if (lesson.slug == slug.toStdString()) return &lesson;
    return nullptr;
}

void LessonLibrary::setLanguage(const QString& language) {
    m_language = language;
    QSettings().setValue(QLatin1String(kLanguageKey), language);
    read();
}

QStringList LessonLibrary::languages() const {
    return wordList(m_folder.languages());
}

QString LessonLibrary::meaning(const QString& term) const {
    const std::string name = term.toStdString(), language = m_language.toStdString();
    const std::string own = m_folder.meaning(name, language);
    return QString::fromStdString(own.empty() ? m_shipped.meaning(name, language) : own);
}

std::map<QString, QString> LessonLibrary::terms() const {
    std::map<QString, QString> all;
    for (const LessonFolder* folder : {&m_folder, &m_shipped})
        for (const std::string& language : {m_language.toStdString(), std::string("en")})
            if (const auto in = folder->terms.find(language); in != folder->terms.end())
                for (const auto& [term, meaning] : in->second)
                    all.emplace(QString::fromStdString(term), QString::fromStdString(meaning));
    return all;
}

const ViewHelp* LessonLibrary::helpOf(ViewName view) const {
    return m_shipped.helpOf(viewOf(view).name, m_language.toStdString());
}

QStringList LessonLibrary::formulaFolders() const {
    return {shippedFolder(QStringLiteral("formulas")), QDir(m_folderPath).filePath(QStringLiteral("formulas"))};
}

}  // namespace headlight

#include "moc_lesson_library.cpp"
