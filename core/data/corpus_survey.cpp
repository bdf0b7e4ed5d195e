// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus_survey.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <unordered_map>

#include "core/error.h"
#include "core/platform/pace.h"
#include "core/text/entities.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr size_t mostSamples = 4000;
constexpr size_t mostWordsCounted = 4'000'000;
constexpr size_t pairsBetweenReports = 4096;
constexpr size_t linesTold = 8;
constexpr size_t pairsBetweenClocks = 64;
constexpr std::chrono::milliseconds firstShownAfter{150}, shownEvery{500};

long entitiesIn(const std::string& text) {
    if (text.find('&') == std::string::npos) return 0;
    std::string undone = text;
    return undoEntities(undone);
}

}  // namespace

CorpusSurvey::CorpusSurvey(const CorpusFiles& files, const TokenizerOptions& tokenizer, const WorkProgress& progress,
                           const std::function<void(const CorpusSurvey&)>& onTheWay)
    : m_files(files), m_splitter(wordSplitter(tokenizer)), m_random(1) {
    platform::Throttle shown(firstShownAfter, shownEvery);
    for (PairStream stream(files); stream.next();) {
        add(stream);
        if (onTheWay && m_entries.size() % pairsBetweenClocks == 0 && shown.isDue()) onTheWay(*this);
        if (files.undoEntities) m_entities = stream.entities();
        if (m_entries.size() % pairsBetweenReports == 0) tell(progress, stream.share());
    }
    if (m_samples.empty()) throw Error("there is no sentence in the file; give one with a sentence a line");
    std::ranges::sort(m_samples, {}, &Sample::entry);
    m_repeats = m_repeatSearch.take();
}

void CorpusSurvey::add(const PairStream& stream) {
    const SentencePair& pair = stream.pair();
    if (!m_files.undoEntities) m_entities += entitiesIn(pair.source) + entitiesIn(pair.target);
    Entry entry;
    entry.line = static_cast<uint32_t>(std::min<size_t>(stream.line(), std::numeric_limits<uint32_t>::max()));
    entry.key = std::hash<std::string>()(pair.source);
    if (stream.isWhole()) {
        entry.sourceWords = isText() ? 0 : count(pair.source, 0);
        entry.targetWords = count(pair.target, 1);
        draw(pair);
        if (m_files.reading == TextReading::Lines) m_repeatSearch.add(pair.source, pair.target, stream.line());
    } else {
        entry.sourceWords = pair.source.empty() ? 0 : 1;  // what the other side has is of no use to anybody
    }
    m_entries.push_back(entry);
}

uint16_t CorpusSurvey::count(const std::string& text, size_t side) {
    const std::vector<std::string> words = wordsOf(text);
    Counts& counts = m_counts.at(side);
    for (const std::string& word : words)
        ++counts[word];
    m_words.at(side) += static_cast<long>(words.size());
    if (counts.size() > mostWordsCounted) {
        std::erase_if(counts, [](const auto& each) { return each.second == 1; });
        m_isCountBounded = true;
    }
    return static_cast<uint16_t>(std::min<size_t>(words.size(), std::numeric_limits<uint16_t>::max()));
}

/// Each whole pair so far is among the samples with the same probability (Vitter: Random Sampling with a Reservoir,
/// algorithm R, 1985).
void CorpusSurvey::draw(const SentencePair& pair) {
    ++m_drawn;
    const Sample sample{pair, m_entries.size()};
    if (m_samples.size() < mostSamples)
        m_samples.push_back(sample);
    else if (const size_t place = m_random.below(m_drawn); place < mostSamples)
        m_samples[place] = sample;
}

std::vector<std::string> CorpusSurvey::wordsOf(const std::string& text) const {
    return m_splitter->split(text);
}

std::vector<CorpusSurvey::SideCounts> CorpusSurvey::countsOf(const std::vector<signed char>& groups, size_t number,
                                                             const WorkProgress& progress) const {
    std::vector<SideCounts> counts(number);
    size_t entry = 0;
    for (PairStream stream(m_files); entry < groups.size() && stream.next(); ++entry) {
        if (entry % pairsBetweenReports == 0) tell(progress, stream.share());
        if (groups[entry] == noGroup || !stream.isWhole()) continue;
        SideCounts& group = counts.at(static_cast<size_t>(groups[entry]));
        if (!isText())
            for (const std::string& word : wordsOf(stream.pair().source))
                ++group[0][word];
        for (const std::string& word : wordsOf(stream.pair().target))
            ++group[1][word];
    }
    return counts;
}

