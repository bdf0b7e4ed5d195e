// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/io/text_file.h"

namespace headlight {

/// Lines, one after another.
class LineSource {
public:
    LineSource() = default;
    virtual ~LineSource() = default;
    LineSource(const LineSource&) = delete;
    LineSource& operator=(const LineSource&) = delete;

    /// False at the end.
    virtual bool next(std::string& line) = 0;
    /// Whether what was handed out last goes on in what comes next, as a cut line does.
    virtual bool goesOn() const { return false; }
};

/// Hands out a text file's lines in NFC and knows where it stands. A byte order mark (and one in the middle, where two
/// files were joined), CRLF and a missing last newline are taken in stride; a NUL byte, invalid UTF-8 and what is too
/// long (a line, or 2 GiB unpacked) are told by file and line, before memory is full of them.
class LineReader final : public LineSource {
public:
    struct Options {
        bool undoEntities = false;
        std::size_t mostBytes = std::size_t{2} << 30;
        char lineEnd = '\n';
        std::size_t cutAfter = 0;   ///< a line is cut at its first space behind so many bytes; 0: it stays whole
        char cutBehind = 0;         ///< a line is cut behind each of these too, which stays; 0: nowhere
        std::string encoding = {};  ///< encodingNamed(); empty: UTF-8
    };
    explicit LineReader(const std::string& path) : LineReader(path, Options()) {}
    LineReader(const std::string& path, const Options& options)
        : m_file(path, "a text file", options.encoding), m_options(options) {}

    bool next(std::string& line) override;
    bool goesOn() const override { return m_goesOn; }

    const std::string& path() const { return m_file.path(); }
    std::size_t line() const { return m_line; }   ///< of the last one that was handed out, from 1
    long entities() const { return m_entities; }  ///< undone so far
    double share() const { return m_file.share(); }
    /// Throws Error: file, line and problem.
    [[noreturn]] void fail(const std::string& problem) const { fail(m_line, problem); }
    [[noreturn]] void fail(std::size_t line, const std::string& problem) const;

private:
    std::string clean(std::string_view raw);

    TextFile m_file;
    Options m_options;
    bool m_goesOn = false;
    std::size_t m_line = 0;
    std::size_t m_bytes = 0;
    long m_entities = 0;
};

}  // namespace headlight
