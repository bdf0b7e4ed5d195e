// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus_readers.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/data/line_reader.h"
#include "core/data/pair_stream.h"
#include "core/data/repeats.h"
#include "core/data/seeded_random.h"
#include "core/data/sheet.h"
#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

bool isBlank(std::string_view text) {
    return trimmed(text).empty();
}

/// "FILE, line 3".
std::string placeIn(const LineReader& file, std::size_t line, const FileLayout& layout) {
    return file.path() + (layout.kind == LayoutKind::JsonList ? ", entry " : ", line ") + std::to_string(line);
}

/// Pairs on their way from files into a corpus.
class PairCollector {
public:
    PairCollector(const ReadingOptions& options, ReadingNotes* notes) : m_options(options), m_notes(notes) {
        if (!options.alignments.empty()) m_alignments.emplace(options.alignments);
    }

    /// One side is blank.
    void leaveOut(const LineReader& blank, const Sheet& sheet) {
        nextAlignment(blank);
        if (m_notes && ++m_notes->halfPairs == 1) m_notes->firstHalfPair = placeIn(blank, sheet.line(), sheet.layout());
    }

    void add(SentencePair&& pair, const Sheet& sheet) {
        if (m_notes && m_options.text == TextReading::Lines && !isBlank(pair.target))
            m_repeats.add(pair.source, pair.target, sheet.line());
        m_corpus.push_back(std::move(pair));
        m_corpus.back().alignment = nextAlignment(sheet.reader());
    }

    /// After each line.
    void show(const LineReader& reader) {
        constexpr std::size_t linesBetween = 4096;
        if (++m_shown % linesBetween != 0) return;
        tell(m_options.progress, reader.share());
        // Growing by doubling, the list would stand in memory twice.
        constexpr double spare = 1.05, least = 0.001;
        if (m_corpus.capacity() < m_corpus.size() + linesBetween && reader.share() > least)
            m_corpus.reserve(static_cast<std::size_t>(static_cast<double>(m_corpus.size()) / reader.share() * spare) +
                             linesBetween);
    }

    Corpus take(long entities, const Sheet& sheet) {
        if (std::string line; m_alignments && m_alignments->next(line))
            m_alignments->fail("has no pair any more; give an alignment for each pair, a line each");
        if (m_notes) {
            m_notes->entities += entities;
            const Repeats repeats = m_repeats.take();
            m_notes->repeated += repeats.count;
            if (repeats.count > 0 && m_notes->firstRepeated.empty())
                m_notes->firstRepeated = placeIn(sheet.reader(), repeats.lines.front(), sheet.layout());
        }
        return std::move(m_corpus);
    }

private:
    std::vector<std::pair<int, int>> nextAlignment(const LineReader& pairs) {
        if (!m_alignments) return {};
        std::string line;
        if (!m_alignments->next(line))
            throw Error(m_alignments->path() + " ends before " + pairs.path() + ", at its line " +
                        std::to_string(pairs.line()) + "; give an alignment for each pair, a line each");
        try {
            return readAlignment(line);
        } catch (const Error& error) {
            m_alignments->fail(error.what());
        }
    }

    const ReadingOptions& m_options;
    ReadingNotes* m_notes;
    std::optional<LineReader> m_alignments;
    RepeatSearch m_repeats;
    std::size_t m_shown = 0;
    Corpus m_corpus;
};

[[noreturn]] void refuseEmpty(const std::string& path) {
    throw Error(path + " is empty; give a file with a sentence a line");
}

/// Hands on each line; throws Error where none says anything.
void readEach(LineSource& reader, const std::string& path, const std::function<void(std::string&&)>& use) {
    bool saysSomething = false;
    for (std::string line; reader.next(line);) {
        saysSomething = saysSomething || !isBlank(line);
        use(std::move(line));
    }
    if (!saysSomething) refuseEmpty(path);
}

/// The whole pairs of a table or of two files; the others are told of.
Corpus collected(PairStream& stream, const ReadingOptions& options, ReadingNotes* notes,
                 const std::function<void(const SentencePair&)>& look = {}) {
    PairCollector collector(options, notes);
    while (stream.next()) {
        if (look) look(stream.pair());
        if (stream.isWhole())
            collector.add(std::move(stream.pair()), stream.sheet());
        else
            collector.leaveOut(stream.blankReader(), stream.sheet());
        collector.show(stream.reader());
    }
    return collector.take(stream.entities(), stream.sheet());
}