CorpusDeal deal(const CorpusSurvey& survey, const TrainingData& data, uint64_t seed) {
    const PairRules& rules = data.rules;
    const SplitSizes sizes = data.setAside();
    CorpusDeal result;
    const std::vector<CorpusSurvey::Entry>& entries = survey.entries();
    result.parts.assign(entries.size(), CorpusPart::Training);
    result.leftOut.assign(entries.size(), LeftOut::No);
    std::unordered_map<uint64_t, size_t> known;  // the number of a source
    std::vector<size_t> used, sources;
    for (size_t i = 0; i < entries.size(); ++i) {
        const CorpusSurvey::Entry& entry = entries[i];
        LeftOut& why = result.leftOut[i];
        if (entry.targetWords == 0 || (entry.sourceWords == 0 && !survey.isText()))
            why = LeftOut::Blank;
        else if (survey.isText())
            why = LeftOut::No;
        else if (rules.tooLong(entry.sourceWords, entry.targetWords))
            why = LeftOut::TooLong;
        else if (rules.tooUnequal(entry.sourceWords, entry.targetWords))
            why = LeftOut::TooUnequal;
        CorpusDeal::Reason& reason = result.reasons.at(static_cast<size_t>(why));
        ++reason.count;
        if (why == LeftOut::No) {
            used.push_back(i);
            if (!survey.isText()) sources.push_back(known.emplace(entry.key, known.size()).first->second);
        } else if (reason.lines.size() < linesTold)
            reason.lines.push_back(entry.line);
    }
    const std::vector<CorpusPart> parts =
        survey.isText() ? textParts(used.size(), sizes) : dealtParts(sources, static_cast<unsigned>(seed), sizes);
    for (size_t i = 0; i < used.size(); ++i) {
        result.parts[used[i]] = parts[i];
        ++result.sizes.at(static_cast<size_t>(parts[i]));
    }
    return result;
}

