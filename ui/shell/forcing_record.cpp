// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/forcing_record.h"

#include <deque>

#include <nlohmann/json.hpp>

#include "ui/views/decode/forcing/forcing_picture.h"

namespace headlight {

namespace {

using nlohmann::json;

constexpr size_t kMostRuns = 48;  ///< of one sentence in a page

json stepsOf(const std::vector<ForcingPicture::Step>& steps) {
    json all = json::array();
    for (const ForcingPicture::Step& step : steps)
        all.push_back({{"reads", step.reads.toStdString()},
                       {"writes", step.writes.toStdString()},
                       {"readsTruth", step.readsTruth},
                       {"isRight", step.isRight},
                       {"right", step.right}});
    return all;
}

json likelyOf(const TrainedModel& model, const DecoderRun& run, const std::vector<int>& truth) {
    constexpr size_t kLikely = 5;
    json all = json::array();
    for (size_t step = 0; step < run.steps(); ++step) {
        json words = json::array();
        const int right = step < truth.size() ? truth[step] : -1;
        for (const LikelyWord& word : likelyWords(model, run, step, right, kLikely))
            words.push_back(
                {{"word", word.word.toStdString()}, {"probability", word.probability}, {"isRight", word.isRight}});
        all.push_back(std::move(words));
    }
    return all;
}

std::string keyOf(const std::vector<int>& places) {
    std::string key;
    for (const int place : places) {
        if (!key.empty()) key += ',';
        key += std::to_string(place);
    }
    return key;
}

}  // namespace

json forcingRecord(const TrainedModel& model, const TwoWays& ways, int chosen, const ForcingReport* report) {
    const ForcingPicture picture = forcingPicture(model, ways);
    json record{{"lab", "forcing"},
                {"truth", json::array()},
                {"forced", stepsOf(picture.forced)},
                {"forcedLikely", likelyOf(model, ways.forced, ways.truth)},
                {"handed", ways.handedIn},
                {"chosen", chosen}};
    for (const QString& word : picture.truth)
        record["truth"].push_back(word.toStdString());
    if (report)
        for (const PlaceCounts& place : report->places)
            record["places"].push_back({place.sentences, place.forced, place.free});
    return record;
}

json freeRuns(const TrainedModel& model, const ForcingQuestion& question) {
    json runs = json::object();
    std::deque<std::vector<int>> wanted{{}};
    while (!wanted.empty() && runs.size() < kMostRuns) {
        const std::vector<int> places = wanted.front();
        wanted.pop_front();
        const TwoWays ways = runTwoWays(model, question.source, question.truth, places, question.muted);
        const ForcingPicture picture = forcingPicture(model, ways);
        runs[keyOf(places)] = {{"steps", stepsOf(picture.free)},
                               {"apart", picture.apart},
                               {"likely", likelyOf(model, ways.free, ways.truth)}};
        // A truth that it reads already makes no difference, nor does what is handed in later to what came before.
        for (size_t step = places.empty() ? 1 : static_cast<size_t>(places.back()) + 1;
             step < picture.free.size() && step < ways.truth.size(); ++step)
            if (!picture.free[step].readsTruth) {
                wanted.push_back(places);
                wanted.back().push_back(static_cast<int>(step));
            }
    }
    return runs;
}

}  // namespace headlight
