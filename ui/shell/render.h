// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QSize>
#include <QString>

namespace headlight {

class ThemeManager;

/// `headlight --render VIEW`: a view as a file, with no display.
struct RenderRequest {
    QString view;
    QString model;
    QString source;  ///< empty: a sentence that suits the model
    QMap<QString, QString> options;
    QSize size{1376, 852};
    QString out;
};

/// Throws Error for an unknown view or option, and whatever loading and reading throw.
void render(const RenderRequest& request, ThemeManager& theme);

}  // namespace headlight
