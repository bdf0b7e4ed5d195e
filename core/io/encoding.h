// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

inline constexpr std::string_view kUtf8 = "UTF-8";

/// ICU's name of the encoding that a text file probably has, from the bytes that it begins with: `UTF-8`, `UTF-16LE`,
/// `windows-1252`. A byte order mark says it, and bytes that are UTF-8 throughout; of the rest ICU's guess where it is
/// fairly sure, else `windows-1252` where most letters are plain ones and `UTF-8` where not, so that whoever reads on
/// meets the byte that is none. `isWhole`: nothing follows.
std::string guessEncoding(std::string_view bytes, bool isWhole);

/// What ICU calls an encoding that somebody names ("latin1" is `ISO-8859-1`). Throws Error for one that it does not
/// know.
std::string encodingNamed(const std::string& name);

/// Those that text files usually have, by ICU's names, to be chosen from.
std::span<const std::string_view> usualEncodings();

/// Turns text into UTF-8, block by block.
class Decoder {
public:
    /// `encoding` as encodingNamed() gives it; `path` is named where the text is not in it.
    Decoder(const std::string& encoding, std::string path);
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    bool needsInput() const { return m_next == m_end; }
    /// The next bytes; they must live until they are used up. None: the file has ended.
    void lay(const char* bytes, std::size_t count);
    /// Fills `text` as far as what was laid in goes, and returns how many bytes came out. Throws Error for bytes that
    /// the encoding does not have.
    std::size_t decode(std::vector<char>& text);

private:
    class Converters;

    std::string m_path;
    std::unique_ptr<Converters> m_converters;
    const char *m_next = nullptr, *m_end = nullptr;
    bool m_isLast = false;
    std::size_t m_used = 0;  ///< bytes of the file
};

}  // namespace headlight
