// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace cli {

inline const QString shippedModel =
    QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
inline const QString recurrentModel = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-gru.safetensors");
inline const QString foreignModels = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/");
/// A model that trains in no time.
inline const QStringList tinySizes{
    "--d-model", "16", "--num-heads",  "2", "--num-encoder-layers", "1", "--num-decoder-layers", "1",
    "--d-ff",    "32", "--batch-size", "32"};

struct Result {
    int status = -1;
    QByteArray out, error;
};

using Variables = QMap<QString, QString>;

/// `variables` are set beside those of the test; one without a value is taken away.
inline Result runCli(const QString& folder, const QStringList& arguments, const QByteArray& input = {},
                     const Variables& variables = {}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto it = variables.begin(); it != variables.end(); ++it)
        if (it.value().isEmpty())
            environment.remove(it.key());
        else
            environment.insert(it.key(), it.value());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(HEADLIGHT_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(headlight::fixture::kLongPatienceMs)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

inline QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QList<QJsonObject> jsonLines(const QByteArray& text) {
    QList<QJsonObject> objects;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty()) objects << QJsonDocument::fromJson(line).object();
    return objects;
}

/// headlight-cli in a folder of its own, a new one for each test.
class Test : public QObject {
protected:
    void makeFolder() { m_folder = std::make_unique<QTemporaryDir>(); }
    QString folder() const { return m_folder->path(); }
    QString path(const QString& name) const { return m_folder->filePath(name); }
    Result run(const QStringList& arguments, const QByteArray& input = {}, const Variables& variables = {}) const {
        return runCli(folder(), arguments, input, variables);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace cli
