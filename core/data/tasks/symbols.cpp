// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/data/task_corpus.h"
#include "core/data/tasks/tasks.h"

// Tasks over letters: small enough to learn in a minute, and the right attention pattern is known beforehand.
namespace headlight::builtin {
namespace {

constexpr std::size_t alphabet = 10;  // a … j
constexpr std::size_t fewestLetters = 3;
constexpr std::size_t mostLetters = 8;

/// Which source position each target position copies.
using Order = std::vector<int> (*)(const std::string& letters);

// These never follow each other in training, validation or test.
constexpr std::array<std::string_view, 4> heldOutNeighbours = {"be", "gd", "ic", "hj"};

bool holdsHeldOutNeighbours(const std::string& letters) {
    return std::any_of(heldOutNeighbours.begin(), heldOutNeighbours.end(),
                       [&](std::string_view pair) { return letters.find(pair) != std::string::npos; });
}

std::string drawLetters(SeededRandom& random) {
    std::string letters(fewestLetters + random.below(mostLetters - fewestLetters + 1), ' ');
    for (char& letter : letters)
        letter = static_cast<char>('a' + random.below(alphabet));
    return letters;
}

SentencePair makePair(const std::string& letters, Order order) {
    AlignedGrammar::Derivation derivation;
    for (const char letter : letters)
        derivation.source.emplace_back(1, letter);
    const std::vector<int> from = order(letters);
    for (std::size_t to = 0; to < from.size(); ++to) {
        derivation.target.push_back(derivation.source[static_cast<std::size_t>(from[to])]);
        derivation.alignment.emplace_back(from[to], static_cast<int>(to));
    }
    return derivation.toPair();
}

std::vector<int> inOrder(const std::string& letters) {
    std::vector<int> order(letters.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<int> reversedOrder(const std::string& letters) {
    std::vector<int> order = inOrder(letters);
    std::reverse(order.begin(), order.end());
    return order;
}

// Equal letters keep their order, as far as anyone can tell.
std::vector<int> sortedOrder(const std::string& letters) {
    std::vector<int> order = inOrder(letters);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return letters[static_cast<std::size_t>(a)] < letters[static_cast<std::size_t>(b)];
    });
    return order;
}

std::vector<int> shiftedOrder(const std::string& letters) {
    std::vector<int> order = inOrder(letters);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    return order;
}

CorpusSplits writeLetters(Order order, std::string_view example) {
    return writeTaskCorpus({.next = [&](SeededRandom& random) { return makePair(drawLetters(random), order); },
                            .isHeldOut =
                                [](const SentencePair& pair) {
                                    std::string letters = pair.source;
                                    std::erase(letters, ' ');
                                    return holdsHeldOutNeighbours(letters);
                                },
                            .always = {makePair(std::string(example), order)},
                            .train = 12000,
                            .validation = 500,
                            .test = 500,
                            .unseen = 500});
}

}  // namespace

CorpusSplits reversal() {
    return writeLetters(reversedOrder, "abcdef");
}
CorpusSplits copying() {
    return writeLetters(inOrder, "abcdef");
}
CorpusSplits sorting() {
    return writeLetters(sortedOrder, "fadbce");
}
CorpusSplits shifting() {
    return writeLetters(shiftedOrder, "abcdef");
}

}  // namespace headlight::builtin
