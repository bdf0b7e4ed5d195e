// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/text/bpe.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr long leastFrequency = 2;
constexpr int mergesBetweenPrunings = 100;

/// Counts pairs as subword-nmt counts them, its shortcuts included, for these can be seen in what it learns:
///
/// It looks for the most frequent pair only among those at or above a threshold, and takes back the pairs that it set
/// aside once none is left there. The count of a pair set aside that changes begins again at 0. Where it falls, that is
/// a difference, to be added at the next pruning; where it grows (a symbol that can be made in two ways was made in the
/// other one), the new count takes the old one's place. And a word that already holds the new symbol from an earlier
/// merge counts the neighbours of that one again.
class PairLearner {
public:
    explicit PairLearner(const WordCounts& counts);
    std::vector<Merge> learn(int wanted, const WorkProgress& progress);

private:
    struct Symbol {
        std::string text;
        bool hasSpace;  // white space of any kind inside
    };
    struct Word {
        std::vector<int> symbols;
        long count;
    };
    struct Pair {
        int left, right;
        long count = 0;  // among the pairs that are looked at
        long aside = 0;  // among those set aside, as of the pruning that last put it there
        bool isLive = false;
        bool isTouched = false;
        std::vector<int> events;  // w: it came into word w once more; ~w: once less
    };
    struct Candidate {
        long count;
        int pair;
    };

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    int intern(const std::string& text);
    int findPair(int left, int right);
    void change(int left, int right, int word, long by);

    bool isLess(const Candidate& a, const Candidate& b) const;
    void offer(int pair);
    int best();
    void prune();
    void takeAllBack(int mergesDone);

    std::vector<int> wordsWith(Pair& pair) const;
    bool endsWith(int symbol, int end, std::size_t taken) const;
    bool beginsWith(int symbol, int begin) const;
    std::vector<int> replaced(const std::vector<int>& word, int left, int right, int merged);
    void takeOut(int word, const std::vector<int>& old, int left, int right);
    void putIn(int word, int merged);
    void merge(int pair);

    std::vector<Symbol> m_symbols;
    std::unordered_map<std::string, int> m_symbolIds;
    std::vector<Word> m_words;
    std::vector<Pair> m_pairs;
    std::unordered_map<std::uint64_t, int> m_pairIds;
    std::vector<int> m_live;        // the pairs that are looked at
    std::vector<int> m_touched;     // those whose count the present merge changed
    std::vector<Candidate> m_heap;  // those at or above the threshold; void where the count is no longer the pair's
    double m_threshold = 0;
};

PairLearner::PairLearner(const WordCounts& counts) {
    m_words.reserve(counts.size());
    for (const auto& [text, count] : counts) {
        const int word = static_cast<int>(m_words.size());
        std::vector<std::string_view> characters = codePoints(text);
        std::vector<int> symbols;
        for (std::size_t i = 0; i < characters.size(); ++i)
            symbols.push_back(intern(std::string(characters[i]) + (i + 1 == characters.size() ? "</w>" : "")));
        for (std::size_t i = 1; i < symbols.size(); ++i)
            change(symbols[i - 1], symbols[i], word, count);
        m_words.push_back({std::move(symbols), count});
    }
    long most = 0;
    for (Pair& pair : m_pairs) {
        pair.isTouched = false;
        pair.aside = pair.count;
        most = std::max(most, pair.count);
    }
    m_touched.clear();
    m_threshold = static_cast<double>(most) / 10;
    for (const int pair : m_live)
        offer(pair);
}

int PairLearner::intern(const std::string& text) {
    const auto [found, isNew] = m_symbolIds.emplace(text, static_cast<int>(m_symbols.size()));
    if (isNew) {
        const std::vector<std::string_view> characters = codePoints(text);
        m_symbols.push_back({text, std::any_of(characters.begin(), characters.end(), isPythonSpace)});
    }
    return found->second;
}

int PairLearner::findPair(int left, int right) {
    const std::uint64_t key = static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
    const auto [found, isNew] = m_pairIds.emplace(key, static_cast<int>(m_pairs.size()));
    if (isNew) m_pairs.push_back({.left = left, .right = right, .events = {}});
    return found->second;
}

