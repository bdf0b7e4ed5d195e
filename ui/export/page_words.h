// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include <nlohmann/json.hpp>

namespace headlight {

/// What a page says of its own accord, in the language of its lesson (`resources/page/words.LANGUAGE.json`); in English
/// where there is no such file, or a text is not in it.
class PageWords {
public:
    explicit PageWords(const std::string& language = {});

    /// With `%1` … as they are.
    QString say(const QString& english) const;
    /// English texts and theirs, for the page's script; null: it is English.
    const nlohmann::json& table() const { return m_table; }
    /// Of the page, as HTML names it.
    std::string language() const { return m_language; }

private:
    std::string m_language = "en";
    nlohmann::json m_table;
};

}  // namespace headlight
