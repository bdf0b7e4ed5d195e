// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/hub_fetch.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/import/hub_cache.h"
#include "ui/session/format/byte_count.h"

namespace headlight {

namespace {

constexpr qint64 kMostDescribed = 16 << 20;  ///< bytes of what a hub says of a model; thousands of files are under one
constexpr qint64 kMostSettings = 1 << 20;
constexpr int kUnauthorized = 401, kForbidden = 403, kMissing = 404, kTooMany = 429;
constexpr int kGitDigits = 40;

/// Are those the contents that the hub announced? SHA-256 of the file, or as git names it: SHA-1 of "blob SIZE", a
/// zero, and the file.
bool isWhatWasAnnounced(const QString& path, const HubFile& announced, const Background::Wanted& wanted) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() != announced.size) return false;
    const bool isGit = announced.hash.size() == kGitDigits;
    QCryptographicHash hash(isGit ? QCryptographicHash::Sha1 : QCryptographicHash::Sha256);
    if (isGit) hash.addData("blob " + QByteArray::number(announced.size) + '\0');
    while (!file.atEnd() && wanted()) {
        constexpr qint64 piece = 1 << 20;
        hash.addData(file.read(piece));
    }
    return hash.result().toHex() == QByteArray::fromStdString(announced.hash).toLower();
}

QString folderOf(const HubPlace& place, const std::string& name) {
    return QDir(place.cache).filePath(QString::fromStdString(hubFolderName(name)));
}

}  // namespace

HubFetch::HubFetch(const QString& name, HubPlace place, QObject* parent)
    : QObject(parent),
      m_wanted(modelNameFrom(name.toStdString())),
      m_place(std::move(place)),
      m_download(nullptr, m_place.limits) {
    connect(&m_download, &Download::changed, this, &HubFetch::changed);
    connect(&m_download, &Download::came, this, &HubFetch::came);
    connect(&m_download, &Download::failed, this, &HubFetch::failed);
}

HubFetch::~HubFetch() = default;

QString HubFetch::name() const {
    return QString::fromStdString(m_model ? m_model->name : m_wanted.name);
}

bool HubFetch::isTooLarge() const {
    return m_outline && m_outline->memory > m_place.memory;
}

QString HubFetch::modelFolder() const {
    return folderOf(m_place, m_model ? m_model->name : m_wanted.name);
}

QString HubFetch::blob(const HubFile& file) const {
    return QString::fromStdString(hubBlob(modelFolder().toStdString(), file.hash));
}

/// What stands under the checksum of contents was checked when it came.
bool HubFetch::isHere(const HubFile& file) const {
    const QFileInfo there(blob(file));
    return there.isFile() && there.size() == file.size;
}

qint64 HubFetch::received() const {
    // Asked each time that bytes come: then the disk is not.
    const qint64 sum = m_state == State::Fetching ? m_besides + m_download.received() : bytesHere(m_files.size());
    return std::min(sum, total());
}

/// On the disk, of all files but one.
qint64 HubFetch::bytesHere(size_t without) const {
    qint64 sum = 0;
    for (size_t i = 0; i < m_files.size(); ++i)
        if (i != without)
            sum += isHere(m_files[i]) ? m_files[i].size
                                      : QFileInfo(blob(m_files[i]) + QStringLiteral(".incomplete")).size();
    return sum;
}

bool HubFetch::canGoOn() const {
    return m_state == State::Known && !isTooLarge() && received() > 0;
}

std::optional<int> HubFetch::secondsLeft() const {
    constexpr double settled = 2;
    const double seconds = m_clock.isValid() ? static_cast<double>(m_clock.elapsed()) / 1000 : 0;
    const auto came = static_cast<double>(received() - m_atStart);
    if (m_state != State::Fetching || seconds < settled || came <= 0) return {};
    return static_cast<int>(static_cast<double>(total() - received()) * seconds / came) + 1;
}

