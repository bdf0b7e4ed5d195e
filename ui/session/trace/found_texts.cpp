// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/found_texts.h"

#include <algorithm>

#include "core/data/translate.h"

namespace headlight {

std::vector<FoundText> findTexts(const TrainedModel& model, const QString& source, std::span<const MutedHead> muted,
                                 std::span<const Intervention> changes, const std::vector<FoundText>& before) {
    if (!model.network->config().encoderDecoder()) return {};
    const BeamOptions options{
        .beam = answeringBeam, .nBest = answeringBeam, .mutedHeads = muted, .interventions = changes};
    const std::vector<Translation> translations = translate(model, {source.toStdString()}, options);
    std::vector<FoundText> found;
    for (const Written& written : translations.front().hypotheses) {
        const QString text = QString::fromStdString(written.text);
        const auto there = std::ranges::find(before, text, &FoundText::text);
        found.push_back({text, written.logProb, {}});
        if (changes.empty())
            found.back().before = written.logProb;
        else if (there != before.end())
            found.back().before = there->now;
    }
    return found;
}

}  // namespace headlight
