// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/inline_markup.h"

#include <utility>

#include "core/text/unicode.h"

namespace headlight {

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
        found.push_back(place);
        at = text.find("{{", end + 2);
    }
    return found;
}

std::vector<LessonLink> lessonLinks(const std::string& markdown) {
    std::vector<LessonLink> found;
    size_t open = std::string::npos;  // the last [ that nothing closed
    for (size_t at = 0; at < markdown.size(); ++at) {
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

}  // namespace headlight