/// Throws Error for a word that the pair does not have.
void checkAlignment(const SentencePair& pair, std::size_t number, const std::string& file) {
    const auto words = [](const std::string& text) { return 1 + std::ranges::count(text, ' '); };
    for (const auto& [source, target] : pair.alignment)
        if (source >= words(pair.source) || target >= words(pair.target))
            throw Error(file + ": " + std::to_string(source) + "-" + std::to_string(target) + " of pair " +
                        std::to_string(number) + " is not in its sentences (" + std::to_string(words(pair.source)) +
                        " and " + std::to_string(words(pair.target)) +
                        " words, counted from 0); the alignment must be that of these pairs, line by line");
}

Corpus checked(Corpus corpus, const ReadingOptions& options) {
    if (!options.alignments.empty())
        for (std::size_t i = 0; i < corpus.size(); ++i)
            checkAlignment(corpus[i], i + 1, options.alignments);
    return corpus;
}

}  // namespace

std::vector<std::string> readLines(const std::string& path) {
    LineReader reader(path);
    std::vector<std::string> lines;
    readEach(reader, path, [&](std::string&& line) { lines.push_back(std::move(line)); });
    return lines;
}

Corpus readText(const std::string& path, const ReadingOptions& options, ReadingNotes* notes) {
    const bool running = options.text != TextReading::Lines;
    Sheet sheet(path, SheetUse::Text, options.layout,
                {.undoEntities = options.undoEntities, .cutAfter = running ? TextLines::longestPiece : 0});
    const LineReader& reader = sheet.reader();
    PairCollector collector(options, notes);
    if (running) {
        TextLines lines(sheet.lines(), options.text);
        for (SentencePair line; lines.next(line); collector.show(reader))
            collector.add(std::move(line), sheet);
        Corpus corpus = collector.take(sheet.entities(), sheet);
        if (corpus.empty()) refuseEmpty(path);
        return corpus;
    }
    readEach(sheet.lines(), path, [&](std::string&& line) {
        collector.add({"", std::move(line)}, sheet);
        collector.show(reader);
    });
    return collector.take(sheet.entities(), sheet);
}

Corpus readPairs(const std::string& path, const ReadingOptions& options, ReadingNotes* notes) {
    PairStream stream({.pairs = path, .undoEntities = options.undoEntities, .layout = options.layout});
    Corpus corpus = collected(stream, options, notes);
    if (corpus.empty())
        throw Error(path + " is empty, or has no line with both; give a file with source, tab and target on each line");
    return checked(std::move(corpus), options);
}

Corpus readParallelText(const std::string& sourcePath, const std::string& targetPath, const ReadingOptions& options,
                        ReadingNotes* notes) {
    PairStream stream({.sourceFile = sourcePath,
                       .targetFile = targetPath,
                       .undoEntities = options.undoEntities,
                       .layout = options.layout});
    bool anySource = false, anyTarget = false;
    Corpus corpus = collected(stream, options, notes, [&](const SentencePair& pair) {
        anySource = anySource || !pair.source.empty();
        anyTarget = anyTarget || !pair.target.empty();
    });
    if (!anySource) refuseEmpty(sourcePath);
    if (!anyTarget) refuseEmpty(targetPath);
    if (corpus.empty())
        throw Error("no line of " + sourcePath + " has its other half in " + targetPath +
                    "; the two must match line by line");
    return checked(std::move(corpus), options);
}

std::vector<std::pair<int, int>> readAlignment(std::string_view line) {
    std::vector<std::pair<int, int>> links;
    for (const std::string& text : cut(line, ' ')) {
        if (text.empty()) continue;
        std::pair<int, int> link;
        const char *begin = text.data(), *end = begin + text.size();
        const auto [dash, problem] = std::from_chars(begin, end, link.first);
        bool isLink = problem == std::errc() && dash != end && *dash == '-';
        if (isLink) {
            const auto [last, other] = std::from_chars(dash + 1, end, link.second);
            isLink = other == std::errc() && last == end && link.first >= 0 && link.second >= 0;
        }
        if (!isLink)
            throw Error("has \"" + text +
                        "\", which is no link; write source-target, words counted from 0, as in 0-0 1-2");
        links.push_back(link);
    }
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

namespace {

/// For each pair the number of its source; sources are numbered from 0 in the order in which they first stand.
std::vector<std::size_t> sourcesOf(const Corpus& corpus) {
    struct Place {
        std::size_t hash, at;
        bool operator<(const Place& other) const { return std::tie(hash, at) < std::tie(other.hash, other.at); }
    };
    std::vector<Place> places(corpus.size());
    for (std::size_t i = 0; i < corpus.size(); ++i)
        places[i] = {std::hash<std::string_view>()(corpus[i].source), i};
    std::sort(places.begin(), places.end());
    std::vector<std::size_t> first(corpus.size());  // where the same source stands first
    std::vector<std::size_t> different;             // the first places of the sources that share this hash
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i == 0 || places[i - 1].hash != places[i].hash) different.clear();
        const std::size_t at = places[i].at;
        const auto same = std::ranges::find_if(
            different, [&](std::size_t before) { return corpus[before].source == corpus[at].source; });
        first[at] = same == different.end() ? at : *same;
        if (same == different.end()) different.push_back(at);
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        first[i] = first[i] == i ? count++ : first[first[i]];  // what stood before has its number already
    return first;
}

void eraseWhere(const std::vector<bool>& marked, Corpus& corpus) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < corpus.size(); ++i)
        if (!marked[i] && kept++ != i) corpus[kept - 1] = std::move(corpus[i]);
    corpus.resize(kept);
}

