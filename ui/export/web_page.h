// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "ui/export/page_words.h"

namespace headlight {

/// One HTML file that plays by itself: style, script and record stand in it, and its Content-Security-Policy lets no
/// request leave it.
struct WebPage {
    QString title;
    QByteArray head;  ///< HTML behind the mark in the line at the top
    QByteArray body;  ///< HTML below it; the script finds `#stage` there
    const nlohmann::json& record;
    const PageWords& words;
};
QByteArray htmlOf(const WebPage& page);

/// Text as it stands in HTML, between tags or in quotes.
QByteArray escaped(const QString& text);

/// The page of a reading (readingRecord()): `shows` is what it begins with, `{"block", "head", "cell", "value", "at"}`,
/// all counted from 0, each of which may be missing.
QByteArray readingPage(nlohmann::json reading, nlohmann::json shows);

/// Writes it under a temporary name and renames it. Throws Error, too where the name does not end in .html.
void writePage(const QString& path, const QByteArray& html);

}  // namespace headlight
