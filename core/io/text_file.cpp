// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <zlib.h>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr std::size_t blockSize = std::size_t{1} << 16;

}  // namespace

bool isGzip(std::string_view firstBytes) {
    return firstBytes.starts_with("\x1f\x8b");
}

std::string lowercaseEnding(const std::filesystem::path& file) {
    return lowercased(repairedUtf8(file.extension().string()));
}

/// Unpacks what the caller lays in: `next` bytes at a time.
class TextFile::Inflater {
public:
    explicit Inflater(const std::string& path) : m_path(path) {
        constexpr int gzipOnly = 16 + MAX_WBITS;
        if (inflateInit2(&m_stream, gzipOnly) != Z_OK) throw Error("there is no memory to unpack " + path);
    }
    ~Inflater() { inflateEnd(&m_stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    bool needsInput() const { return m_stream.avail_in == 0; }
    void lay(char* bytes, std::size_t count) {
        m_stream.next_in = reinterpret_cast<Bytef*>(bytes);
        m_stream.avail_in = static_cast<uInt>(count);
    }

    /// Fills `text` as far as what was laid in goes, and returns how many bytes came out.
    std::size_t unpack(std::vector<char>& text) {
        if (m_isBetween && inflateReset(&m_stream) != Z_OK) fail("is damaged");
        m_isBetween = false;
        m_stream.next_out = reinterpret_cast<Bytef*>(text.data());
        m_stream.avail_out = static_cast<uInt>(text.size());
        const int state = inflate(&m_stream, Z_NO_FLUSH);
        if (state == Z_STREAM_END)
            m_isBetween = true;
        else if (state != Z_OK && state != Z_BUF_ERROR)
            fail("is a damaged gzip file");
        return text.size() - m_stream.avail_out;
    }

    /// At the end of the file.
    void requireWhole() const {
        if (!m_isBetween) fail("is a gzip file that breaks off before its end");
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(m_path + " " + what + "; fetch or pack it again");
    }

    std::string m_path;
    z_stream m_stream = {};
    bool m_isBetween = false;  ///< a gzip file has ended; another may follow
};

TextFile::TextFile(const std::string& path, const std::string& instead, const std::string& encoding)
    : m_path(path), m_raw(blockSize), m_text(blockSize) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw Error(path + " is a folder; give " + instead);
    if (!m_file.open(path, std::ios::in | std::ios::binary))
        throw Error("cannot open " + path + " (" + std::strerror(errno) + "); check the path");
    if (std::filesystem::is_regular_file(path, error)) {
        const std::uintmax_t size = std::filesystem::file_size(path, error);
        if (!error) m_size = static_cast<double>(size);
    }
    if (encoding.empty() || encoding == kUtf8) return;
    m_decoder = std::make_unique<Decoder>(encoding, path);
    m_decoded.resize(blockSize);
}

TextFile::~TextFile() = default;

double TextFile::share() const {
    return m_size > 0 ? std::min(1.0, m_read / m_size) : 0;
}

std::size_t TextFile::readRaw() {
    const auto count = static_cast<std::size_t>(
        std::max<std::streamsize>(0, m_file.sgetn(m_raw.data(), static_cast<std::streamsize>(m_raw.size()))));
    m_read += static_cast<double>(count);
    return count;
}

std::size_t TextFile::readUnpacked() {
    std::size_t count = 0;
    if (!m_inflater) {
        count = readRaw();
        if (!std::exchange(m_begun, true) && isGzip({m_raw.data(), count})) {
            m_inflater = std::make_unique<Inflater>(m_path);
            m_inflater->lay(m_raw.data(), count);
            count = 0;
        } else {
            m_raw.swap(m_text);
        }
    }
    while (m_inflater && count == 0) {
        if (m_inflater->needsInput()) {
            const std::size_t raw = readRaw();
            if (raw == 0) {
                m_inflater->requireWhole();
                break;
            }
            m_inflater->lay(m_raw.data(), raw);
        }
        count = m_inflater->unpack(m_text);
    }
    return count;
}

TextFile::int_type TextFile::underflow() {
    std::vector<char>& text = m_decoder ? m_decoded : m_text;
    std::size_t count = 0;
    if (m_decoder) {
        for (bool isLast = false; count == 0 && !isLast; count = m_decoder->decode(m_decoded))
            if (m_decoder->needsInput()) {
                const std::size_t raw = readUnpacked();
                m_decoder->lay(m_text.data(), raw);
                isLast = raw == 0;
            }
    } else {
        count = readUnpacked();
    }
    if (count == 0) return traits_type::eof();
    setg(text.data(), text.data(), text.data() + count);
    return traits_type::to_int_type(*gptr());
}

}  // namespace headlight
