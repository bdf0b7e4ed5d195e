// SPDX-License-Identifier: GPL-3.0-or-later
// Whole rows of a lesson's numbers: what their columns stand for, the largest, and a curve that was drawn of one.
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/lessons/lesson_numbers.h"
#include "core/lessons/lesson_veil.h"

namespace headlight {

std::vector<double> LessonNumbers::row(const LessonScene& scene, const NumberName& row) {
    const NumberMatrix of = matrix(scene, row.name);
    NumberName at = row;
    at.indices.resize(of.heads > 0 ? 3 : 2, 1);
    std::vector<double> all;
    for (int column = 1; column <= of.columns; ++column) {
        at.indices.back() = column;
        all.push_back(number(scene, at));
    }
    return all;
}

int LessonNumbers::largestColumn(const LessonScene& scene, const NumberName& name) {
    const NumberMatrix of = matrix(scene, name.name);
    NumberName at = name;
    at.indices.push_back(1);
    number(scene, at);  // says what is wrong with it
    int best = 1;
    double most = -std::numeric_limits<double>::infinity();
    for (int column = 1; column <= of.columns; ++column) {
        at.indices.back() = column;
        const double value = number(scene, at);
        if (value > most) {
            most = value;
            best = column;
        }
    }
    return best - 1;
}

std::vector<std::string> LessonNumbers::columnWords(const LessonScene& scene, const std::string& name) {
    const NumberMatrix of = matrix(scene, name);
    if (scene.tensors && worked(scene).contains(name)) {
        const bool byWord = name.starts_with("scores") || name.starts_with("weights");
        return byWord && static_cast<int>(scene.tensors->words.size()) == of.columns ? scene.tensors->words
                                                                                     : std::vector<std::string>();
    }
    if (name == "positions") return {};
    const Trace& read = trace(scene.state);
    const TraceRecord* record = read.find(name);
    if (!record) return {};
    switch (record->axes.back()) {
        case Axis::SourceToken:
            return read.sourceTokens;
        case Axis::TargetToken:
            return read.targetTokens;
        case Axis::Head:
        case Axis::Feature:
        case Axis::Vocabulary:
            break;
    }
    return {};
}

std::vector<double> LessonNumbers::columnPlaces(const LessonScene& scene, const std::string& name) {
    if (LessonFigures::has(name)) {
        const FigureTable& figure = m_figures.of(name, scene.state, model(scene.state.model));
        if (!figure.places.empty()) return figure.places;
    }
    std::vector<double> places(static_cast<size_t>(matrix(scene, name).columns));
    std::iota(places.begin(), places.end(), 1.0);
    return places;
}

/// Of the curve that the reader drew to the engine's.
double LessonNumbers::distance(const LessonScene& scene, const NumberName& name) {
    const NumberName& hidden = scene.drawn->hidden.front();
    const std::vector<double> answer = row(scene, hidden), places = columnPlaces(scene, hidden.name);
    if (scene.given.size() != answer.size()) throw Error("the curve was drawn over another step's columns");
    const CurveDistance far = curveDistance(*scene.drawn, scene.given, answer, places);
    const double all[] = {far.mean, far.largest, far.place};
    const auto index = static_cast<size_t>(name.indices[0]);
    if (index < 1 || index > std::size(all))
        throw Error("distance has 3 numbers, not " + std::to_string(name.indices[0]));
    return all[index - 1];
}

}  // namespace headlight
