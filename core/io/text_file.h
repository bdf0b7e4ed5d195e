// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/encoding.h"

namespace headlight {

/// Whether a file that begins so is a gzip file.
bool isGzip(std::string_view firstBytes);

/// Of a file's name, in lower case: `.csv`; empty where it has none.
std::string lowercaseEnding(const std::filesystem::path& file);

/// The bytes of a text file from its beginning on, unpacked where it is a gzip file (its first two bytes say so, not
/// its name; several such files behind one another are one text). Pipes and devices are read too. Memory does not grow
/// with the file.
///
/// A damaged gzip file is an Error, thrown by the reading: read through the buffer's own functions (sbumpc()), as an
/// istream around it would turn exceptions into a bad state.
class TextFile final : public std::streambuf {
public:
    /// Throws Error for a folder and for what cannot be opened: what to give `instead` is said. Text in another
    /// `encoding` (encodingNamed()) comes out as UTF-8; bytes that are not in it are an Error of the reading.
    explicit TextFile(const std::string& path, const std::string& instead = "a text file",
                      const std::string& encoding = {});
    ~TextFile() override;

    const std::string& path() const { return m_path; }
    /// How much of the file has been read, 0 to 1; 0 where its size is not known.
    double share() const;

protected:
    int_type underflow() override;

private:
    class Inflater;

    /// The next bytes of the file itself, into m_raw.
    std::size_t readRaw();
    /// The next bytes of the text as it was written, into m_text; 0: it has ended.
    std::size_t readUnpacked();

    std::string m_path;
    std::filebuf m_file;
    double m_size = 0, m_read = 0;  ///< bytes of the file
    std::vector<char> m_raw, m_text;
    std::unique_ptr<Inflater> m_inflater;  ///< of a gzip file
    std::unique_ptr<Decoder> m_decoder;    ///< of text that is not UTF-8
    std::vector<char> m_decoded;
    bool m_begun = false;
};

}  // namespace headlight
