// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/data/line_reader.h"
#include "core/data/sheet.h"
#include "core/error.h"
#include "core/io/trained_model.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

bool isIndented(std::string_view line) {
    return line.starts_with(' ') || line.starts_with('\t');
}

int charactersOf(std::string_view text) {
    return static_cast<int>(std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

}  // namespace

const char* nameOf(TextReading reading) {
    switch (reading) {
        case TextReading::Lines:
            return "lines";
        case TextReading::Breaks:
            return "breaks";
        case TextReading::Paragraphs:
            return "paragraphs";
    }
    return "";
}

TextReading parseTextReading(std::string_view text) {
    for (const TextReading reading : textReadings)
        if (text == nameOf(reading)) return reading;
    throw Error("\"" + std::string(text) + "\" is no way to read a text: write lines, breaks or paragraphs");
}

TextReading readingOf(const TrainingStory& training) {
    const std::string said = training.ofData("running_text");
    for (const TextReading reading : textReadings)
        if (said == nameOf(reading)) return reading;
    return TextReading::Lines;
}

bool TextLines::next(SentencePair& line) {
    for (std::string text; m_reader.next(text);) {
        const bool continues = std::exchange(m_continues, m_reader.goesOn());
        if (trimmed(text).empty()) {
            m_blank = m_blank || !continues;
            continue;
        }
        const bool indented = isIndented(text);
        line = {};
        line.joint = joint(continues, indented);
        if (m_reading == TextReading::Paragraphs) text = trimmed(text);
        if (m_reading == TextReading::Breaks) text.erase(text.find_last_not_of(" \t") + 1);
        line.target = std::move(text);
        m_begun = true;
        m_blank = false;
        m_wasIndented = indented;
        return true;
    }
    return false;
}

Joint TextLines::joint(bool continues, bool indented) const {
    if (m_reading == TextReading::Lines) return Joint::End;
    if (!m_begun) return Joint::None;
    if (continues) return Joint::Space;
    if (m_reading == TextReading::Breaks) return m_blank ? Joint::Blank : Joint::Break;
    // Paragraphs are parted by a blank line, or by an indented first one.
    return m_blank || (indented && !m_wasIndented) ? Joint::Break : Joint::Space;
}

std::string withJoint(const SentencePair& line, bool first) {
    if (first) return line.target;
    switch (line.joint) {
        case Joint::End:
        case Joint::None:
            break;
        case Joint::Space:
            return " " + line.target;
        case Joint::Break:
            return "\n" + line.target;
        case Joint::Blank:
            return "\n\n" + line.target;
    }
    return line.target;
}

TextGuess guessReading(const std::string& path, const LayoutChoice& layout) {
    constexpr std::size_t mostBytes = std::size_t{1} << 20;
    constexpr int fewestPairs = 8, narrowest = 30;
    constexpr double wrapped = 0.85, blankLines = 0.02, longLines = 0.98;
    constexpr int paragraph = 300;
    struct Line {
        int length, firstWord;  ///< of a blank one 0
        bool indented;
    };
    std::vector<Line> lines;
    Sheet sheet(path, SheetUse::Text, layout, {.cutAfter = TextLines::longestPiece});
    LineSource& reader = sheet.lines();
    std::size_t bytes = 0;
    long all = 0;
    TextGuess guess;
    bool continues = false;
    for (std::string text; bytes < mostBytes && reader.next(text); continues = reader.goesOn()) {
        bytes += text.size() + 1;
        if (continues) {
            if (!lines.empty()) lines.back().length += charactersOf(text);
            all += charactersOf(text);
            continue;
        }
        const std::string_view words = trimmed(text);
        const std::string_view first = words.substr(0, words.find(' '));
        lines.push_back({words.empty() ? 0 : charactersOf(text), charactersOf(first), isIndented(text)});
        all += lines.back().length;
        ++(words.empty() ? guess.blank : guess.lines);
    }
    if (guess.lines == 0) return guess;
    std::vector<int> lengths;
    for (const Line& line : lines)
        if (line.length > 0) lengths.push_back(line.length);
    const auto place = static_cast<std::ptrdiff_t>(longLines * static_cast<double>(lengths.size() - 1));
    std::ranges::nth_element(lengths, lengths.begin() + place);
    guess.width = lengths[static_cast<std::size_t>(place)];
    guess.mean = static_cast<int>(all / guess.lines);
    long pairs = 0, full = 0;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        const Line &line = lines[i], &next = lines[i + 1];
        // A paragraph's last line says nothing.
        if (line.length == 0 || next.length == 0 || (next.indented && !line.indented)) continue;
        ++pairs;
        full += line.length + 1 + next.firstWord > guess.width;
    }
    guess.wrapped = pairs > 0 ? static_cast<double>(full) / static_cast<double>(pairs) : 0;
    const bool hasBlankLines =
        guess.blank > 0 && static_cast<double>(guess.blank) >= blankLines * static_cast<double>(guess.lines);
    if (pairs >= fewestPairs && guess.width >= narrowest && guess.wrapped >= wrapped)
        guess.reading = TextReading::Paragraphs;
    else if (hasBlankLines || guess.mean >= paragraph)
        guess.reading = TextReading::Breaks;
    return guess;
}

}  // namespace headlight
