// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_top_level.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace headlight {

namespace {

constexpr std::size_t kLongestKey = 1000;

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Letters, digits and signs of a number or of true, false and null.
bool isOfScalar(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '+' || c == '-' || c == '.' || c == 'E';
}

}  // namespace

JsonTopLevel::Met JsonTopLevel::read(char c) {
    if (m_isText) return readText(c);
    if (isSpace(c)) return Met::Other;
    if (m_depth >= 2) return readInner(c);
    return readTop(c);
}

JsonTopLevel::Met JsonTopLevel::readText(char c) {
    const bool ends = c == '"' && !m_isEscaped;
    m_isEscaped = c == '\\' && !m_isEscaped;
    if (!ends) {
        if (m_isKey && m_key.size() < kLongestKey) m_key += c;
        return Met::Other;
    }
    m_isText = false;
    if (!std::exchange(m_isKey, false)) return Met::Other;
    m_expected = Expected::Colon;
    if (m_key.find('\\') != std::string::npos)
        if (const nlohmann::json plain = parseJson('"' + m_key + '"'); plain.is_string())
            m_key = plain.get<std::string>();
    return Met::Other;
}

JsonTopLevel::Met JsonTopLevel::readTop(char c) {
    switch (m_expected) {
        case Expected::Object:
            if (c != '{') return Met::Wrong;
            m_depth = 1;
            m_expected = Expected::Key;
            return Met::Other;
        case Expected::Key:
            if (c == '"') {
                m_key.clear();
                m_isText = m_isKey = true;
                return Met::Other;
            }
            break;
        case Expected::Colon:
            if (c != ':') return Met::Wrong;
            m_expected = Expected::Value;
            return Met::Other;
        case Expected::Value:
            if (c == '}' || c == ']' || c == ',' || c == ':') return Met::Wrong;
            m_expected = Expected::Comma;
            m_isText = c == '"';
            m_isFirst = c == '[';
            if (c == '[' || c == '{') m_depth = 2;
            return Met::Other;
        case Expected::Comma:
            if (c == ',') m_expected = Expected::Key;
            if (c == ',' || isOfScalar(c)) return Met::Other;
            break;
        case Expected::Nothing:
            return Met::Wrong;
    }
    if (c != '}') return Met::Wrong;
    m_depth = 0;
    m_expected = Expected::Nothing;
    return Met::End;
}

JsonTopLevel::Met JsonTopLevel::readInner(char c) {
    const bool isFirst = std::exchange(m_isFirst, false);
    if (c == '"') m_isText = true;
    if (c == '{' || c == '[') ++m_depth;
    if (c == '}' || c == ']') --m_depth;
    if (isFirst && c == '{') {
        m_isInList = true;
        return Met::ListBegins;
    }
    return m_depth == 1 && std::exchange(m_isInList, false) ? Met::ListEnds : Met::Other;
}

void JsonTopLevel::leaveList() {
    m_depth = 1;
    m_isInList = false;
    m_expected = Expected::Comma;
}

}  // namespace headlight
