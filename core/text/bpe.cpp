// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/bpe.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr std::string_view wordEndMark = "</w>";
constexpr std::string_view continuationMark = "@@ ";
constexpr std::string_view aroundLines = "\r\n ";

/// Bytes of the line end that begins at `at`: the line boundaries of Python's str.splitlines(). 0: none.
std::size_t lineEndAt(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("\r\n")) return 2;
    const char c = rest.front();
    if ((c >= '\n' && c <= '\r') || (c >= '\x1c' && c <= '\x1e')) return 1;
    if (rest.starts_with("\xc2\x85")) return 2;
    return rest.starts_with("\u2028") || rest.starts_with("\u2029") ? 3 : 0;
}

/// The lines, each with its end.
std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = lineEndAt(text, at);
        at += end == 0 ? 1 : end;
        if (end == 0 && at < text.size()) continue;
        lines.push_back(text.substr(begin, at - begin));
        begin = at;
    }
    return lines;
}

std::string_view withoutEnds(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(aroundLines);
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(aroundLines) + 1 - begin);
}

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

std::uint64_t pairKey(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

Bpe::WordEnd parseHeader(std::string_view header, const std::string& name) {
    std::string_view version = trimmed(header.substr(header.find(':') + 1));
    while (version.ends_with(".0"))
        version.remove_suffix(2);
    if (version == "0.1") return Bpe::WordEnd::Apart;
    if (version == "0.2") return Bpe::WordEnd::Attached;
    throw Error(name + ", line 1: codes of this version cannot be read; give codes of version 0.1 or 0.2");
}

}  // namespace

void countWords(std::string_view text, WordCounts& counts) {
    for (const std::string_view line : linesOf(text))
        for (const std::string_view word : wordsOf(withoutEnds(line)))
            ++counts[std::string(word)];
}

std::string writeCodes(const std::vector<Merge>& merges) {
    std::string codes = "#version: 0.2\n";
    for (const Merge& merge : merges)
        codes += merge.left + ' ' + merge.right + '\n';
    return codes;
}

/// One word's symbols as a linked list over its characters. The pairs wait in a queue by rank and place, so that a word
/// of n characters takes O(n log n) however many merges there are.
class Bpe::Word {
public:
    Word(const Bpe& bpe, std::string_view word) : m_bpe(bpe), m_size(word.size()), m_text(word) {
        m_text += wordEndMark;
        std::size_t begin = 0;
        for (const std::string_view character : codePoints(word)) {
            add(begin, begin + character.size());
            begin += character.size();
        }
        if (bpe.m_wordEnd == WordEnd::Apart)
            add(begin, m_text.size());
        else if (!m_symbols.empty())
            m_symbols.back().end = m_text.size();
        for (Symbol& symbol : m_symbols)
            symbol.id = bpe.id(m_text.substr(symbol.begin, symbol.end - symbol.begin));
        for (int place = 0; place < static_cast<int>(m_symbols.size()); ++place)
            enqueue(place);
    }

    /// Applies the earliest merge that fits, everywhere; returns its index.
    std::optional<int> merge() {
        while (!m_queue.empty()) {
            const int rank = m_queue.top().first;
            std::vector<int> merged;
            while (!m_queue.empty() && m_queue.top().first == rank) {
                const int place = m_queue.top().second;
                m_queue.pop();
                // What stood here may have been merged with something else since.
                if (rankAt(place) != rank) continue;
                fuse(place, rank);
                merged.push_back(place);
            }
            // Only now: pairs with a new symbol wait until this merge is through, even where they rank before it.
            for (const int place : merged) {
                if (m_symbols[at(place)].previous >= 0) enqueue(m_symbols[at(place)].previous);
                enqueue(place);
            }
            if (!merged.empty()) return rank;
        }
        return std::nullopt;
    }

    std::vector<std::string> symbols() const { return texts(m_text.size()); }
    std::vector<std::string> pieces() const { return texts(m_size); }

private:
    struct Symbol {
        std::size_t begin, end;  // bytes of m_text
        int id, previous, next;  // next -1: the last one; id gone: became part of the one before
    };
    static constexpr int gone = -2;

    static std::size_t at(int place) { return static_cast<std::size_t>(place); }

    void add(std::size_t begin, std::size_t end) {
        const int place = static_cast<int>(m_symbols.size());
        if (place > 0) m_symbols.back().next = place;
        m_symbols.push_back({begin, end, -1, place - 1, -1});
    }

    int rankAt(int place) const {
        const Symbol& symbol = m_symbols[at(place)];
        return symbol.id < 0 || symbol.next < 0 ? -1 : m_bpe.rank(symbol.id, m_symbols[at(symbol.next)].id);
    }

