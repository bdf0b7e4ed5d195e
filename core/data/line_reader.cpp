// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/line_reader.h"

#include "core/error.h"
#include "core/text/entities.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {
constexpr std::size_t longestLine = std::size_t{32} << 20;
}  // namespace

bool LineReader::next(std::string& line) {
    std::string raw;
    bool any = false, isCut = false;
    const std::size_t next = m_line + (m_goesOn ? 0 : 1);
    for (int c = m_file.sbumpc(); c != TextFile::traits_type::eof(); c = m_file.sbumpc()) {
        any = true;
        if (++m_bytes > m_options.mostBytes)
            throw Error(path() + " is longer than " + std::to_string(m_options.mostBytes >> 30) +
                        " GiB; cut it into smaller files");
        if (c == m_options.lineEnd) break;
        isCut = c == ' ' && m_options.cutAfter > 0 && raw.size() >= m_options.cutAfter;
        if (isCut) break;
        if (c == 0) fail(next, "holds a NUL byte, so this is no text; give a text file in UTF-8");
        if (raw.size() == longestLine)
            fail(next, "is longer than 32 MiB; give a sentence a line, or read it as running text");
        raw += static_cast<char>(c);
        isCut = m_options.cutBehind != 0 && c == m_options.cutBehind;
        if (isCut) break;
    }
    if (!any) return false;
    m_line = next;
    m_goesOn = isCut;
    line = clean(raw);
    return true;
}

void LineReader::fail(std::size_t line, const std::string& problem) const {
    throw Error(path() + ", line " + std::to_string(line) + " " + problem);
}

std::string LineReader::clean(std::string_view raw) {
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    if (raw.starts_with(byteOrderMark)) raw.remove_prefix(byteOrderMark.size());
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    if (const auto at = findInvalidUtf8(raw))
        fail("is not valid UTF-8 (byte " + std::to_string(*at + 1) +
             "); convert the file to UTF-8, or say which encoding it has");
    if (!m_options.undoEntities) return toNfc(raw);
    std::string text(raw);
    m_entities += undoEntities(text);
    return toNfc(text);
}

}  // namespace headlight
