// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_corpus.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

/// With a space at either end, so that a search finds whole words.
std::string padded(std::string_view text) {
    std::string result(1, ' ');
    result += text;
    result += ' ';
    return result;
}

constexpr std::size_t parts = 4;
constexpr std::size_t unseenPart = 3;

/// The parts while they fill: train, validation, test, unseen.
class Filling {
public:
    explicit Filling(const TaskCorpusPlan& plan)
        : m_room{plan.train, plan.validation, plan.test, plan.unseen}, m_targetsAreLabels(plan.targetsAreLabels) {}

    std::size_t room() const { return m_room[0] + m_room[1] + m_room[2] + m_room[3]; }

    /// Takes back what holds a word that training lacks, and takes no more of it: a test asks what was taught.
    void requireKnownWords() {
        for (const SentencePair& pair : m_corpora[0])
            for (const std::string* text : {&pair.source, &pair.target})
                for (std::string& word : cut(*text, ' '))
                    m_knownWords.insert(std::move(word));
        for (std::size_t part = 1; part < parts; ++part)
            m_room[part] += std::erase_if(m_corpora[part], [&](const SentencePair& pair) { return !isKnown(pair); });
    }

    void offer(SentencePair pair, std::size_t part) {
        const auto [target, isNew] = m_partOfTarget.emplace(pair.target, part);
        if (!isNew && !m_targetsAreLabels) {
            // A held-out pair cannot follow its target into training, nor the reverse.
            if ((target->second == unseenPart) != (part == unseenPart)) return;
            part = target->second;
        }
        if (m_room[part] == 0 || (!m_knownWords.empty() && !isKnown(pair))) return;
        if (!m_sources.insert(pair.source).second) return;
        --m_room[part];
        m_corpora[part].push_back(std::move(pair));
    }

    /// A part other than `unseen`, each as likely as it has room.
    std::size_t draw(SeededRandom& random) const {
        const std::size_t open = m_room[0] + m_room[1] + m_room[2];
        if (open == 0) return 0;
        std::size_t ticket = random.below(open);
        std::size_t part = 0;
        while (ticket >= m_room[part])
            ticket -= m_room[part++];
        return part;
    }

    CorpusSplits take() {
        return {std::move(m_corpora[0]), std::move(m_corpora[1]), std::move(m_corpora[2]), std::move(m_corpora[3])};
    }

private:
    bool isKnown(const SentencePair& pair) const {
        const auto allKnown = [&](const std::string& text) {
            const std::vector<std::string> words = cut(text, ' ');
            return std::all_of(words.begin(), words.end(), [&](auto& word) { return m_knownWords.contains(word); });
        };
        return allKnown(pair.source) && allKnown(pair.target);
    }

    std::array<std::size_t, parts> m_room;
    bool m_targetsAreLabels;
    std::array<Corpus, parts> m_corpora;
    std::unordered_map<std::string, std::size_t> m_partOfTarget;
    std::unordered_set<std::string> m_sources;
    std::unordered_set<std::string> m_knownWords;  ///< empty while training still fills
};

}  // namespace

HeldOutPairs::HeldOutPairs(std::string_view table) {
    for (const std::string& line : cut(table, '\n')) {
        if (line.empty()) continue;
        const std::vector<std::string> sides = cut(line, '+');
        if (sides.size() != 2) throw Error("held-out pair '" + line + "': write it as first + second");
        for (const std::string& first : cut(sides[0], '/'))
            for (const std::string& second : cut(sides[1], '/'))
                m_pairs.emplace_back(padded(first), padded(second));
    }
}

bool HeldOutPairs::standIn(std::string_view text) const {
    const std::string whole = padded(text);
    return std::any_of(m_pairs.begin(), m_pairs.end(), [&](const auto& pair) {
        return whole.find(pair.first) != std::string::npos && whole.find(pair.second) != std::string::npos;
    });
}

CorpusSplits writeTaskCorpus(const TaskCorpusPlan& plan) {
    constexpr std::size_t drawsPerPair = 50;
    SeededRandom random(plan.seed);
    Filling filling(plan);
    const std::size_t limit = filling.room() * drawsPerPair;
    for (const SentencePair& pair : plan.always)
        filling.offer(pair, 0);
    std::size_t draws = 0;
    const auto fill = [&] {
        for (; filling.room() > 0; ++draws) {
            if (draws == limit) throw Error("a built-in task has too few sentences; ask for fewer or write more rules");
            SentencePair pair = plan.next(random);
            const std::size_t part = plan.isHeldOut(pair) ? unseenPart : filling.draw(random);
            filling.offer(std::move(pair), part);
        }
    };
    fill();
    filling.requireKnownWords();
    fill();
    return filling.take();
}

bool repeatsItself(const std::vector<std::string>& words, const std::set<std::string>& exceptions) {
    std::set<std::string> seen;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (!exceptions.contains(words[i]) && !seen.insert(words[i - 1] + " " + words[i]).second) return true;
    return false;
}

void chooseIndefiniteArticles(std::vector<std::string>& english) {
    static const std::unordered_set<std::string> soundLikeConsonants = {"university", "uniform", "european", "useful"};
    for (std::size_t i = 0; i + 1 < english.size(); ++i) {
        const std::string& next = english[i + 1];
        const bool isVowel = std::string_view("aeiou").find(next.front()) != std::string_view::npos;
        if (english[i] == "a" && isVowel && !soundLikeConsonants.contains(next)) english[i] = "an";
    }
}

}  // namespace headlight