std::pair<std::size_t, std::size_t> sizesOf(std::size_t count, SplitSizes sizes, std::size_t largestPart) {
    const std::size_t usual = count < 3 ? 0 : std::clamp<std::size_t>(count / 20, 1, largestPart);
    const auto size = [&](long wanted, std::size_t left) {
        return std::min(wanted < 0 ? usual : static_cast<std::size_t>(wanted), left);
    };
    // One is left to learn from, whatever was asked for.
    const std::size_t test = size(sizes.test, count > 0 ? count - 1 : 0);
    return {size(sizes.validation, count > 0 ? count - 1 - test : 0), test};
}

/// Each part keeps the file's order: a reader who looks for a sentence finds it where it stood. What is learned from
/// stays in its place: a large corpus has no room to stand twice.
CorpusSplits apart(Corpus corpus, const std::vector<CorpusPart>& parts) {
    CorpusSplits splits;
    std::vector<bool> taken(corpus.size());
    for (std::size_t i = 0; i < corpus.size(); ++i) {
        taken[i] = parts[i] != CorpusPart::Training;
        if (taken[i])
            (parts[i] == CorpusPart::Validation ? splits.validation : splits.test).push_back(std::move(corpus[i]));
    }
    eraseWhere(taken, corpus);
    splits.train = std::move(corpus);
    return splits;
}

}  // namespace

std::vector<CorpusPart> dealtParts(const std::vector<std::size_t>& sources, unsigned seed, SplitSizes sizes) {
    constexpr std::size_t largestPart = 2000;
    std::vector<std::size_t> pairs;  // by source
    for (const std::size_t source : sources) {
        if (source >= pairs.size()) pairs.resize(source + 1);
        ++pairs[source];
    }
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    SeededRandom(seed).shuffle(order);
    const auto [validation, test] = sizesOf(pairs.size(), sizes, largestPart);
    std::vector<CorpusPart> ofSource(pairs.size(), CorpusPart::Training);
    std::size_t next = 0;
    const auto fill = [&](CorpusPart part, std::size_t wanted) {
        for (std::size_t got = 0; got < wanted && next + 1 < order.size(); ++next) {
            ofSource[order[next]] = part;
            got += pairs[order[next]];
        }
    };
    fill(CorpusPart::Validation, validation);
    fill(CorpusPart::Test, test);
    std::vector<CorpusPart> parts(sources.size());
    std::ranges::transform(sources, parts.begin(), [&](std::size_t source) { return ofSource[source]; });
    return parts;
}

std::vector<CorpusPart> textParts(std::size_t count, SplitSizes sizes) {
    const auto [validation, test] = sizesOf(count, sizes, count);
    std::vector<CorpusPart> parts(count, CorpusPart::Training);
    for (std::size_t i = count - test - validation; i < count; ++i)
        parts[i] = i < count - test ? CorpusPart::Validation : CorpusPart::Test;
    return parts;
}

CorpusSplits splitCorpus(Corpus corpus, unsigned seed, SplitSizes sizes) {
    if (sizes == SplitSizes{0, 0}) {  // nothing to look for in a large one
        CorpusSplits whole;
        whole.train = std::move(corpus);
        return whole;
    }
    const std::vector<CorpusPart> parts = dealtParts(sourcesOf(corpus), seed, sizes);
    return apart(std::move(corpus), parts);
}

CorpusSplits splitText(Corpus text, SplitSizes sizes) {
    std::erase_if(text, [](const SentencePair& line) { return isBlank(line.target); });
    const std::vector<CorpusPart> parts = textParts(text.size(), sizes);
    return apart(std::move(text), parts);
}

}  // namespace headlight
