// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <string>

namespace headlight::fixture {

/// A file of these bytes in the folder: its path.
inline std::string writtenFile(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
    QFile file(folder.filePath(name));
    [[maybe_unused]] const bool isOpen = file.open(QIODevice::WriteOnly);
    file.write(bytes);
    return file.fileName().toStdString();
}

}  // namespace headlight::fixture