/// One more (by > 0) or one less of a pair in a word that stands |by| times in the text.
void PairLearner::change(int left, int right, int word, long by) {
    const int index = findPair(left, right);
    Pair& pair = m_pairs[at(index)];
    pair.count += by;
    pair.events.push_back(by > 0 ? word : ~word);
    if (!pair.isLive) m_live.push_back(index);
    if (!pair.isTouched) m_touched.push_back(index);
    pair.isLive = pair.isTouched = true;
}

/// By count, then as Python orders pairs of strings; bytes of UTF-8 stand in the order of code points.
bool PairLearner::isLess(const Candidate& a, const Candidate& b) const {
    if (a.count != b.count) return a.count < b.count;
    const Pair& first = m_pairs[at(a.pair)];
    const Pair& second = m_pairs[at(b.pair)];
    const int order = m_symbols[at(first.left)].text.compare(m_symbols[at(second.left)].text);
    return order != 0 ? order < 0 : m_symbols[at(first.right)].text < m_symbols[at(second.right)].text;
}

void PairLearner::offer(int pair) {
    const long count = m_pairs[at(pair)].count;
    if (static_cast<double>(count) < m_threshold) return;
    m_heap.push_back({count, pair});
    std::push_heap(m_heap.begin(), m_heap.end(), [this](auto& a, auto& b) { return isLess(a, b); });
}

/// The most frequent pair at or above the threshold; -1: there is none.
int PairLearner::best() {
    while (!m_heap.empty()) {
        const auto [count, index] = m_heap.front();
        const Pair& pair = m_pairs[at(index)];
        if (pair.isLive && pair.count == count) return index;
        std::pop_heap(m_heap.begin(), m_heap.end(), [this](auto& a, auto& b) { return isLess(a, b); });
        m_heap.pop_back();
    }
    return -1;
}

/// Sets aside every pair below the threshold.
void PairLearner::prune() {
    std::erase_if(m_live, [this](int index) {
        Pair& pair = m_pairs[at(index)];
        if (static_cast<double>(pair.count) >= m_threshold) return false;
        // A negative sum is never looked at again; bounded, it cannot run over.
        constexpr long bottom = -(1L << 60);
        pair.aside = pair.count < 0 ? std::max(pair.aside + pair.count, bottom) : pair.count;
        pair.count = 0;
        pair.isLive = false;
        return true;
    });
    m_heap.clear();
    for (const int pair : m_live)
        m_heap.push_back({m_pairs[at(pair)].count, pair});
    std::make_heap(m_heap.begin(), m_heap.end(), [this](auto& a, auto& b) { return isLess(a, b); });
}

/// Looks at every pair again and sets the threshold anew. It rises with the merges, as Zipf's law has the counts fall.
void PairLearner::takeAllBack(int mergesDone) {
    prune();
    m_live.clear();
    long most = 0;
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        Pair& pair = m_pairs[i];
        pair.count = pair.aside;
        pair.isLive = true;
        most = std::max(most, pair.count);
        m_live.push_back(static_cast<int>(i));
    }
    m_threshold = static_cast<double>(most) * mergesDone / (mergesDone + 10000.0);
    prune();
}

std::vector<int> PairLearner::wordsWith(Pair& pair) const {
    std::vector<int> events;
    events.swap(pair.events);
    const auto wordOf = [](int event) { return event < 0 ? ~event : event; };
    std::sort(events.begin(), events.end(), [&](int a, int b) { return wordOf(a) < wordOf(b); });
    std::vector<int> words;
    for (std::size_t i = 0; i < events.size();) {
        const int word = wordOf(events[i]);
        int times = 0;
        for (; i < events.size() && wordOf(events[i]) == word; ++i)
            times += events[i] < 0 ? -1 : 1;
        if (times > 0) words.push_back(word);
    }
    return words;
}

// subword-nmt looks for `left right` between white space in a line of the word's symbols. A symbol that holds white
// space itself therefore matches by its part before or behind that, too; `taken` are bytes of it that the match before
// took.

