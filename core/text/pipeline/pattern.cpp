// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pattern.h"

#include <algorithm>

#include <unicode/regex.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

constexpr std::size_t longestExpression = 4096;
// ICU's units are "some thousand steps": real patterns take a few for a megabyte, those that explode never end. A short
// text gets less, as there may be many of them.
constexpr std::size_t mostTime = 4000, leastTime = 2, bytesPerTime = 16;
/// Oniguruma's lines end with `\n` alone, and `^` and `$` are about lines.
constexpr std::uint32_t flags = UREGEX_UNIX_LINES | UREGEX_MULTILINE;
constexpr int32_t stackLimit = 16 * 1024 * 1024;

/// What Oniguruma, for which such expressions are written, means by a class: ICU's `\s` lacks U+000B and U+0085, its
/// `\w` has what joins letters and lacks six numbers, which are in Oniguruma's only outside of brackets; its `\h` is a
/// space.
const char* classOf(char kind, bool isInBrackets) {
    switch (kind) {
        case 's':
            return "\\p{White_Space}";
        case 'S':
            return "\\P{White_Space}";
        case 'w':
            return isInBrackets ? R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])" : R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼½¾])";
        case 'W':
            return isInBrackets ? R"([^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])"
                                : R"([^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼½¾])";
        case 'h':
            return "[0-9A-Fa-f]";
        case 'H':
            return "[^0-9A-Fa-f]";
        default:
            return nullptr;
    }
}

std::string asOniguruma(const std::string& expression) {
    std::string result;
    int brackets = 0;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] == '[') ++brackets;
        if (expression[i] == ']' && brackets > 0) --brackets;
        if (expression[i] != '\\' || i + 1 == expression.size()) {
            result += expression[i];
            continue;
        }
        const char kind = expression[++i];
        if (const char* meant = classOf(kind, brackets > 0))
            result += meant;
        else
            result.append({'\\', kind});
    }
    return result;
}

/// A text as UTF-16, and the byte at which each of its units begins.
struct Utf16Text {
    icu::UnicodeString units;
    std::vector<std::size_t> offsets;

    explicit Utf16Text(std::string_view text) {
        const auto length = static_cast<int32_t>(text.size());
        offsets.reserve(text.size() + 1);
        char16_t* buffer = units.getBuffer(length);
        int32_t count = 0;
        for (int32_t at = 0; at < length;) {
            const int32_t begin = at;
            UChar32 character = nextCodePoint(text, at);
            if (character < 0) {
                at = begin + 1;
                character = 0xdc00 + static_cast<unsigned char>(text[static_cast<std::size_t>(begin)]);
            }
            const int32_t before = count;
            U16_APPEND_UNSAFE(buffer, count, character);
            offsets.insert(offsets.end(), static_cast<std::size_t>(count - before), static_cast<std::size_t>(begin));
        }
        units.releaseBuffer(count);
        offsets.push_back(text.size());
    }
};

enum class Part { Match, Between };

/// Pieces as they come: matches and what is between them, in the text's order.
class Splitter {
public:
    Splitter(std::string_view text, SplitBehavior behavior) : m_text(text), m_behavior(behavior) {}

    void add(std::size_t begin, std::size_t end, Part part) {
        if (begin == end) return;
        switch (m_behavior) {
            case SplitBehavior::Removed:
                if (part == Part::Between) put(begin, end);
                break;
            case SplitBehavior::Isolated:
                put(begin, end);
                break;
            case SplitBehavior::Contiguous:
                if (!m_pieces.empty() && m_last == part)
                    lengthen(end);
                else
                    put(begin, end);
                break;
            case SplitBehavior::MergedWithPrevious:
                if (part == Part::Match && !m_pieces.empty() && m_last == Part::Between)
                    lengthen(end);
                else
                    put(begin, end);
                break;
            case SplitBehavior::MergedWithNext:
                if (part == Part::Between && !m_pieces.empty() && m_last == Part::Match)
                    lengthen(end);
                else
                    put(begin, end);
                break;
        }
        m_last = part;
    }

    std::vector<std::string_view> take() { return std::move(m_pieces); }

private:
    void put(std::size_t begin, std::size_t end) { m_pieces.push_back(m_text.substr(begin, end - begin)); }
    void lengthen(std::size_t end) {
        const auto begin = static_cast<std::size_t>(m_pieces.back().data() - m_text.data());
        m_pieces.back() = m_text.substr(begin, end - begin);
    }

    std::string_view m_text;
    SplitBehavior m_behavior;
    std::vector<std::string_view> m_pieces;
    Part m_last = Part::Between;
};

}  // namespace

struct Pattern::Compiled {
    std::unique_ptr<icu::RegexPattern> pattern;
    std::string name;
};

Pattern Pattern::regex(const std::string& expression, const std::string& name) {
    UErrorCode status = U_ZERO_ERROR;
    UParseError where{};
    auto compiled = std::make_shared<Compiled>();
    compiled->name = name;
    if (expression.size() <= longestExpression && !findInvalidUtf8(expression))
        compiled->pattern.reset(
            icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(asOniguruma(expression)), flags, where, status));
    if (!compiled->pattern || U_FAILURE(status))
        throw Error(name + " splits text by an expression that cannot be read: '" +
                    repairedUtf8(expression.substr(0, 100)) + "'");
    Pattern pattern;
    pattern.m_compiled = std::move(compiled);
    return pattern;
}

Pattern Pattern::literal(const std::string& text) {
    Pattern pattern;
    pattern.m_literal = text;
    return pattern;
}

std::vector<Pattern::Span> Pattern::find(std::string_view text) const {
    std::vector<Span> spans;
    if (!m_compiled) {
        if (m_literal.empty()) return spans;
        for (std::size_t at = text.find(m_literal); at != std::string_view::npos;
             at = text.find(m_literal, at + m_literal.size()))
            spans.push_back({at, at + m_literal.size()});
        return spans;
    }
    const Utf16Text units(text);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(m_compiled->pattern->matcher(units.units, status));
    if (U_SUCCESS(status)) {
        matcher->setTimeLimit(static_cast<int32_t>(std::min(mostTime, leastTime + text.size() / bytesPerTime)), status);
        matcher->setStackLimit(stackLimit, status);
        while (matcher->find(status) && U_SUCCESS(status)) {
            const auto begin = static_cast<std::size_t>(matcher->start(status));
            const auto end = static_cast<std::size_t>(matcher->end(status));
            if (begin < end) spans.push_back({units.offsets[begin], units.offsets[end]});
        }
    }
    if (U_FAILURE(status))
        throw Error(m_compiled->name + " splits text by an expression that comes to no end with this text (" +
                    u_errorName(status) + "): shorten the text, or use a model with another tokenizer");
    return spans;
}

std::vector<std::string_view> Pattern::split(std::string_view text, SplitBehavior behavior, Matches matches) const {
    const bool inverted = matches == Matches::Inverted;
    const Part found = inverted ? Part::Between : Part::Match, between = inverted ? Part::Match : Part::Between;
    Splitter splitter(text, behavior);
    std::size_t at = 0;
    for (const Span& span : find(text)) {
        splitter.add(at, span.begin, between);
        splitter.add(span.begin, span.end, found);
        at = span.end;
    }
    splitter.add(at, text.size(), between);
    return splitter.take();
}

std::string Pattern::replace(std::string_view text, std::string_view replacement) const {
    std::string result;
    std::size_t at = 0;
    for (const Span& span : find(text)) {
        result.append(text.substr(at, span.begin - at)).append(replacement);
        at = span.end;
    }
    return result.append(text.substr(at));
}

}  // namespace headlight::pipeline
