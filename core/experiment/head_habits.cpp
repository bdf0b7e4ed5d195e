// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/head_habits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/text/unicode.h"

namespace headlight {

namespace {

size_t placeOf(HeadHabit habit) {
    return static_cast<size_t>(habit);
}

/// What stands at the columns of a block; of self-attention at its rows too.
const std::vector<std::string>& wordsOf(const Trace& trace, const Module& attention) {
    const bool decoderSelf = attention.over == AttentionOver::Itself && attention.place.stack == Stack::Decoder;
    return decoderSelf || trace.sourceTokens.empty() ? trace.writtenTarget() : trace.writtenSource();
}

/// A number for each word, the same for the same word.
std::vector<int> numbered(const std::vector<std::string>& words) {
    std::map<std::string_view, int> numbers;
    std::vector<int> result;
    result.reserve(words.size());
    for (const std::string& word : words)
        result.push_back(numbers.emplace(word, static_cast<int>(numbers.size())).first->second);
    return result;
}

std::vector<char> openCells(const TraceRecord* mask, size_t cells) {
    std::vector<char> open(cells, 1);
    if (mask && mask->values.size() == cells)
        std::ranges::transform(mask->values, open.begin(), [](float value) { return char(!std::isinf(value)); });
    return open;
}

}  // namespace

HabitTally& HabitTally::operator+=(const HabitTally& other) {
    const auto add = [](Mean& to, const Mean& from) {
        to.sum += from.sum;
        to.rows += from.rows;
    };
    for (size_t i = 0; i < habitCount; ++i)
        add(habits[i], other.habits[i]);
    for (const auto member : {&HabitTally::entropy, &HabitTally::mostEntropy, &HabitTally::relativeEntropy,
                              &HabitTally::distance, &HabitTally::first})
        add(this->*member, other.*member);
    return *this;
}

HeadFacts HabitTally::facts() const {
    HeadFacts facts{.entropy = entropy.value(),
                    .mostEntropy = mostEntropy.value(),
                    .relativeEntropy = relativeEntropy.value(),
                    .distance = distance.value(),
                    .first = first.value()};
    for (size_t i = 0; i < habitCount; ++i) {
        const double share = habits[i].value();
        if (share < habitShare || share <= facts.share) continue;
        facts.habit = static_cast<HeadHabit>(i);
        facts.share = share;
    }
    if (facts.habit == HeadHabit::None && facts.relativeEntropy >= broadEntropy) {
        facts.habit = HeadHabit::Broad;
        facts.share = facts.relativeEntropy;
    }
    return facts;
}

HabitPlaces::HabitPlaces(const Trace& trace, const TraceRecord& weights, const GoldLinks& gold)
    : m_rows(weights.shape[weights.shape.size() - 2]),
      m_columns(weights.shape.back()),
      m_self(weights.owner().over == AttentionOver::Itself),
      m_open(openCells(trace.find(weights.owner(), Part::Mask),
                       static_cast<size_t>(m_rows) * static_cast<size_t>(m_columns))),
      m_opens(static_cast<size_t>(m_rows)) {
    const size_t width = static_cast<size_t>(m_columns);
    for (size_t cell = 0; cell < m_open.size(); ++cell)
        m_opens[cell / width] += m_open[cell];
    const std::vector<std::string>& words = wordsOf(trace, weights.owner());
    const std::vector<int> same = numbered(words);
    std::vector<char> marks(words.size());
    std::ranges::transform(words, marks.begin(),
                           [](const std::string& word) { return char(isPunctuation(word) || isSeparator(word)); });
    const auto each = [&](HeadHabit habit, auto wants) {
        std::vector<char> wanted(m_open.size());
        for (size_t row = 0; row < static_cast<size_t>(m_rows); ++row)
            for (size_t column = 0; column < width; ++column)
                wanted[row * width + column] = char(wants(row, column));
        addHabit(habit, wanted);
    };
    each(HeadHabit::Punctuation, [&](size_t row, size_t column) {
        return column > 0 && column < marks.size() && marks[column] && !(m_self && row == column);
    });
    if (!m_self) {
        each(HeadHabit::First, [](size_t, size_t column) { return column == 0; });
        each(HeadHabit::Alignment, [&](size_t row, size_t column) {
            return std::ranges::count(gold, std::pair(static_cast<int>(column), static_cast<int>(row))) > 0;
        });
        return;
    }
    const auto isSame = [&](size_t a, size_t b) { return a < same.size() && b < same.size() && same[a] == same[b]; };
    each(HeadHabit::Previous, [](size_t row, size_t column) { return column + 1 == row; });
    each(HeadHabit::Next, [](size_t row, size_t column) { return column == row + 1; });
    each(HeadHabit::Itself, [](size_t row, size_t column) { return column == row; });
    each(HeadHabit::SameWord, [&](size_t row, size_t column) { return row != column && isSame(row, column); });
    each(HeadHabit::AfterSame, [&](size_t row, size_t column) {
        return column > 0 && column < row && isSame(row, column - 1) && !marks[row];
    });
    // The second word's first word is its previous one.
    each(HeadHabit::First, [](size_t row, size_t column) { return row > 1 && column == 0; });
}

void HabitPlaces::addHabit(HeadHabit habit, const std::vector<char>& wanted) {
    const size_t width = static_cast<size_t>(m_columns);
    for (int row = 0; row < m_rows; ++row) {
        Wanted of{row, {}};
        for (size_t column = 0; column < width; ++column)
            if (const size_t cell = static_cast<size_t>(row) * width + column; wanted[cell] && m_open[cell])
                of.columns.push_back(static_cast<int>(column));
        if (!of.columns.empty()) m_wanted[placeOf(habit)].push_back(std::move(of));
    }
}

HabitTally HabitPlaces::read(std::span<const float> head, FirstWord first) const {
    HabitTally tally;
    readRows(head, first, tally);
    if (first == FirstWord::Kept) {
        readHabits(head, first, tally);
    } else {
        const std::vector<float> left = withoutFirstWord(head, m_columns);
        readHabits(left, first, tally);
    }
    readAlignment(head, tally);
    return tally;
}

/// Of all habits but the alignment, which asks where the heaviest weight lies and not how much it is.
void HabitPlaces::readHabits(std::span<const float> head, FirstWord first, HabitTally& tally) const {
    const size_t width = static_cast<size_t>(m_columns);
    const bool kept = first == FirstWord::Kept;
    for (size_t habit = 0; habit < habitCount; ++habit) {
        if (habit == placeOf(HeadHabit::Alignment) || (!kept && habit == placeOf(HeadHabit::First))) continue;
        for (const Wanted& wanted : m_wanted[habit]) {
            const auto row = static_cast<size_t>(wanted.row);
            const int opens = m_opens[row] - (kept ? 0 : m_open[row * width]);
            const bool onlyFirst = wanted.columns.size() == 1 && wanted.columns.front() == 0;
            if (opens < 2 || (!kept && onlyFirst)) continue;
            double share = 0;
            for (const int column : wanted.columns)
                share += static_cast<double>(head[row * width + static_cast<size_t>(column)]);
            tally.habits[habit].add(share);
        }
    }
}

/// Of the words that gold links to something, those whose heaviest weight lies on a link.
void HabitPlaces::readAlignment(std::span<const float> head, HabitTally& tally) const {
    for (const Wanted& wanted : m_wanted[placeOf(HeadHabit::Alignment)]) {
        const auto row = head.subspan(static_cast<size_t>(wanted.row) * static_cast<size_t>(m_columns),
                                      static_cast<size_t>(m_columns));
        const int heaviest = static_cast<int>(std::ranges::max_element(row) - row.begin());
        tally.habits[placeOf(HeadHabit::Alignment)].add(std::ranges::count(wanted.columns, heaviest) > 0 ? 1 : 0);
    }
}

double HabitPlaces::entropyOf(std::span<const float> head, int row) const {
    const size_t width = static_cast<size_t>(m_columns);
    double bits = 0;
    for (const float weight : head.subspan(static_cast<size_t>(row) * width, width))
        if (weight > 0) bits -= static_cast<double>(weight) * std::log2(static_cast<double>(weight));
    return bits;
}

void HabitPlaces::readRows(std::span<const float> head, FirstWord first, HabitTally& tally) const {
    const size_t width = static_cast<size_t>(m_columns);
    const std::vector<float> left = first == FirstWord::Kept ? std::vector<float>() : withoutFirstWord(head, m_columns);
    for (int row = 0; row < m_rows; ++row) {
        const size_t start = static_cast<size_t>(row) * width;
        const int opens = m_opens[static_cast<size_t>(row)];
        const double bits = entropyOf(head, row);
        tally.entropy.add(bits);
        tally.mostEntropy.add(std::log2(std::max(1, opens)));
        if (row > 0 || !m_self) tally.first.add(static_cast<double>(head[start]));
        if (m_self) {
            double distance = 0;
            for (int column = 0; column < m_columns; ++column)
                distance += static_cast<double>(head[start + static_cast<size_t>(column)]) * std::abs(row - column);
            tally.distance.add(distance);
        }
        if (first == FirstWord::Kept) {
            if (opens > 1) tally.relativeEntropy.add(bits / std::log2(opens));
            continue;
        }
        const int others = opens - m_open[start];
        if (others < 2) continue;
        const bool empty = 1 - head[start] < static_cast<float>(leastLeft);
        tally.habits[placeOf(HeadHabit::First)].add(empty ? 1 : 0);
        if (!empty) tally.relativeEntropy.add(entropyOf(left, row) / std::log2(others));
    }
}

std::pair<int, int> HabitPlaces::heaviest(HeadHabit habit, std::span<const float> head) const {
    std::pair<int, int> best{-1, -1};
    float most = -1;
    const auto offer = [&](int row, int column) {
        const float weight =
            head[static_cast<size_t>(row) * static_cast<size_t>(m_columns) + static_cast<size_t>(column)];
        if (weight <= most) return;
        most = weight;
        best = {row, column};
    };
    if (habit == HeadHabit::Broad) {
        int broadest = 0;
        for (int row = 1; row < m_rows; ++row)
            if (entropyOf(head, row) > entropyOf(head, broadest)) broadest = row;
        for (int column = 0; column < m_columns; ++column)
            offer(broadest, column);
        return best;
    }
    for (const Wanted& wanted : m_wanted[placeOf(habit)])
        for (const int column : wanted.columns)
            if (m_opens[static_cast<size_t>(wanted.row)] > 1) offer(wanted.row, column);
    return best;
}

std::vector<float> withoutFirstWord(std::span<const float> head, int columns) {
    std::vector<float> result(head.size());
    const size_t width = static_cast<size_t>(columns);
    for (size_t start = 0; start + width <= head.size() && width > 0; start += width) {
        const float left = 1 - head[start];
        if (left < static_cast<float>(leastLeft)) continue;
        for (size_t column = 1; column < width; ++column)
            result[start + column] = head[start + column] / left;
    }
    return result;
}

bool isPunctuation(std::string_view token) {
    for (const std::string_view mark : {"Ġ", "▁", "##"}) {
        if (!token.starts_with(mark) || token == "##") continue;
        token.remove_prefix(mark.size());
        break;
    }
    const std::string text = repairedUtf8(token);
    const std::vector<std::string_view> characters = graphemes(text);
    return !characters.empty() && std::ranges::all_of(characters, [](std::string_view character) {
        const CharacterClass is = classify(character);
        return is == CharacterClass::Opening || is == CharacterClass::Closing || is == CharacterClass::Punctuation;
    });
}

bool isSeparator(std::string_view token) {
    constexpr std::array names = {"[SEP]", "</s>", "<eos>", "<sep>", "<|endoftext|>"};
    return std::ranges::find(names, token) != names.end();
}

}  // namespace headlight
