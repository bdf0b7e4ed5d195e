// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/page_words.h"

#include <QFile>
#include <QRegularExpression>

#include "core/json_text.h"

namespace headlight {

PageWords::PageWords(const std::string& language) {
    const QString name = QString::fromStdString(language);
    // A folder's name: anything may stand there.
    static const QRegularExpression plain(QStringLiteral("^[a-z]{2,3}$"));
    if (!plain.match(name).hasMatch()) return;
    QFile file(QStringLiteral(":/page/words.%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return;
    m_language = language;
    m_table = parseJson(file.readAll().toStdString());
}

QString PageWords::say(const QString& english) const {
    const auto found = m_table.find(english.toStdString());
    return found == m_table.end() ? english : QString::fromStdString(found->get<std::string>());
}

}  // namespace headlight
