// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus_readers.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_set>

#include "core/data/seeded_random.h"
#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr long long maxFileSize = 2LL << 30;

/// Hands out a file's lines in NFC and knows where it stands. Reads byte by byte from the stream's buffer, so that a
/// NUL or an endless device is noticed before memory is full of it.
class LineReader {
public:
    explicit LineReader(const std::string& path) : m_path(path) {
        std::error_code ignored;
        if (std::filesystem::is_directory(path, ignored)) throw Error(path + " is a folder; give a text file");
        m_stream.open(path, std::ios::binary);
        if (!m_stream) throw Error("cannot open " + path + " (" + std::strerror(errno) + "); check the path");
    }

    bool next(std::string& line) {
        std::string raw;
        bool any = false;
        std::streambuf* buffer = m_stream.rdbuf();
        for (int c = buffer->sbumpc(); c != std::char_traits<char>::eof(); c = buffer->sbumpc()) {
            any = true;
            if (++m_bytes > maxFileSize) throw Error(m_path + " is longer than 2 GiB; cut it into smaller files");
            if (c == '\n') break;
            if (c == 0) fail(m_line + 1, "holds a NUL byte, so this is no text; give a text file in UTF-8");
            raw += static_cast<char>(c);
        }
        if (!any) return false;
        ++m_line;
        line = clean(raw);
        return true;
    }

    std::size_t line() const { return m_line; }
    [[noreturn]] void fail(const std::string& problem) const { fail(m_line, problem); }

private:
    [[noreturn]] void fail(std::size_t line, const std::string& problem) const {
        throw Error(m_path + ", line " + std::to_string(line) + " " + problem);
    }

    std::string clean(std::string_view raw) const {
        constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
        if (m_line == 1 && raw.starts_with(byteOrderMark)) raw.remove_prefix(byteOrderMark.size());
        if (raw.ends_with('\r')) raw.remove_suffix(1);
        if (const auto at = findInvalidUtf8(raw))
            fail("is not valid UTF-8 (byte " + std::to_string(*at + 1) + "); convert the file to UTF-8");
        return toNfc(raw);
    }

    std::string m_path;
    std::ifstream m_stream;
    std::size_t m_line = 0;
    long long m_bytes = 0;
};

bool isBlank(std::string_view text) {
    return trimmed(text).empty();
}

}  // namespace

std::vector<std::string> readLines(const std::string& path) {
    LineReader reader(path);
    std::vector<std::string> lines;
    for (std::string line; reader.next(line);)
        lines.push_back(std::move(line));
    if (std::all_of(lines.begin(), lines.end(), isBlank))
        throw Error(path + " is empty; give a file with a sentence a line");
    return lines;
}

Corpus readPairs(const std::string& path) {
    LineReader reader(path);
    Corpus corpus;
    for (std::string line; reader.next(line);) {
        if (isBlank(line)) continue;
        const std::string_view text = line;
        const std::size_t firstTab = text.find('\t');
        if (firstTab == std::string_view::npos)
            reader.fail("has no tab; write the source, a tab and the target on each line");
        const std::string_view source = trimmed(text.substr(0, firstTab));
        const std::string_view rest = text.substr(firstTab + 1);
        const std::string_view target = trimmed(rest.substr(0, rest.find('\t')));
        if (source.empty()) reader.fail("has nothing before the tab; write the source sentence there");
        if (target.empty()) reader.fail("has nothing after the tab; write the target sentence there");
        corpus.push_back({std::string(source), std::string(target)});
    }
    if (corpus.empty()) throw Error(path + " is empty; give a file with source, tab and target on each line");
    return corpus;
}

Corpus readParallelText(const std::string& sourcePath, const std::string& targetPath) {
    const std::vector<std::string> sources = readLines(sourcePath);
    const std::vector<std::string> targets = readLines(targetPath);
    if (sources.size() != targets.size())
        throw Error(sourcePath + " has " + std::to_string(sources.size()) + " lines and " + targetPath + " has " +
                    std::to_string(targets.size()) + "; the two must match line by line");
    Corpus corpus;
    corpus.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (const auto& [path, text] : {std::pair(sourcePath, sources[i]), std::pair(targetPath, targets[i])})
            if (isBlank(text))
                throw Error(path + ", line " + std::to_string(i + 1) +
                            " is blank; write the sentence, or remove the line from both files");
        corpus.push_back({std::string(trimmed(sources[i])), std::string(trimmed(targets[i]))});
    }
    return corpus;
}

CorpusSplits splitCorpus(Corpus corpus, unsigned seed) {
    std::unordered_set<std::string> known;
    std::erase_if(corpus, [&](const SentencePair& pair) { return !known.insert(pair.source).second; });
    constexpr std::size_t largestPart = 2000;
    const std::size_t part = corpus.size() < 3 ? 0 : std::clamp<std::size_t>(corpus.size() / 20, 1, largestPart);

    std::vector<std::size_t> order(corpus.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    SeededRandom(seed).shuffle(order);
    // Each part keeps the file's order: a reader who looks for a sentence finds it where it stood.
    const auto take = [&](std::size_t from, std::size_t to) {
        std::vector<std::size_t> chosen(order.begin() + static_cast<std::ptrdiff_t>(from),
                                        order.begin() + static_cast<std::ptrdiff_t>(to));
        std::sort(chosen.begin(), chosen.end());
        Corpus result;
        for (const std::size_t i : chosen)
            result.push_back(std::move(corpus[i]));
        return result;
    };
    CorpusSplits splits;
    splits.validation = take(0, part);
    splits.test = take(part, 2 * part);
    splits.train = take(2 * part, corpus.size());
    return splits;
}

CorpusSplits splitText(Corpus text) {
    std::erase_if(text, [](const SentencePair& line) { return isBlank(line.target); });
    const std::size_t part = text.size() < 3 ? 0 : std::max<std::size_t>(text.size() / 20, 1);
    const auto end = [&](std::size_t left) { return text.end() - static_cast<std::ptrdiff_t>(left); };
    CorpusSplits splits;
    splits.test.assign(end(part), text.end());
    splits.validation.assign(end(2 * part), end(part));
    splits.train.assign(text.begin(), end(2 * part));
    return splits;
}

}  // namespace headlight