void HubFetch::look() {
    if (isBusy() || m_model) return;
    m_failure.clear();
    m_isMissing = false;
    if (const QString why = m_place.whyNotAsked(); !why.isEmpty()) return fail(why);
    QString path = QStringLiteral("/api/models/") + QString::fromStdString(m_wanted.name);
    if (!m_wanted.revision.empty())
        path += QStringLiteral("/revision/") +
                QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(m_wanted.revision)));
    become(State::Asking);
    ask(Wanted::Description, path + QStringLiteral("?blobs=true"), kMostDescribed);
}

void HubFetch::ask(Wanted what, const QString& path, qint64 largest) {
    m_asked = what;
    m_download.setFile({.url = m_place.url(path), .largest = largest, .token = m_place.token});
    m_download.start();
}

void HubFetch::came() {
    try {
        switch (m_asked) {
            case Wanted::Description:
                return takeDescription();
            case Wanted::Settings:
                return takeSettings();
            case Wanted::File:
                return check();
        }
    } catch (const Error& error) {
        m_isUnfit = true;
        fail(QString::fromUtf8(error.what()));
    }
}

void HubFetch::takeDescription() {
    m_model = hubModelFromJson(m_download.bytes().toStdString(), m_wanted.name);
    m_files = neededFiles(*m_model);
    ask(Wanted::Settings,
        QStringLiteral("/%1/resolve/%2/config.json").arg(name(), QString::fromStdString(m_model->commit)),
        kMostSettings);
}

void HubFetch::takeSettings() {
    m_outline = outlineOf(*m_model, m_download.bytes().toStdString());
    known();
}

/// What it is; and whether it is here already.
void HubFetch::known() {
    const QString snapshot =
        QDir(modelFolder()).filePath(QStringLiteral("snapshots/") + QString::fromStdString(m_model->commit));
    const bool isWhole = std::ranges::all_of(m_files, [&](const HubFile& file) {
        return QFileInfo(QDir(snapshot).filePath(QString::fromStdString(file.name))).size() == file.size;
    });
    if (isWhole) m_path = snapshot;
    become(isWhole ? State::Here : State::Known);
    if (std::exchange(m_startsWhenKnown, false)) isWhole ? emit fetched(m_path) : start();
}

void HubFetch::start() {
    if (isBusy() || m_state == State::Here) return;
    if (!m_model || !m_outline) {
        m_model.reset();
        m_startsWhenKnown = true;
        return look();
    }
    m_failure.clear();
    if (isTooLarge()) return fail(whyTooLarge());
    if (m_place.cache.isEmpty())
        return fail(tr("This computer has no folder for models. Set HF_HOME, then start Headlight again."));
    const QString blobs = QDir(modelFolder()).filePath(QStringLiteral("blobs"));
    m_download.setFile({.url = {}, .part = blobs + QStringLiteral("/part")});  // where it is asked for room
    if (!QDir().mkpath(blobs) || !QFileInfo(blobs).isWritable()) return fail(m_download.whyNotKept(0));
    m_at = 0;
    m_atStart = received();
    if (const qint64 needed = total() - m_atStart; needed > m_download.room())
        return fail(m_download.whyNotKept(needed));
    m_besides = m_atStart;
    m_clock.start();
    become(State::Fetching);
    next();
}

/// Fetches what is not here yet, file by file.
void HubFetch::next() {
    while (m_at < m_files.size() && isHere(m_files[m_at]))
        ++m_at;
    if (m_at == m_files.size()) return finish();
    m_besides = bytesHere(m_at);
    become(State::Fetching);
    const HubFile& file = m_files[m_at];
    m_asked = Wanted::File;
    m_download.setFile({.url = m_place.url(QStringLiteral("/%1/resolve/%2/%3")
                                               .arg(name(), QString::fromStdString(m_model->commit),
                                                    QString::fromStdString(file.name))),
                        .part = blob(file) + QStringLiteral(".incomplete"),
                        .largest = file.size,
                        .size = file.size,
                        .token = m_place.token,
                        .neverChanges = true});
    m_download.start();
}

