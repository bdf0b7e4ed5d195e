// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/next_word_river.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "core/experiment/logit_lens.h"
#include "ui/session/trace/value_region.h"

namespace headlight {

namespace {

constexpr size_t kMostWords = 12, kOfADepth = 3, kOfAPlace = 5;
constexpr float kLeastOfADepth = 0.02F;
constexpr double kLeastOfAPlace = 0.005;
constexpr int kMostLayersInParts = 3;

struct NextWordRiverText {
    Q_DECLARE_TR_FUNCTIONS(NextWordRiver)
};

QString nameOf(LensDepth::After after) {
    switch (after) {
        case LensDepth::After::Embedding:
            return {};
        case LensDepth::After::SelfAttention:
            return NextWordRiverText::tr("attention");
        case LensDepth::After::CrossAttention:
            return NextWordRiverText::tr("cross-attention");
        case LensDepth::After::FeedForward:
            return NextWordRiverText::tr("feed-forward");
    }
    return {};
}

void addRest(RiverPlace& place, int vocabulary) {
    double sum = 0;
    for (const RiverPlace::Word& word : place.words)
        sum += word.probability;
    place.rest = std::max(0.0, 1 - sum);
    place.restWords = vocabulary - static_cast<int>(place.words.size());
}

}  // namespace

std::vector<int> positionIds(const Trace& trace) {
    for (const char* name : {"target.ids", "ids"})
        if (const TraceRecord* record = trace.find(name)) return record->ids();
    return {};
}

std::vector<int> takenWords(const Trace& trace) {
    std::vector<int> taken = positionIds(trace);
    if (taken.empty()) return taken;
    taken.erase(taken.begin());
    const TraceRecord& last = trace.at("log_probs");
    taken.push_back(largestColumns(matrixRow(last, 0, last.shape.front() - 1), 1).front());
    return taken;
}

std::vector<RiverPlace> riverThroughDepth(const TrainedModel& model, const Trace& trace, int position,
                                          const std::function<bool()>& isWanted) {
    const int vocabulary = trace.at("logits").shape.back();
    const LogitLens lens(model, trace);
    const std::vector<LensDepth>& depths = lens.depths();
    const bool inParts = depths.back().layer < kMostLayersInParts;
    std::vector<RiverPlace> places;
    std::vector<std::vector<float>> probabilities;
    for (size_t depth = 0; depth < depths.size() && isWanted(); ++depth) {
        const LensDepth& at = depths[depth];
        if (at.layer >= 0 && !at.endsLayer && !inParts) continue;
        RiverPlace place;
        place.title =
            at.layer < 0 ? NextWordRiverText::tr("Embedding") : NextWordRiverText::tr("Layer %1").arg(at.layer + 1);
        place.more = depth + 1 == depths.size() ? NextWordRiverText::tr("the model")
                     : at.layer < 0             ? NextWordRiverText::tr("word alone")
                     : inParts                  ? nameOf(at.after)
                                                : QString();
        places.push_back(place);
        probabilities.push_back(lens.probabilities(depth, position));
    }
    if (places.empty()) return places;
    // Those that are likely at the end, and those that were on the way there.
    std::set<int> chosen;
    const auto take = [&](const std::vector<float>& of, size_t most, float least) {
        for (const int word : largestColumns(of, most))
            if (chosen.size() < kMostWords && of[static_cast<size_t>(word)] >= least) chosen.insert(word);
    };
    take(probabilities.back(), kMostWords / 2, 0);
    for (size_t i = probabilities.size() - 1; i-- > 0;)
        take(probabilities[i], kOfADepth, kLeastOfADepth);
    std::vector<int> words(chosen.begin(), chosen.end());
    std::ranges::sort(words, [&](int a, int b) {
        return probabilities.back()[static_cast<size_t>(a)] > probabilities.back()[static_cast<size_t>(b)];
    });
    for (size_t i = 0; i < places.size(); ++i) {
        for (const int word : words)
            places[i].words.push_back({word, static_cast<double>(probabilities[i][static_cast<size_t>(word)])});
        addRest(places[i], vocabulary);
    }
    return places;
}

std::vector<RiverPlace> riverAlongText(const TrainedModel& model, const Trace& trace) {
    const TraceRecord& logProbs = trace.at("log_probs");
    const int vocabulary = logProbs.shape.back();
    const std::vector<int> ids = positionIds(trace), taken = takenWords(trace);
    const std::vector<std::string> titles = model.target->display(ids);
    std::vector<RiverPlace> places;
    for (int row = 0; row < logProbs.shape.front() && row < std::ssize(ids); ++row) {
        const std::span<const float> values = matrixRow(logProbs, 0, row);
        const auto probability = [&](int word) {
            return std::exp(static_cast<double>(values[static_cast<size_t>(word)]));
        };
        RiverPlace place;
        const int written = taken[static_cast<size_t>(row)];
        place.title = QString::fromStdString(titles[static_cast<size_t>(row)]);
        place.words.push_back({written, probability(written)});
        for (const int word : largestColumns(values, kOfAPlace + 1))
            if (word != written && place.words.size() <= kOfAPlace && probability(word) >= kLeastOfAPlace)
                place.words.push_back({word, probability(word)});
        addRest(place, vocabulary);
        places.push_back(std::move(place));
    }
    return places;
}

}  // namespace headlight
