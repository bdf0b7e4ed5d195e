// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/length_curves.h"

#include <algorithm>
#include <array>

#include "core/data/evaluation.h"
#include "core/error.h"
#include "ui/session/format/model_names.h"

namespace headlight {

namespace {

constexpr size_t mostCurves = 4;
constexpr size_t sentencesOfALength = 80;  // enough to tell the lengths apart, few enough to be there in seconds
constexpr std::array<int, 7> longest{5, 8, 12, 16, 20, 28, 40};

/// The first sentences of each length, so that none is measured on ten times as many as another.
std::vector<Corpus> byLength(const TrainedModel& model, const Corpus& corpus) {
    std::vector<Corpus> parts(longest.size());
    for (const SentencePair& pair : corpus) {
        const int length = static_cast<int>(model.source->split(pair.source).size());
        const auto place = std::ranges::lower_bound(longest, length);
        if (place == longest.end()) continue;
        Corpus& part = parts[static_cast<size_t>(place - longest.begin())];
        if (part.size() < sentencesOfALength) part.push_back(pair);
    }
    return parts;
}

}  // namespace

bool LengthCurves::canMeasure(const TrainedModel& model) {
    return model.network->config().encoderDecoder() && taskOf(model.training);
}

void LengthCurves::measure(std::shared_ptr<const TrainedModel> model, const QString& name) {
    std::erase_if(m_curves, [&](const Curve& curve) { return curve.name == name; });
    if (m_curves.size() == mostCurves) m_curves.erase(m_curves.begin());
    m_curves.push_back({name, {}});
    m_running = true;
    emit changed();
    const auto tell = [this](auto what) { QMetaObject::invokeMethod(this, what, Qt::QueuedConnection); };
    m_jobs.post(0, [this, tell, model = std::move(model), name] {
        const std::vector<Corpus> parts = byLength(*model, taskOf(model->training)->generate().test);
        for (size_t i = 0; i < parts.size() && !m_stop; ++i) {
            if (parts[i].empty()) continue;
            try {
                const Evaluation found = evaluate(*model, parts[i]);
                const Point point{i == 0 ? 1 : longest[i - 1] + 1, longest[i], found.tokenAccuracy,
                                  found.bleu.value_or(0), found.sentences};
                tell([this, name, point] {
                    for (Curve& curve : m_curves)
                        if (curve.name == name) curve.points.push_back(point);
                    emit changed();
                });
            } catch (const Error&) {
                // No sentence of that length fits the model: the curve ends before it.
            }
        }
        tell([this] {
            m_running = false;
            emit changed();
        });
    });
}

}  // namespace headlight