/// The part becomes the file once it is what was announced.
void HubFetch::check() {
    become(State::Checking);
    const HubFile file = m_files[m_at];
    m_work.ask<bool>(
        [file, part = m_download.file().part](const Background::Wanted& wanted) {
            return isWhatWasAnnounced(part, file, wanted);
        },
        [this, to = blob(file)](bool isRight) {
            if (!isRight) {
                m_download.drop();
                return fail(tr("What %1 sent isn't the file that was announced (wrong checksum), so it was deleted. "
                               "Try again later.")
                                .arg(m_download.host()));
            }
            QFile::remove(to);
            if (!QFile::rename(m_download.file().part, to)) return fail(m_download.whyNotKept(0));
            next();
        },
        [this](const QString& why) { fail(why); });
}

/// All contents are there: they get their names.
void HubFetch::finish() {
    become(State::Checking);
    std::vector<SnapshotFile> files;
    for (const HubFile& file : m_files)
        files.push_back({file.name, file.hash});
    const std::string folder = modelFolder().toStdString(), commit = m_model->commit;
    const std::string revision = m_wanted.revision.empty() ? "main" : m_wanted.revision;
    // A commit may have been named by its first digits.
    const bool isCommit = commit.starts_with(revision);
    m_work.ask<QString>(
        [=]() -> QString {
            makeSnapshot(folder, commit, isCommit ? commit : revision, files);
            return QString::fromStdString(hubSnapshot(folder, isCommit ? commit : revision));
        },
        [this](const QString& path) {
            m_path = path;
            become(State::Here);
            emit fetched(path);
        },
        [this](const QString& why) { fail(why); });
}

void HubFetch::stop() {
    if (!isBusy()) return;
    m_work.drop();
    m_download.stop();
    m_startsWhenKnown = false;
    become(m_outline ? State::Known : State::Unknown);
}

void HubFetch::become(State state) {
    m_state = state;
    emit changed();
}

void HubFetch::fail(const QString& why) {
    m_failure = why;
    m_startsWhenKnown = false;
    become(m_outline ? State::Known : State::Unknown);
}

void HubFetch::failed(const QString& why) {
    m_isMissing = m_download.refusal().status == kMissing || m_download.refusal().code == "RepoNotFound";
    fail(whyRefused(why));
}

/// What servers of models mean by their refusals; to whoever is not known a hub denies private models by "401".
QString HubFetch::whyRefused(const QString& why) const {
    const Download::Refusal& refusal = m_download.refusal();
    const QString host = m_place.host();
    if (refusal.code == "RevisionNotFound")
        return tr("%1 has no revision %2 of %3. Name another one.")
            .arg(host, QString::fromStdString(m_wanted.revision), name());
    const bool isForbidden = refusal.status == kUnauthorized || refusal.status == kForbidden;
    if (refusal.code == "GatedRepo" || (isForbidden && m_model && m_model->isGated))
        return tr("%1 is given to those who accept its licence. Accept it at %2 with a browser, set HF_TOKEN, then "
                  "start Headlight again.")
            .arg(name(), m_place.endpoint + u'/' + name());
    if (isForbidden && !m_place.token.isEmpty() && refusal.code != "RepoNotFound")
        return tr("%1 doesn't accept the token in HF_TOKEN (%2). Make a new one there, then start Headlight again.")
            .arg(host)
            .arg(refusal.status);
    if (isForbidden || refusal.status == kMissing || refusal.code == "RepoNotFound")
        return tr("%1 has no model %2, or it is private. Check the name; for a private one set HF_TOKEN.")
            .arg(host, name());
    if (refusal.status == kTooMany)
        return tr("%1 has been asked too often. Wait a few minutes, then try again.").arg(host);
    return why;
}

QString HubFetch::whyTooLarge() const {
    return tr("%1 takes %2 of memory when it is open, and this computer has %3. Choose a smaller model.")
        .arg(name(), formatBytes(m_outline->memory), formatBytes(m_place.memory));
}

}  // namespace headlight

#include "moc_hub_fetch.cpp"
