// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfo>
#include <QString>

namespace headlight {

/// A folder that comes with the program: `models`, `lessons`, `formulas`; where it is installed, or in the source tree
/// that it was built from. Empty: it is nowhere.
QString shippedFolder(const QString& name);

/// All models that ship, by name.
QFileInfoList shippedModels();
/// The file of one of them, or an empty string.
QString shippedModel(const QString& name);
/// The model that the program begins with.
inline QString firstModel() {
    return shippedModel(QStringLiteral("vi-en-transformer"));
}

}  // namespace headlight
