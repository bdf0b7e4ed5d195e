// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/length_curves.h"

#include <algorithm>
#include <array>

#include "core/data/evaluation.h"
#include "core/error.h"
#include "ui/session/format/model_names.h"
#include "ui/session/open/test_set.h"

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

LengthCurves::~LengthCurves() {
    const std::lock_guard lock(m_wanted.mutex);
    m_wanted.measurements.clear();
}

bool LengthCurves::isWanted(int measurement) {
    const std::lock_guard lock(m_wanted.mutex);
    return m_wanted.measurements.contains(measurement);
}

void LengthCurves::forget(const Curve& curve) {
    const std::lock_guard lock(m_wanted.mutex);
    m_wanted.measurements.erase(curve.measurement);
}

void LengthCurves::measure(std::shared_ptr<const TrainedModel> model, const QString& name) {
    measure([model = std::move(model)] { return model; }, name);
}

void LengthCurves::measure(std::function<std::shared_ptr<const TrainedModel>()> open, const QString& name) {
    const auto before = std::ranges::find(m_curves, name, &Curve::name);
    const auto leaving = before == m_curves.end() && m_curves.size() == mostCurves ? m_curves.begin() : before;
    if (leaving != m_curves.end()) {
        forget(*leaving);
        m_curves.erase(leaving);
    }
    const int measurement = ++m_measurements;
    m_curves.push_back({name, {}, measurement});
    ++m_waiting;
    {
        const std::lock_guard lock(m_wanted.mutex);
        m_wanted.measurements.insert(measurement);
    }
    emit changed();
    // Each is a kind of its own: none takes the place of another that waits.
    m_jobs.post(measurement, [this, measurement, open = std::move(open)] {
        try {
            if (const auto model = open(); canMeasure(*model)) measureParts(*model, measurement);
        } catch (const std::exception&) {
            // The curve ends where there was no more memory to measure it with.
        }
        QMetaObject::invokeMethod(
            this,
            [this] {
                --m_waiting;
                emit changed();
            },
            Qt::QueuedConnection);
    });
}

/// On the thread.
void LengthCurves::measureParts(const TrainedModel& model, int measurement) {
    if (!isWanted(measurement)) return;
    const std::vector<Corpus> parts = byLength(model, taskOf(model.training)->corpus().test);
    for (size_t i = 0; i < parts.size() && isWanted(measurement); ++i) {
        if (parts[i].empty()) continue;
        try {
            const Evaluation found = evaluate(model, parts[i]);
            const Point point{i == 0 ? 1 : longest[i - 1] + 1, longest[i], found.tokenAccuracy, found.bleu.value_or(0),
                              found.sentences};
            const auto tell = [this, measurement, point] {
                const auto curve = std::ranges::find(m_curves, measurement, &Curve::measurement);
                if (curve == m_curves.end()) return;
                curve->points.push_back(point);
                emit changed();
            };
            QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
        } catch (const Error&) {
            // No sentence of that length fits the model: the curve ends before it.
        }
    }
}

}  // namespace headlight

#include "moc_length_curves.cpp"
