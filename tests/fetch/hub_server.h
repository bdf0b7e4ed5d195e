// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTemporaryDir>

#include "tests/fetch/file_server.h"
#include "tests/patience.h"
#include "ui/fetch/hub_place.h"

namespace headlight::fixture {

/// A hub of models on a port of this computer: what it says of a model, and its files. Large ones are on another
/// server, as the hub's are.
class HubServer {
public:
    HubServer() : m_folder(std::make_unique<QTemporaryDir>()) {}

    static constexpr const char* kCommit = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";

    HubPlace place() const {
        HubPlace place{.endpoint = server.url({}).toString(QUrl::StripTrailingSlash)};
        place.cache = m_folder->filePath(QStringLiteral("hub"));
        place.memory = qint64{24} << 30;
        place.limits.silenceMs = kPatienceMs;
        return place;
    }
    QString cache(const QString& path = {}) const {
        return m_folder->filePath(path.isEmpty() ? QStringLiteral("hub") : QStringLiteral("hub/") + path);
    }

    static QByteArray sha256(const QByteArray& bytes) {
        return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
    }
    static QByteArray gitHash(const QByteArray& bytes) {
        return QCryptographicHash::hash("blob " + QByteArray::number(bytes.size()) + '\0' + bytes,
                                        QCryptographicHash::Sha1)
            .toHex();
    }
    static bool isLarge(const QString& file) { return file.endsWith(QLatin1String(".safetensors")); }
    static QByteArray hashOf(const QString& file, const QByteArray& bytes) {
        return isLarge(file) ? sha256(bytes) : gitHash(bytes);
    }

    /// All files of a golden model, as `name`.
    void add(const QString& name, const char* golden) {
        QMap<QString, QByteArray> files;
        const QDir folder(QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/") + QLatin1String(golden));
        for (const QString& each : folder.entryList(QDir::Files)) {
            QFile file(folder.filePath(each));
            if (file.open(QIODevice::ReadOnly)) files[each] = file.readAll();
        }
        add(name, files);
    }
    void add(const QString& name, const QMap<QString, QByteArray>& files) {
        for (const auto& [file, bytes] : files.asKeyValueRange()) {
            const QString at = pathOf(name, file);
            if (!isLarge(file)) {
                server.serve(at, {.body = bytes});
                continue;
            }
            const QString blob = QStringLiteral("blobs/") + QString::fromLatin1(sha256(bytes));
            store.serve(blob, {.body = bytes});
            server.serve(at, {.status = 302, .location = store.url(blob).toEncoded()});
        }
        describe(name, description(name, files));
    }
    static QJsonObject description(const QString& name, const QMap<QString, QByteArray>& files) {
        QJsonArray siblings;
        for (const auto& [file, bytes] : files.asKeyValueRange()) {
            QJsonObject listed{{QStringLiteral("rfilename"), file},
                               {QStringLiteral("size"), bytes.size()},
                               {QStringLiteral("blobId"), QString::fromLatin1(gitHash(bytes))}};
            if (isLarge(file))
                listed[QStringLiteral("lfs")] =
                    QJsonObject{{QStringLiteral("sha256"), QString::fromLatin1(sha256(bytes))},
                                {QStringLiteral("size"), bytes.size()}};
            siblings.append(listed);
        }
        return {{QStringLiteral("id"), name},
                {QStringLiteral("sha"), QString::fromLatin1(kCommit)},
                {QStringLiteral("gated"), false},
                {QStringLiteral("siblings"), siblings}};
    }
    void describe(const QString& name, const QJsonObject& description) {
        server.serve(infoOf(name), {.body = QJsonDocument(description).toJson()});
    }
    static QString infoOf(const QString& name) { return QStringLiteral("api/models/%1?blobs=true").arg(name); }
    static QString pathOf(const QString& name, const QString& file) {
        return QStringLiteral("%1/resolve/%2/%3").arg(name, QLatin1String(kCommit), file);
    }
    /// What a search for these words finds.
    void finds(const QString& words, const QStringList& names) {
        QJsonArray found;
        for (const QString& name : names)
            found.append(QJsonObject{{QStringLiteral("id"), name}});
        server.serve(searchOf(words), {.body = QJsonDocument(found).toJson()});
    }
    static QString searchOf(const QString& words) {
        return QStringLiteral("api/models?search=%1&limit=100&sort=downloads&direction=-1").arg(words);
    }

    FileServer server, store;

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace headlight::fixture
