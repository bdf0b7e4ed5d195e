// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <functional>

namespace headlight {

/// What a lesson's words need to become HTML.
struct ProseMeans {
    QStringList formulas;                                ///< folders with pictures
    std::function<QString(const QString&)> meaning;      ///< of a term
    std::function<QString(const QString&)> lessonTitle;  ///< of a slug; empty: there is none
};

/// In a text, the place of what the reader answers (`{{given}}`), which the page fills in.
inline constexpr QChar givenMark(0xE000);

/// A lesson's Markdown as HTML: terms open their meanings; nothing leads out of the page: other lessons stand by their
/// titles, addresses behind their words.
QByteArray proseHtml(const QString& markdown, const ProseMeans& means);

}  // namespace headlight
