// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/example_sentence.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace headlight {

namespace {

constexpr std::size_t mostLookedAt = 2000;
constexpr long tokensOfAPicture = 16;  // a side; where the data are longer, a picture is still to be read

/// A pair as the model reads it.
struct Measured {
    std::size_t place = 0;
    long tokens = 0, unknown = 0;
};

/// Adds the tokens of a side. Returns false if the model cannot read so many.
bool measure(const std::string& text, const Tokenizer& tokenizer, long most, Measured& pair) {
    const std::vector<int> ids = tokenizer.encode(text);
    pair.tokens += static_cast<long>(ids.size());
    for (const int id : ids)
        if (tokenizer.specials().unk == id) ++pair.unknown;
    return !ids.empty() && static_cast<long>(ids.size()) < most;
}

}  // namespace

std::size_t ordinaryPair(const Corpus& corpus, const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    const bool isText = config.corpusKind() == CorpusKind::Text;
    std::vector<Measured> pairs;
    for (std::size_t place = 0; place < corpus.size() && pairs.size() < mostLookedAt; ++place) {
        Measured pair{.place = place};
        const SentencePair& each = corpus[place];
        if (!isText && !measure(each.source, *model.source, config.maxLength, pair)) continue;
        if (!measure(each.target, *model.target, isText ? 1L << 30 : config.maxLength, pair)) continue;
        pairs.push_back(pair);
    }
    if (pairs.empty()) return corpus.size();
    std::vector<long> lengths(pairs.size());
    std::ranges::transform(pairs, lengths.begin(), &Measured::tokens);
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    const long median = std::min(*middle, tokensOfAPicture * (isText ? 1 : 2));
    const auto isBetter = [median](const Measured& one, const Measured& other) {
        const auto rank = [median](const Measured& pair) {
            return std::tuple(pair.unknown, std::abs(pair.tokens - median), pair.place);
        };
        return rank(one) < rank(other);
    };
    return std::ranges::min_element(pairs, isBetter)->place;
}

std::string beginningOf(const SentencePair& sentence, const TrainedModel& model) {
    if (model.network->config().corpusKind() != CorpusKind::Text) return sentence.source;
    if (model.network->config().masked()) return sentence.target;
    constexpr std::size_t tokensGiven = 4;
    std::vector<std::string> tokens = model.target->split(sentence.target);
    tokens.resize(std::min(tokens.size(), tokensGiven));
    return model.target->join(tokens);
}

}  // namespace headlight
