// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QSize>
#include <QString>
#include <optional>

namespace headlight {

class ThemeManager;

/// `headlight --render PICTURE`: a view, the whole window, a page of the presenter or a lesson's handout as a file,
/// with no display.
struct RenderRequest {
    QString picture;
    /// A file; empty: what an option, the link or the lesson names, else the one that the program begins with.
    QString model;
    std::optional<QString> source;   ///< none: a sentence that suits the model
    QString link;                    ///< what the stage shows, where there is one
    QMap<QString, QString> options;  ///< keys of StageState, on top of the link or of the lesson's step; and `frames`
    QSize size{1376, 852};
    QString out;

    /// Adds `key=value`. Throws Error for what has no key.
    void addOption(const QString& option);
    /// `1280x800`. Throws Error for other texts; which sizes can be drawn is asked by render().
    void setSize(const QString& text);
};

/// Throws Error for an unknown view or option, and whatever loading and reading throw.
void render(const RenderRequest& request, ThemeManager& theme);

}  // namespace headlight
