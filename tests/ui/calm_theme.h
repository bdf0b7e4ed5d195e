// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <memory>

#include "ui/session/open/motion.h"
#include "ui/widgets/theme/theme.h"

namespace headlight::fixture {

/// Light, without motion, and with settings of its own in that folder.
inline std::unique_ptr<ThemeManager> calmTheme(const QTemporaryDir& settings) {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QCoreApplication::setOrganizationName(QStringLiteral("Headlight tests"));
    auto theme = std::make_unique<ThemeManager>(qApp);
    theme->setMode(ThemeManager::Mode::Light);
    motion::setReduced(true);
    return theme;
}

}  // namespace headlight::fixture
