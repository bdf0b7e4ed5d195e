// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/merge_film.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr long leastPairFrequency = 2;  ///< of a pair that may be merged
constexpr size_t mostSearched = 20000;

std::uint64_t keyOf(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

/// Makes one of the two symbols wherever they stand side by side, from left to right. Whether there was anything to do.
bool fuse(std::vector<int>& symbols, int left, int right, int merged) {
    size_t kept = 0;
    for (size_t i = 0; i < symbols.size(); ++i, ++kept) {
        const bool joins = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
        symbols[kept] = joins ? merged : symbols[i];
        if (joins) ++i;
    }
    const bool changed = kept < symbols.size();
    symbols.resize(kept);
    return changed;
}

}  // namespace

MergeFilm::MergeFilm(const WordCounts& counts, int wanted, const WorkProgress& progress)
    : MergeFilm(counts, learnMerges(counts, wanted, partOf(progress, 0, 0.5)), partOf(progress, 0.5, 1)) {}

MergeFilm::MergeFilm(const WordCounts& counts, std::vector<Merge> merges, const WorkProgress& progress)
    : m_merges(std::move(merges)), m_bpe(m_merges) {
    readWords(counts);
    replay(progress);
}

void MergeFilm::readWords(const WordCounts& counts) {
    for (const auto& [text, count] : counts) {
        Counted word{.text = text, .count = count, .characters = {}, .merges = {}};
        const std::vector<std::string_view> letters = codePoints(text);
        for (size_t i = 0; i < letters.size(); ++i)
            word.characters.push_back(intern(std::string(letters[i]) + (i + 1 == letters.size() ? "</w>" : "")));
        m_counts.emplace(text, count);
        m_tokens += count;
        m_words.push_back(std::move(word));
    }
    m_characters = static_cast<int>(m_symbols.size());
    for (const Merge& merge : m_merges) {
        const int left = intern(merge.left), right = intern(merge.right);
        m_rules.push_back({left, right, intern(merge.merged)});
    }
    std::ranges::stable_sort(m_words, std::ranges::greater(), &Counted::count);
}

int MergeFilm::intern(const std::string& symbol) {
    const auto [found, isNew] = m_ids.emplace(symbol, static_cast<int>(m_symbols.size()));
    if (isNew) m_symbols.push_back(symbol);
    return found->second;
}

/// As the learner goes: each merge through all words, one after another. A word is looked at where the symbols of the
/// merge may stand, which the places of every symbol tell.
void MergeFilm::replay(const WorkProgress& progress) {
    std::vector<std::vector<int>> now, places(m_symbols.size());
    long pieces = 0;
    for (size_t word = 0; word < m_words.size(); ++word) {
        now.push_back(m_words[word].characters);
        pieces += m_words[word].count * static_cast<long>(now.back().size());
        for (const int symbol : now.back())
            if (auto& in = places[static_cast<size_t>(symbol)]; in.empty() || in.back() != static_cast<int>(word))
                in.push_back(static_cast<int>(word));
    }
    m_pieces.push_back(pieces);
    for (size_t merge = 0; merge < m_rules.size(); ++merge) {
        tell(progress, static_cast<double>(merge) / static_cast<double>(m_rules.size()));
        const auto& [left, right, merged] = m_rules[merge];
        const auto& lefts = places[static_cast<size_t>(left)];
        const auto& rights = places[static_cast<size_t>(right)];
        for (const int word : lefts.size() < rights.size() ? lefts : rights) {
            std::vector<int>& symbols = now[static_cast<size_t>(word)];
            const size_t before = symbols.size();
            if (!fuse(symbols, left, right, merged)) continue;
            Counted& counted = m_words[static_cast<size_t>(word)];
            counted.merges.push_back(static_cast<int>(merge));
            pieces -= counted.count * static_cast<long>(before - symbols.size());
            places[static_cast<size_t>(merged)].push_back(word);
        }
        m_pieces.push_back(pieces);
    }
}

std::vector<int> MergeFilm::symbolsOf(const Counted& word, int merges) const {
    std::vector<int> symbols = word.characters;
    for (const int merge : word.merges) {
        if (merge >= merges) break;
        const auto& [left, right, merged] = m_rules[static_cast<size_t>(merge)];
        fuse(symbols, left, right, merged);
    }
    return symbols;
}

long MergeFilm::count(std::string_view word) const {
    const auto found = m_counts.find(std::string(word));
    return found == m_counts.end() ? 0 : found->second;
}

std::vector<MergeFilm::Pair> MergeFilm::pairsAfter(int merges, size_t most, int& different) const {
    std::unordered_map<std::uint64_t, long> counts;
    for (const Counted& word : m_words) {
        const std::vector<int> symbols = symbolsOf(word, merges);
        for (size_t i = 1; i < symbols.size(); ++i)
            counts[keyOf(symbols[i - 1], symbols[i])] += word.count;
    }
    std::erase_if(counts, [](const auto& each) { return each.second < leastPairFrequency; });
    different = static_cast<int>(counts.size());
    const auto textOf = [this](std::uint64_t key, int shift) -> const std::string& {
        return m_symbols[static_cast<size_t>(key >> shift & 0xffffffffU)];
    };
    std::vector<std::pair<std::uint64_t, long>> all(counts.begin(), counts.end());
    const auto before = [&](const auto& a, const auto& b) {
        return std::tie(a.second, textOf(a.first, 32), textOf(a.first, 0)) >
               std::tie(b.second, textOf(b.first, 32), textOf(b.first, 0));
    };
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(), before);
    std::vector<Pair> pairs;
    for (auto each = all.begin(); each != end; ++each)
        pairs.push_back({textOf(each->first, 32), textOf(each->first, 0), each->second});
    return pairs;
}

MergeFilm::Frame MergeFilm::frame(int merges, size_t mostPairs, size_t mostWords) const {
    Frame frame;
    frame.pairs = pairsAfter(merges, mostPairs, frame.differentPairs);
    for (size_t i = 0; i < std::min(mostWords, m_words.size()); ++i) {
        Word word{.text = m_words[i].text, .count = m_words[i].count, .symbols = {}};
        for (const int symbol : symbolsOf(m_words[i], merges))
            word.symbols.push_back(m_symbols[static_cast<size_t>(symbol)]);
        frame.words.push_back(std::move(word));
    }
    return frame;
}

std::vector<std::string> MergeFilm::wordsWith(const std::string& symbol, int merges, size_t most) const {
    std::vector<std::string> words;
    const auto found = m_ids.find(symbol);
    if (found == m_ids.end()) return words;
    for (size_t i = 0; i < std::min(m_words.size(), mostSearched) && words.size() < most; ++i) {
        const std::vector<int> symbols = symbolsOf(m_words[i], merges);
        if (std::ranges::find(symbols, found->second) != symbols.end()) words.push_back(m_words[i].text);
    }
    return words;
}

/// With the first merges alone a word goes the same way as with all, as far as that needs no later one: what is chosen
/// is always the earliest that fits.
std::vector<BpeStep> MergeFilm::ladder(std::string_view word, int merges) const {
    std::vector<BpeStep> steps = m_bpe.steps(word);
    const auto late =
        std::ranges::find_if(steps, [merges](const BpeStep& step) { return step.merge && *step.merge >= merges; });
    steps.erase(late, steps.end());
    return steps;
}

}  // namespace headlight