CoverageCurve::CoverageCurve(const CorpusSurvey::Counts& learned, const CorpusSurvey::Counts& other)
    : m_words(learned.begin(), learned.end()) {
    std::erase_if(m_words, [](const auto& each) { return each.second <= 0; });
    std::ranges::sort(m_words, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    m_learned.push_back(0);
    m_other.push_back(0);
    for (size_t rank = 0; rank < m_words.size(); ++rank) {
        const auto& [word, count] = m_words[rank];
        m_ranks.emplace(word, rank);
        const auto found = other.find(word);
        m_learned.push_back(m_learned.back() + count);
        m_other.push_back(m_other.back() + (found == other.end() ? 0 : found->second));
    }
    m_learnedTotal = m_learned.back();
    for (const auto& [word, count] : other)
        m_otherTotal += count;
}

size_t CoverageCurve::wordsSeen(long count) const {
    const auto end = std::ranges::partition_point(m_words, [&](const auto& each) { return each.second >= count; });
    return static_cast<size_t>(end - m_words.begin());
}

size_t CoverageCurve::rank(const std::string& word) const {
    const auto found = m_ranks.find(word);
    return found == m_ranks.end() ? m_words.size() : found->second;
}

double CoverageCurve::share(const std::vector<long>& upTo, long total, size_t size) {
    return total > 0 ? static_cast<double>(upTo[std::min(size, upTo.size() - 1)]) / static_cast<double>(total) : 1;
}

namespace {

/// What stands in a text after each of the merges, which were learned from more than that text: each word is cut as
/// they say, and of each piece that comes or goes it is written down at which merge.
class PieceTally {
public:
    explicit PieceTally(const std::vector<Merge>& merges) : m_changes(merges.size() + 1) {
        for (size_t rank = 0; rank < merges.size(); ++rank)
            m_ranks.emplace(std::pair(idOf(merges[rank].left), idOf(merges[rank].right)),
                            std::pair(rank, idOf(merges[rank].merged)));
    }

    void add(const std::string& word, long count) {
        std::vector<size_t> pieces;
        const std::vector<std::string_view> letters = codePoints(word);
        for (size_t i = 0; i < letters.size(); ++i)
            pieces.push_back(characterOf(std::string(letters[i]) + (i + 1 == letters.size() ? "</w>" : "")));
        for (const size_t piece : pieces)
            m_changes[0].push_back({piece, count});
        while (const auto* merge = first(pieces)) {
            const auto& [pair, to] = *merge;
            std::vector<Change>& changes = m_changes[to.first + 1];
            size_t kept = 0;
            for (size_t i = 0; i < pieces.size(); ++i, ++kept) {
                const bool joins = i + 1 < pieces.size() && std::pair(pieces[i], pieces[i + 1]) == pair;
                pieces[kept] = joins ? to.second : pieces[i];
                if (!joins) continue;
                changes.insert(changes.end(), {{pair.first, -count}, {pair.second, -count}, {to.second, count}});
                ++i;
            }
            pieces.resize(kept);
        }
    }

    /// Tells, after each merge and before the first, how many different pieces there are that are no single characters,
    /// and how many pieces in all.
    template <class Tell>
    void sum(Tell&& tell) const {
        std::vector<long> counts(m_ids.size());
        size_t different = 0;
        long all = 0;
        for (const std::vector<Change>& changes : m_changes) {
            for (const auto& [piece, count] : changes) {
                const bool isCharacter = piece < m_isCharacter.size() && m_isCharacter[piece];
                different -= !isCharacter && counts[piece] > 0;
                counts[piece] += count;
                different += !isCharacter && counts[piece] > 0;
                all += count;
            }
            tell(different, all);
        }
    }

private:
    using Pair = std::pair<size_t, size_t>;
    using Change = std::pair<size_t, long>;  ///< a piece, how many come

    size_t idOf(const std::string& piece) { return m_ids.emplace(piece, m_ids.size()).first->second; }

    size_t characterOf(const std::string& piece) {
        const size_t id = idOf(piece);
        if (m_isCharacter.size() <= id) m_isCharacter.resize(id + 1);
        m_isCharacter[id] = true;
        return id;
    }

    /// The earliest merge that two neighbours ask for.
    const std::pair<const Pair, Pair>* first(const std::vector<size_t>& pieces) const {
        const std::pair<const Pair, Pair>* best = nullptr;
        for (size_t i = 0; i + 1 < pieces.size(); ++i) {
            const auto found = m_ranks.find({pieces[i], pieces[i + 1]});
            if (found != m_ranks.end() && (!best || found->second.first < best->second.first)) best = &*found;
        }
        return best;
    }

    std::unordered_map<std::string, size_t> m_ids;
    std::vector<bool> m_isCharacter;
    std::map<Pair, Pair> m_ranks;  ///< of a pair its merge, and what it becomes
    std::vector<std::vector<Change>> m_changes;
};

}  // namespace

PieceCurve::PieceCurve(const CorpusSurvey::Counts& learned, int mostMerges, const WorkProgress& progress) {
    WordCounts counts;
    long characters = 0;
    std::set<std::string> symbols;
    for (const auto& [word, count] : learned) {
        if (count <= 0) continue;
        counts.emplace(word, count);
        m_words += count;
        const std::vector<std::string_view> letters = codePoints(word);
        characters += count * static_cast<long>(letters.size());
        for (const std::string_view letter : letters) {
            m_characters.emplace(letter);
            symbols.emplace(letter);
            symbols.insert(std::string(letter) + "</w>");
        }
    }
    m_merges = learnMerges(counts, mostMerges, progress);
    // A merge of a pair that stands n times leaves n pieces fewer.
    m_pieces.push_back(characters);
    const auto specials = static_cast<size_t>(Vocabulary().size());
    m_tokens.push_back(specials + symbols.size());
    for (const Merge& merge : m_merges) {
        m_pieces.push_back(m_pieces.back() - merge.frequency);
        symbols.insert(merge.merged);
        m_tokens.push_back(specials + symbols.size());
    }
}

PieceCurve::PieceCurve(const CorpusSurvey::Counts& learned, std::vector<Merge> merges, const WorkProgress& progress)
    : m_merges(std::move(merges)) {
    PieceTally tally(m_merges);
    size_t done = 0;
    for (const auto& [word, count] : learned) {
        tellNowAndThen(progress, done++, learned.size());
        if (count <= 0) continue;
        m_words += count;
        for (const std::string_view letter : codePoints(word))
            m_characters.emplace(letter);
        tally.add(word, count);
    }
    // Each character is known inside a word and at its end, wherever it stands.
    const size_t always = static_cast<size_t>(Vocabulary().size()) + 2 * m_characters.size();
    tally.sum([&](size_t different, long pieces) {
        m_tokens.push_back(always + different);
        m_pieces.push_back(pieces);
    });
}

bool PieceCurve::canSpell(const std::string& word) const {
    return std::ranges::all_of(codePoints(word), [&](std::string_view each) { return m_characters.contains(each); });
}

double PieceCurve::piecesPerWord(size_t merges) const {
    return m_words > 0 ? static_cast<double>(m_pieces[std::min(merges, m_merges.size())]) / static_cast<double>(m_words)
                       : 0;
}

}  // namespace headlight
