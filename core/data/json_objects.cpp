// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/json_objects.h"

#include "core/data/line_reader.h"
#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr std::size_t kLongestObject = std::size_t{32} << 20;

/// Follows the text of an object, up to the brace that closes it.
class BraceCount {
public:
    void read(std::string_view text) {
        for (const char c : text) {
            if (m_isEscaped)
                m_isEscaped = false;
            else if (m_isText)
                (c == '\\' ? m_isEscaped : m_isText) = c != '"';
            else if (c == '"')
                m_isText = true;
            else if (c == '{')
                ++m_open;
            else if (c == '}')
                --m_open;
        }
    }
    bool isClosed() const { return m_open == 0; }

private:
    int m_open = 0;
    bool m_isText = false, m_isEscaped = false;
};

}  // namespace

bool JsonObjects::next(std::string& object) {
    if (m_isList) return nextOfList(object);
    while (m_lines.next(object))
        if (!trimmed(object).empty()) {
            m_line = m_lines.line();
            ++m_count;
            return true;
        }
    return false;
}

bool JsonObjects::nextOfList(std::string& object) {
    while (m_lines.next(m_piece)) {
        const std::string_view begun = beforeObject(m_piece);
        if (begun.empty()) continue;
        readObject(object, begun);
        m_expected = Expected::Comma;
        return true;
    }
    if (m_expected == Expected::ListInside) refuseWithoutList(m_lines.path(), m_list);
    if (m_expected == Expected::Rest) m_lines.fail("breaks off: the object around the list is not closed with }");
    if (m_expected != Expected::Nothing && m_expected != Expected::List)
        failAtEntry("breaks off: the list is not closed with ]");
    return false;
}

/// What of the text is the beginning of an object; empty where none begins in it.
std::string_view JsonObjects::beforeObject(std::string_view text) {
    while (!text.empty()) {
        if (m_expected == Expected::ListInside || m_expected == Expected::Rest) {
            text.remove_prefix(passOver(text));
            continue;
        }
        text = trimmed(text);
        if (text.empty()) break;
        const char c = text.front();
        const bool mayEnd = m_expected == Expected::FirstEntry || m_expected == Expected::Comma;
        if (m_expected == Expected::Nothing) {
            m_lines.fail("has text behind the end of the list");
        } else if (c == '{' && m_expected == Expected::List) {
            m_top.emplace();
            m_expected = Expected::ListInside;
            continue;
        } else if (c == '[' && m_expected == Expected::List) {
            m_expected = Expected::FirstEntry;
        } else if (c == ']' && mayEnd) {
            m_expected = m_top ? Expected::Rest : Expected::Nothing;
            if (m_top) m_top->leaveList();
        } else if (c == ',' && m_expected == Expected::Comma) {
            m_expected = Expected::Entry;
        } else if (c == '{' && (m_expected == Expected::FirstEntry || m_expected == Expected::Entry)) {
            return text;
        } else {
            failAtEntry("is not written as [{\"source\": \"…\", \"target\": \"…\"}, …]: one list of objects");
        }
        text.remove_prefix(1);
    }
    return {};
}

/// Bytes of the file's object that are before the list, or behind it.
std::size_t JsonObjects::passOver(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
        switch (m_top->read(text[i])) {
            case JsonTopLevel::Met::ListBegins:
                if (m_expected != Expected::ListInside || (!m_list.empty() && m_list != m_top->key())) break;
                m_expected = Expected::FirstEntry;
                return i;
            case JsonTopLevel::Met::End:
                if (m_expected == Expected::ListInside) refuseWithoutList(m_lines.path(), m_list);
                m_expected = Expected::Nothing;
                return i + 1;
            case JsonTopLevel::Met::Wrong:
                m_lines.fail("is not written as a JSON object: a comma, a colon or a brace is missing");
            case JsonTopLevel::Met::ListEnds:
            case JsonTopLevel::Met::Other:
                break;
        }
    return text.size();
}

/// An object's last brace ends a piece.
void JsonObjects::readObject(std::string& object, std::string_view begun) {
    m_line = m_lines.line();
    ++m_count;
    object = begun;
    BraceCount braces;
    braces.read(object);
    while (!braces.isClosed()) {
        const bool isSameLine = m_lines.goesOn();
        if (!m_lines.next(m_piece)) fail("breaks off before its end");
        if (!isSameLine) object += '\n';
        object += m_piece;
        braces.read(m_piece);
        if (object.size() > kLongestObject) fail("is longer than 32 MiB; give the sentences as a list of objects");
    }
}

void JsonObjects::fail(const std::string& problem) const {
    m_lines.fail(m_line, m_isList ? "(entry " + std::to_string(m_count) + ") " + problem : problem);
}

void JsonObjects::failAtEntry(const std::string& problem) {
    m_line = m_lines.line();
    if (m_expected != Expected::Comma) ++m_count;
    fail(problem);
}

std::optional<std::vector<JsonListSeen>> jsonListsIn(LineReader& lines) {
    std::vector<JsonListSeen> lists;
    JsonTopLevel top;
    bool isBegun = false, isInList = false;
    try {
        for (std::string piece; lines.next(piece);)
            for (const char c : piece) {
                const JsonTopLevel::Met met = top.read(c);
                if (met == JsonTopLevel::Met::Wrong && !isBegun) return {};
                if (met == JsonTopLevel::Met::Wrong || met == JsonTopLevel::Met::End) return lists;
                isBegun = isBegun || c == '{';
                if (met == JsonTopLevel::Met::ListBegins) lists.push_back({top.key()});
                if (met == JsonTopLevel::Met::ListBegins || met == JsonTopLevel::Met::ListEnds)
                    isInList = met == JsonTopLevel::Met::ListBegins;
                if (isInList) ++lists.back().bytes;
            }
    } catch (const Error&) {  // it ends there for whoever looks no further
    }
    return isBegun ? std::optional(std::move(lists)) : std::nullopt;
}

void refuseWithoutList(const std::string& path, const std::string& list) {
    throw Error(path + " is a JSON object without a list of objects " +
                (list.empty() ? "at its top level" : "called \"" + list + "\"") +
                "; give one list of objects, or one object a line, as {\"source\": \"…\", \"target\": \"…\"}");
}

}  // namespace headlight