bool PairLearner::endsWith(int symbol, int end, std::size_t taken) const {
    if (symbol == end) return taken == 0;
    const std::string_view text = m_symbols[at(symbol)].text, tail = m_symbols[at(end)].text;
    if (!m_symbols[at(symbol)].hasSpace || !text.ends_with(tail) || text.size() - tail.size() < taken) return false;
    return isPythonSpace(codePoints(text.substr(0, text.size() - tail.size())).back());
}

bool PairLearner::beginsWith(int symbol, int begin) const {
    if (symbol == begin) return true;
    const std::string_view text = m_symbols[at(symbol)].text, head = m_symbols[at(begin)].text;
    return m_symbols[at(symbol)].hasSpace && text.starts_with(head) && isPythonSpace(text.substr(head.size()));
}

/// The word with the pair merged wherever it stands, from left to right.
std::vector<int> PairLearner::replaced(const std::vector<int>& word, int left, int right, int merged) {
    std::vector<int> result{word.front()};
    std::size_t taken = 0;
    for (std::size_t i = 1; i < word.size(); ++i) {
        if (!endsWith(word[i - 1], left, taken) || !beginsWith(word[i], right)) {
            result.push_back(word[i]);
            taken = 0;
            continue;
        }
        const bool isWhole = result.back() == left && word[i] == right;
        result.back() = isWhole ? merged : intern(m_symbols[at(result.back())].text + m_symbols[at(word[i])].text);
        taken = m_symbols[at(right)].text.size();
    }
    return result;
}

/// Counts out the neighbours of each pair that was merged. In A B C B C the pair C B goes once.
void PairLearner::takeOut(int word, const std::vector<int>& old, int left, int right) {
    const long count = m_words[at(word)].count;
    const auto isPairAt = [&](std::size_t i) { return i + 1 < old.size() && old[i] == left && old[i + 1] == right; };
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (!isPairAt(i)) continue;
        if (i > 0) change(old[i - 1], left, word, -count);
        if (i + 2 < old.size() && !isPairAt(i + 2)) change(right, old[i + 2], word, -count);
        ++i;
    }
}

/// Counts the neighbours of each new symbol; two of them side by side once.
void PairLearner::putIn(int word, int merged) {
    const auto& [symbols, count] = m_words[at(word)];
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (symbols[i] != merged) continue;
        if (i > 0) change(symbols[i - 1], merged, word, count);
        if (i + 1 < symbols.size() && symbols[i + 1] != merged) change(merged, symbols[i + 1], word, count);
    }
}

void PairLearner::merge(int index) {
    const int left = m_pairs[at(index)].left, right = m_pairs[at(index)].right;
    const int merged = intern(m_symbols[at(left)].text + m_symbols[at(right)].text);
    for (const int word : wordsWith(m_pairs[at(index)])) {
        std::vector<int> symbols = replaced(m_words[at(word)].symbols, left, right, merged);
        symbols.swap(m_words[at(word)].symbols);
        takeOut(word, symbols, left, right);
        putIn(word, merged);
    }
    m_pairs[at(index)].count = 0;  // of overlaps in A A A, too
    for (const int pair : m_touched) {
        m_pairs[at(pair)].isTouched = false;
        offer(pair);
    }
    m_touched.clear();
}

std::vector<Merge> PairLearner::learn(int wanted, const WorkProgress& progress) {
    std::vector<Merge> merges;
    for (int done = 0; done < wanted && !m_pairs.empty(); ++done) {
        int pair = best();
        if (pair < 0) {
            takeAllBack(done);
            pair = best();
        }
        if (pair < 0 || m_pairs[at(pair)].count < leastFrequency) break;
        const std::string& left = m_symbols[at(m_pairs[at(pair)].left)].text;
        const std::string& right = m_symbols[at(m_pairs[at(pair)].right)].text;
        merges.push_back({left, right, left + right, m_pairs[at(pair)].count});
        merge(pair);
        if (done % mergesBetweenPrunings != 0) continue;
        prune();
        tell(progress, static_cast<double>(done) / wanted);
    }
    return merges;
}

}  // namespace

std::vector<Merge> learnMerges(const WordCounts& counts, int wanted, const WorkProgress& progress) {
    return PairLearner(counts).learn(wanted, progress);
}

}  // namespace headlight
