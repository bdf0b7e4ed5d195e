// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/head_judgement.h"

#include <algorithm>
#include <array>

#include "core/data/translate.h"
#include "core/error.h"

namespace headlight {

namespace {

constexpr size_t mostExamples = 3;
using Examples = std::vector<HeadExample>;

/// What is read of a pair, and what is written: a text of a language model stands in `target`.
Trace readPair(const TrainedModel& model, const SentencePair& pair) {
    switch (model.network->config().corpusKind()) {
        case CorpusKind::Translation:
            return traceSentence(model, pair.source, pair.target);
        case CorpusKind::Labels:
            return traceSentence(model, pair.source);
        case CorpusKind::Text:
            break;
    }
    return traceSentence(model, pair.target);
}

const std::string& textOf(const TrainedModel& model, const SentencePair& pair) {
    return model.network->config().corpusKind() == CorpusKind::Text ? pair.target : pair.source;
}

/// Gold links count words at spaces; they hold where the tokens are these.
GoldLinks linksOf(const SentencePair& pair, const Trace& trace) {
    const auto words = [](const std::string& text) { return 1 + std::ranges::count(text, ' '); };
    const bool same = std::ssize(trace.sourceTokens) == words(pair.source) &&
                      std::ssize(trace.targetTokens) == 1 + words(pair.target);
    return same ? pair.alignment : GoldLinks();
}

/// One head over all sentences.
class Judge {
public:
    explicit Judge(MutedHead head) : m_head(std::move(head)) {}

    /// `make` tells the example of a habit, if it is wanted.
    template <class Make>
    void add(const HabitTally& tally, Make make) {
        m_sum += tally;
        for (size_t habit = 0; habit < habitCount; ++habit) {
            const bool isBroad = habit == static_cast<size_t>(HeadHabit::Broad);
            const HabitTally::Mean& mean = isBroad ? tally.relativeEntropy : tally.habits[habit];
            Examples& best = m_best[habit];
            if (mean.rows == 0 || (best.size() == mostExamples && mean.value() <= best.back().share)) continue;
            HeadExample example = make(static_cast<HeadHabit>(habit), mean.value());
            const auto isSame = [&](const HeadExample& other) { return other.text == example.text; };
            if (example.row < 0 || std::ranges::any_of(best, isSame)) continue;
            const auto place = std::ranges::upper_bound(best, example.share, std::greater(), &HeadExample::share);
            best.insert(place, std::move(example));
            if (best.size() > mostExamples) best.pop_back();
        }
    }
    JudgedHead judged() {
        const HeadFacts facts = m_sum.facts();
        Examples examples;
        if (facts.habit != HeadHabit::None) examples = std::move(m_best[static_cast<size_t>(facts.habit)]);
        return {m_head, facts, std::move(examples)};
    }

private:
    MutedHead m_head;
    HabitTally m_sum;
    std::array<Examples, habitCount> m_best;  ///< which habit it is, is known in the end
};

class Judges {
public:
    explicit Judges(FirstWord first) : m_first(first) {}

    void read(const Trace& trace, const std::string& text, const GoldLinks& gold) {
        size_t at = 0;
        for (const TraceRecord& record : trace.records()) {
            if (!record.is(ModuleKind::Attention, Part::Weights)) continue;
            const bool hasHeads = record.shape.size() == 3;
            const HabitPlaces places(trace, record, gold);
            for (int head = 0; head < (hasHeads ? record.shape[0] : 1); ++head, ++at) {
                if (at == m_judges.size()) m_judges.emplace_back(MutedHead{record.owner().scope, head});
                const std::span<const float> weights = hasHeads ? record.head(head) : std::span(record.values);
                m_judges[at].add(places.read(weights, m_first), [&](HeadHabit habit, double share) {
                    const auto [row, column] = places.heaviest(habit, weights);
                    return example(trace, record, text, row, column, share);
                });
            }
        }
    }
    std::vector<JudgedHead> judged() {
        std::vector<JudgedHead> heads;
        for (Judge& judge : m_judges)
            heads.push_back(judge.judged());
        return heads;
    }

private:
    static HeadExample example(const Trace& trace, const TraceRecord& weights, const std::string& text, int row,
                               int column, double share) {
        if (row < 0) return {{}, {}, {}, row, column, share};
        const Module& module = weights.owner();
        const bool decodes = module.place.stack == Stack::Decoder;
        const bool self = module.over == AttentionOver::Itself;
        const std::vector<std::string>& columns = decodes && self ? trace.targetTokens : trace.sourceTokens;
        // The row of a decoder's word writes the one after it.
        const auto from = static_cast<size_t>(row), to = static_cast<size_t>(column);
        return {text, decodes ? trace.written(from) : columns.at(from), columns.at(to), row, column, share};
    }

    FirstWord m_first;
    std::vector<Judge> m_judges;
};

}  // namespace

HeadJudgement judgeHeads(const TrainedModel& model, const Corpus& corpus, FirstWord first,
                         const std::function<bool(double)>& progress) {
    if (model.network->attentionBlocks().empty()) throw Error("this model has no attention, and so no heads");
    HeadJudgement result;
    Judges judges(first);
    for (const SentencePair& pair : corpus) {
        try {
            const Trace trace = readPair(model, pair);
            judges.read(trace, textOf(model, pair), linksOf(pair, trace));
            ++result.sentences;
        } catch (const Error&) {
            ++result.skipped;
        }
        const double done = static_cast<double>(result.sentences + result.skipped) / static_cast<double>(corpus.size());
        if (progress && !progress(done)) break;
    }
    if (result.sentences == 0)
        throw Error("there is no sentence to judge the heads by that the model can read: see max_length");
    result.heads = judges.judged();
    return result;
}

}  // namespace headlight