    void enqueue(int place) {
        const int rank = rankAt(place);
        if (rank >= 0) m_queue.emplace(rank, place);
    }

    void fuse(int place, int rank) {
        Symbol& left = m_symbols[at(place)];
        Symbol& right = m_symbols[at(left.next)];
        left.id = m_bpe.m_mergedIds[at(rank)];
        left.end = right.end;
        left.next = right.next;
        right.id = gone;
        if (left.next >= 0) m_symbols[at(left.next)].previous = place;
    }

    std::vector<std::string> texts(std::size_t end) const {
        std::vector<std::string> result;
        for (int place = m_symbols.empty() ? -1 : 0; place >= 0; place = m_symbols[at(place)].next) {
            const Symbol& symbol = m_symbols[at(place)];
            if (symbol.begin < end)
                result.push_back(m_text.substr(symbol.begin, std::min(symbol.end, end) - symbol.begin));
        }
        return result;
    }

    const Bpe& m_bpe;
    std::size_t m_size;
    std::string m_text;
    std::vector<Symbol> m_symbols;
    std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> m_queue;
};

Bpe::Bpe(std::vector<Merge> merges, WordEnd wordEnd) : m_merges(std::move(merges)), m_wordEnd(wordEnd) {
    for (int rank = 0; rank < static_cast<int>(m_merges.size()); ++rank) {
        const Merge& merge = m_merges[static_cast<std::size_t>(rank)];
        const int left = intern(merge.left), right = intern(merge.right);
        m_mergedIds.push_back(intern(merge.merged));
        m_ranks.emplace(pairKey(left, right), rank);
    }
}

Bpe Bpe::fromCodes(std::vector<std::string> lines, const std::string& name) {
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (findInvalidUtf8(lines[i]))
            throw Error(name + ", line " + std::to_string(i + 1) +
                        " is not valid UTF-8; give the codes file as it was " + "learned");
    while (!lines.empty() && lines.back().empty())
        lines.pop_back();
    if (lines.empty()) throw Error(name + " is empty; give a codes file, as headlight-cli bpe learn writes it");
    const bool hasHeader = lines.front().starts_with("#version:");
    const WordEnd wordEnd = hasHeader ? parseHeader(lines.front(), name) : WordEnd::Apart;
    std::vector<Merge> merges;
    for (std::size_t i = hasHeader ? 1 : 0; i < lines.size(); ++i) {
        const std::string_view line = withoutEnds(lines[i]);
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
            throw Error(name + ", line " + std::to_string(i + 1) +
                        " is not a merge: write two symbols with one space between them");
        const std::string left(line.substr(0, space)), right(line.substr(space + 1));
        merges.push_back({left, right, left + right});
    }
    return Bpe(std::move(merges), wordEnd);
}

int Bpe::id(const std::string& symbol) const {
    const auto found = m_ids.find(symbol);
    return found == m_ids.end() ? -1 : found->second;
}

int Bpe::rank(int leftId, int rightId) const {
    if (leftId < 0 || rightId < 0) return -1;
    const auto found = m_ranks.find(pairKey(leftId, rightId));
    return found == m_ranks.end() ? -1 : found->second;
}

int Bpe::intern(const std::string& symbol) {
    return m_ids.emplace(symbol, static_cast<int>(m_ids.size())).first->second;
}

std::vector<std::string> Bpe::split(std::string_view word) const {
    Word symbols(*this, word);
    while (symbols.merge()) {
    }
    return symbols.pieces();
}

std::vector<BpeStep> Bpe::steps(std::string_view word) const {
    Word symbols(*this, word);
    std::vector<BpeStep> steps{{std::nullopt, symbols.symbols()}};
    while (const std::optional<int> merge = symbols.merge())
        steps.push_back({merge, symbols.symbols()});
    return steps;
}

std::string Bpe::apply(std::string_view text) const {
    std::string result;
    for (const std::string_view line : linesOf(text)) {
        const std::string_view inner = withoutEnds(line);
        if (inner.empty()) {
            result += line;
            continue;
        }
        const auto before = static_cast<std::size_t>(inner.data() - line.data());
        result += line.substr(0, before);
        std::string_view gap;
        for (const std::string_view word : wordsOf(inner)) {
            result += gap;
            gap = {};
            for (const std::string& piece : split(word)) {
                result += gap;
                result += piece;
                gap = continuationMark;
            }
            gap = " ";
        }
        result += line.substr(before + inner.size());
    }
    return result;
}

}  // namespace headlight
