// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/inline_markup.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

/// The text with what `write` says in the place of each link that points at a number.
template <class Write>
std::string pointersReplaced(const std::string& markdown, Write write) {
    std::string result;
    size_t from = 0;
    for (const LessonLink& link : lessonLinks(markdown)) {
        if (!link.isPointer()) continue;
        result += markdown.substr(from, link.begin - from) + write(link);
        from = link.end();
    }
    return result + markdown.substr(from);
}

void readDial(const std::string& text, NumberPlace& place) {
    try {
        place.dial = parseDial(text);
        if (text == place.written) place.decimals = place.dial->decimals();
    } catch (const Error&) {
        // A lesson that is being written: the check says what is wrong.
    }
}

}  // namespace

std::vector<InlineFormula> inlineFormulas(const std::string& markdown) {
    std::vector<InlineFormula> found;
    for (size_t at = 0; at < markdown.size(); ++at) {
        if (markdown[at] == '\\') {
            ++at;
            continue;
        }
        if (markdown[at] != '$') continue;
        const size_t end = markdown.find('$', at + 1);
        if (end == std::string::npos) {
            found.push_back({at, std::string::npos, {}});
            break;
        }
        found.push_back({at, end + 1, markdown.substr(at + 1, end - at - 1)});
        at = end;
    }
    return found;
}

std::vector<NumberPlace> numberPlaces(const std::string& text) {
    std::vector<NumberPlace> found;
    for (size_t at = text.find("{{"); at != std::string::npos;) {
        const size_t end = text.find("}}", at);
        if (end == std::string::npos) break;
        NumberPlace place{at, end + 2, std::string(trimmed(std::string_view(text).substr(at + 2, end - at - 2))), {}};
        std::string name = place.written;
        if (const size_t colon = name.rfind(':');
            colon != std::string::npos && colon + 2 == name.size() && name.back() >= '0' && name.back() <= '9') {
            place.decimals = name.back() - '0';
            name = std::string(trimmed(std::string_view(name).substr(0, colon)));
        }
        place.number = parseNumberName(name);
        if (!place.number && isDialText(name)) readDial(name, place);
        found.push_back(place);
        at = text.find("{{", end + 2);
    }
    return found;
}

std::vector<LessonLink> lessonLinks(const std::string& markdown) {
    std::vector<LessonLink> found;
    size_t open = std::string::npos;  // the last [ that nothing closed
    const size_t lastClose = markdown.rfind("}}");
    for (size_t at = 0; at < markdown.size(); ++at) {
        // The brackets of a number are no link's. Behind the last }} none is looked for, again and again.
        if (lastClose != std::string::npos && at <= lastClose && markdown.compare(at, 2, "{{") == 0)
            at = markdown.find("}}", at) + 2;
        if (at >= markdown.size()) break;
        if (markdown[at] == '[') open = at;
        if (markdown[at] != ']') continue;
        const size_t begin = std::exchange(open, std::string::npos);
        if (begin == std::string::npos || begin + 1 == at || markdown.compare(at, 2, "](") != 0) continue;
        const size_t end = markdown.find_first_of(") \t\n", at + 2);
        if (end == std::string::npos) break;
        if (markdown[end] == ')' && end > at + 2)
            found.push_back({markdown.substr(begin + 1, at - begin - 1), markdown.substr(at + 2, end - at - 2), begin});
        at = end;
    }
    return found;
}

std::string pointerTarget(const NumberName& number) {
    std::string target = '@' + number.name;
    for (const int index : number.indices)
        target += '/' + std::to_string(index);
    return target;
}

std::optional<NumberName> parsePointerTarget(const std::string& target) {
    if (!target.starts_with('@')) return {};
    NumberName number;
    size_t end = target.find('/');
    number.name = target.substr(1, end == std::string::npos ? end : end - 1);
    while (end != std::string::npos) {
        const size_t begin = end + 1;
        end = target.find('/', begin);
        const char* const last = target.data() + std::min(end, target.size());
        int index = 0;
        const auto [stop, error] = std::from_chars(target.data() + begin, last, index);
        if (error != std::errc() || stop != last || index < 1) return {};
        number.indices.push_back(index);
    }
    return number.name.empty() || number.indices.empty() ? std::nullopt : std::optional(number);
}

std::string withoutPointers(const std::string& markdown) {
    return pointersReplaced(markdown, [](const LessonLink& link) { return link.text; });
}

std::string withPointers(const std::string& markdown) {
    return pointersReplaced(markdown, [](const LessonLink& link) {
        const auto number = parseNumberName(link.target.substr(1));
        // A lesson that is being written: the check names the mistake.
        return number ? '[' + link.text + "](" + pointerTarget(*number) + ')' : link.text;
    });
}

}  // namespace headlight
