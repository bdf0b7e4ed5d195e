// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_library.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>

#include <zip.h>

#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/lesson_check.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

constexpr auto kLanguageKey = "lessons/language";
constexpr int kSettleMs = 150;
constexpr zip_uint64_t kLargestEntry = 1 << 20, kLargestPack = 32 << 20;
constexpr zip_int64_t kMostEntries = 2000;

}  // namespace

std::shared_ptr<const TrainedModel> openShippedModel(const std::string& name) {
    const QString file = shippedModel(QString::fromStdString(name));
    if (file.isEmpty()) throw Error("there is no shipped model \"" + name + "\"");
    return openTrainedModel(file);
}

void unpackLessons(const QString& path, const QString& folder) {
    int code = 0;
    zip_t* archive = zip_open(path.toUtf8().constData(), ZIP_RDONLY, &code);
    if (!archive) throw Error(path.toStdString() + " is no zip that can be read");
    const std::unique_ptr<zip_t, void (*)(zip_t*)> keeper(archive, zip_discard);
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count > kMostEntries) throw Error(path.toStdString() + " holds more files than a pack of lessons may");
    // en/03-gates.md, perhaps within a folder of the pack's own name: only such names are written, so none leads out.
    static const QRegularExpression form(
        QStringLiteral("^(?:[\\w-]+/)?((?:[a-z]{2,3}(?:-[A-Za-z]+)?/(?:[0-9]{2}-[a-z0-9-]+\\.md|terms\\.yaml))|"
                       "formulas/[0-9a-f]{16}\\.svg)$"));
    zip_uint64_t written = 0;
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        if (zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &stat) != 0) continue;
        const QRegularExpressionMatch match = form.match(QString::fromUtf8(stat.name));
        if (!match.hasMatch()) continue;
        written += stat.size;
        if (stat.size > kLargestEntry || written > kLargestPack)
            throw Error(path.toStdString() + " holds more than a pack of lessons may");
        const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(
            zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0), zip_fclose);
        QByteArray bytes(static_cast<qsizetype>(stat.size), '\0');
        if (!entry || zip_fread(entry.get(), bytes.data(), stat.size) != static_cast<zip_int64_t>(stat.size))
            throw Error(path.toStdString() + " is damaged");
        const QString target = QDir(folder).filePath(match.captured(1));
        QDir().mkpath(QFileInfo(target).path());
        QFile file(target);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            throw Error("the pack cannot be unpacked to " + folder.toStdString());
    }
}

LessonLibrary::LessonLibrary(QObject* parent, LessonNumbers::OpenModel open)
    : QObject(parent), m_open(std::move(open)) {
    m_language = QSettings().value(QLatin1String(kLanguageKey)).toString();
    if (m_language.isEmpty()) m_language = QLocale().name().section(u'_', 0, 0);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settle, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_settle, qOverload<>(&QTimer::start));
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
    read();
}

bool LessonLibrary::isShipped() const {
    return m_folderPath == shippedFolder(QStringLiteral("lessons"));
}

void LessonLibrary::open(const QString& path) {
    std::unique_ptr<QTemporaryDir> unpacked;
    QString folder = path;
    if (QFileInfo(path).isFile()) {
        unpacked = std::make_unique<QTemporaryDir>();
        unpackLessons(path, unpacked->path());
        folder = unpacked->path();
    }
    LessonFolder read_ = readLessonFolder(folder.toStdString());
    if (read_.lessons.empty())
        throw Error(path.toStdString() + " holds no lesson: they are files LANGUAGE/NN-slug.md, as en/03-gates.md");
    m_folder = std::move(read_);
    m_unpacked = std::move(unpacked);
    m_path = path;
    m_folderPath = folder;
    read();
    recheck();
}

void LessonLibrary::read() {
    m_lessons = m_folder.inLanguage(languages().contains(m_language) ? m_language.toStdString() : "en");
    if (m_lessons.empty() && !m_folder.lessons.empty())
        m_lessons = m_folder.inLanguage(m_folder.lessons.front().language);
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

QStringList LessonLibrary::formulaFolders() const {
    return {shippedFolder(QStringLiteral("formulas")), QDir(m_folderPath).filePath(QStringLiteral("formulas"))};
}

}  // namespace headlight
