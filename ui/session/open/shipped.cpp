// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/shipped.h"

#include <QCoreApplication>
#include <QDir>

namespace headlight {

QString shippedFolder(const QString& name) {
    const QDir program(QCoreApplication::applicationDirPath());
    // The tests lie one folder deeper than the program.
    for (const char* place :
         {"../share/headlight/%1", "../../resources/%1", "../../%1", "../../../resources/%1", "../../../%1"}) {
        const QDir folder(program.filePath(QString::fromLatin1(place).arg(name)));
        if (folder.exists()) return folder.canonicalPath();
    }
    return {};
}

QFileInfoList shippedModels() {
    const QString folder = shippedFolder(QStringLiteral("models"));
    if (folder.isEmpty()) return {};
    return QDir(folder).entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files, QDir::Name);
}

QString shippedModel(const QString& name) {
    for (const QFileInfo& file : shippedModels())
        if (file.completeBaseName() == name) return file.canonicalFilePath();
    return {};
}

}  // namespace headlight
