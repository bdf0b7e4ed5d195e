// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing/forcing_picture.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/trace/word_behind.h"

namespace headlight {

namespace {

QString cellName(const ModelConfig& config) {
    if (!config.recurrent()) return QCoreApplication::translate("ForcingPicture", "Decoder");
    switch (config.cell) {
        case Cell::Gru:
            return QStringLiteral("GRU");
        case Cell::Lstm:
            return QStringLiteral("LSTM");
        case Cell::Rnn:
            return QStringLiteral("RNN");
    }
    return {};
}

}  // namespace

ForcingPicture forcingPicture(const TrainedModel& model, const TwoWays& ways) {
    const auto word = [&](int before, int id) { return wordBehind(*model.target, before, id); };
    ForcingPicture picture;
    picture.cell = cellName(model.network->config());
    for (size_t t = 0; t < ways.truth.size(); ++t)
        picture.truth.push_back(word(t == 0 ? -1 : ways.truth[t - 1], ways.truth[t]));
    const auto stepsOf = [&](const DecoderRun& run) {
        std::vector<ForcingPicture::Step> steps;
        for (size_t t = 0; t < run.steps(); ++t) {
            const bool inside = t < ways.truth.size();
            ForcingPicture::Step step{word(t == 0 ? -1 : run.reads[t - 1], run.reads[t]),
                                      word(run.reads[t], run.writes[t])};
            step.readsTruth = t == 0 || (t - 1 < ways.truth.size() && run.reads[t] == ways.truth[t - 1]);
            step.isRight = inside && run.writes[t] == ways.truth[t];
            if (inside) step.right = std::exp(static_cast<double>(run.logProbs[t][static_cast<size_t>(ways.truth[t])]));
            steps.push_back(std::move(step));
        }
        return steps;
    };
    picture.forced = stepsOf(ways.forced);
    picture.free = stepsOf(ways.free);
    for (const int place : ways.handedIn)
        if (static_cast<size_t>(place) < picture.free.size()) picture.free[static_cast<size_t>(place)].isHanded = true;
    for (size_t t = 0; t < std::min(ways.forced.steps(), ways.free.steps()); ++t)
        picture.apart.push_back(statesApart(ways.forced.states[t], ways.free.states[t]));
    return picture;
}

size_t ForcingPicture::firstWrongRead() const {
    const auto at = std::ranges::find(free, false, &Step::readsTruth);
    return at == free.end() ? steps() : static_cast<size_t>(at - free.begin());
}

std::vector<LikelyWord> likelyWords(const TrainedModel& model, const DecoderRun& run, size_t step, int right,
                                    size_t most) {
    const std::vector<float>& row = run.logProbs[step];
    std::vector<int> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    const size_t count = std::min(most, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), [&](int a, int b) {
        return std::pair(-row[static_cast<size_t>(a)], a) < std::pair(-row[static_cast<size_t>(b)], b);
    });
    order.resize(count);
    if (right >= 0 && std::ranges::find(order, right) == order.end()) order.back() = right;
    std::vector<LikelyWord> words;
    words.reserve(order.size());
    for (const int id : order)
        words.push_back({wordBehind(*model.target, run.reads[step], id),
                         std::exp(static_cast<double>(row[static_cast<size_t>(id)])), id == right});
    return words;
}

}  // namespace headlight
