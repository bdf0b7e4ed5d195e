// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/data/corpus.h"
#include "core/data/file_layout.h"

namespace headlight {

class LineSource;
class TrainingStory;

/// How the lines of a text file hang together.
enum class TextReading : unsigned char {
    Lines,       ///< a sentence a line, each of them ended by <eos>
    Breaks,      ///< running text whose line breaks are part of it: verse, dialogue, source code
    Paragraphs,  ///< running text that was wrapped: a line goes on in the next, a blank line ends a paragraph
};
inline constexpr TextReading textReadings[] = {TextReading::Lines, TextReading::Breaks, TextReading::Paragraphs};

/// `lines`, `breaks`, `paragraphs`.
const char* nameOf(TextReading reading);
/// The way back. Throws Error for another text.
TextReading parseTextReading(std::string_view text);
/// As a model's file says it; Lines where it says nothing.
TextReading readingOf(const TrainingStory& training);

/// Hands out the lines of a text that are not blank, each with what joins it to the one before. Of running text a very
/// long line comes in several pieces, so that memory does not grow with it.
class TextLines {
public:
    /// Bytes of a line of running text after which it is cut at the next space.
    static constexpr std::size_t longestPiece = 16384;

    /// `reader` cuts long lines where it reads running text, and lives longer.
    TextLines(LineSource& reader, TextReading reading) : m_reader(reader), m_reading(reading) {}
    /// False at the end. Sets target and joint.
    bool next(SentencePair& line);

private:
    Joint joint(bool continues, bool indented) const;

    LineSource& m_reader;
    TextReading m_reading;
    bool m_begun = false, m_blank = false, m_continues = false, m_wasIndented = false;
};

/// A line with what joins it to the one before: "", " ", "\n" or "\n\n" before it. `first`: nothing stands before.
std::string withJoint(const SentencePair& line, bool first = false);

/// How a text is probably meant to be read, and what of its first lines says so.
struct TextGuess {
    TextReading reading = TextReading::Lines;
    long lines = 0;      ///< that were looked at and are not blank
    long blank = 0;      ///< blank lines
    double wrapped = 0;  ///< share of lines that have no room for the first word of the next one
    int width = 0;       ///< characters of a long line
    int mean = 0;        ///< characters of a line
};
/// Looks at the first lines of a file, a mebibyte at most. Throws Error as Sheet.
TextGuess guessReading(const std::string& path, const LayoutChoice& layout = {});

}  // namespace headlight
