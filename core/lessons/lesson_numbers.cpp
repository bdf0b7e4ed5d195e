// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/masking.h"
#include "core/experiment/query_key_value.h"
#include "core/lessons/inline_markup.h"
#include "core/nn/positional_encoding.h"
#include "core/number_text.h"

namespace headlight {

namespace {

void checkIndex(const std::string& name, const char* of, int index, int count) {
    if (index < 1 || index > count)
        throw Error(name + " has " + std::to_string(count) + " " + of + (count == 1 ? "" : "s") + ", not " +
                    std::to_string(index));
}

/// The text with what `write` says in the place of each number.
template <class Write>
std::string withNumbers(const std::string& text, Write write) {
    std::string result;
    size_t from = 0;
    for (const NumberPlace& place : numberPlaces(text)) {
        if (!place.number) continue;
        result += text.substr(from, place.begin - from) + write(place);
        from = place.end;
    }
    return result + text.substr(from);
}

}  // namespace

LessonScene sceneOf(const Lesson& lesson, size_t step) {
    return {lesson.stateAt(step), lesson.tensorsAt(step)};
}

const TrainedModel& LessonNumbers::model(const std::string& name) {
    std::shared_ptr<const TrainedModel>& kept = m_models[name];
    if (!kept) kept = m_open(name);
    return *kept;
}

LessonNumbers::Read LessonNumbers::readOf(const StageState& state, const TrainedModel& reader) {
    std::string source = state.source;
    if (const Task* task = taskOf(reader.training); task && source.empty()) source = task->example;
    return {state.model, source, state.target, state.mute};
}

bool LessonNumbers::hasRead(const StageState& state) const {
    const auto reader = m_models.find(state.model);
    return reader != m_models.end() && reader->second && m_traces.contains(readOf(state, *reader->second));
}

const Trace& LessonNumbers::trace(const StageState& state) {
    constexpr size_t mostTraces = 12;  // more than a step's texts, checks and neighbours ask for
    const TrainedModel& reader = model(state.model);
    const Read key = readOf(state, reader);
    const auto found = m_traces.find(key);
    if (found != m_traces.end()) return found->second;
    const auto target = state.target.empty() ? std::nullopt : std::optional(state.target);
    Trace read = traceSentence(reader, std::get<1>(key), target, parseMutedHeads(state.mute, *reader.network));
    if (m_order.size() == mostTraces) {
        m_traces.erase(m_order.front());
        m_order.pop_front();
    }
    m_order.push_back(key);
    return m_traces.emplace(key, std::move(read)).first->second;
}

const std::map<std::string, LessonMatrix>& LessonNumbers::worked(const LessonTensors& tensors) {
    if (!m_worked.empty() && m_workedFrom == tensors) return m_worked;
    m_workedFrom = tensors;
    m_worked = tensors.matrices;
    if (const auto scores = tensors.matrices.find("scores"); scores != tensors.matrices.end()) {
        const LessonMatrix& s = scores->second;
        const MaskedAttention masked =
            maskedAttention(s.values, causalMaskOf(s.rows, s.columns), s.rows, s.columns, MaskingWay::AddMinusInfinity);
        m_worked["weights"] = {s.rows, s.columns, masked.weights};
        return m_worked;
    }
    const LessonMatrix &q = m_worked["Q"], &k = m_worked["K"], &v = m_worked["V"];
    const QueryKeyValueResult result =
        attend({q.rows, k.rows, q.columns, q.values, k.values, v.values}, /*scaled=*/true, /*temperature=*/1);
    m_worked["scores"] = {q.rows, k.rows, result.scores};
    m_worked["weights"] = {q.rows, k.rows, result.weights};
    m_worked["output"] = {q.rows, v.columns, result.output};
    return m_worked;
}

LessonNumbers::Matrix LessonNumbers::matrix(const LessonScene& scene, const std::string& name) {
    if (scene.tensors) {
        const auto& by = worked(*scene.tensors);
        if (const auto found = by.find(name); found != by.end())
            return {0, found->second.rows, found->second.columns, found->second.values.data()};
    }
    if (name == "positions") {
        m_positions = {scene.state.length, scene.state.width,
                       sinusoidalTable(scene.state.length, scene.state.width, scene.state.base)};
        return {0, scene.state.length, scene.state.width, m_positions.values.data()};
    }
    const TraceRecord* record = trace(scene.state).find(name);
    if (!record)
        throw Error("there is no \"" + name + "\": name a matrix of the step's tensors, or a value of the trace of " +
                    scene.state.model + " (headlight-cli lessons values lists them)");
    const std::vector<int>& shape = record->shape;
    const float* values = record->values.data();
    if (shape.size() == 3) return {shape[0], shape[1], shape[2], values};
    if (shape.size() == 2) return {0, shape[0], shape[1], values};
    return {0, 1, shape.empty() ? 1 : shape[0], values};
}

double LessonNumbers::number(const LessonScene& scene, const NumberName& name) {
    const Matrix of = matrix(scene, name.name);
    const size_t wanted = of.heads > 0 ? 3 : 2;
    if (name.indices.size() != wanted)
        throw Error(name.name + " is named by " + (wanted == 3 ? "[head,row,column]" : "[row,column]"));
    const int head = of.heads > 0 ? name.indices[0] : 1, row = name.indices[wanted - 2],
              column = name.indices[wanted - 1];
    if (of.heads > 0) checkIndex(name.name, "head", head, of.heads);
    checkIndex(name.name, "row", row, of.rows);
    checkIndex(name.name, "column", column, of.columns);
    const auto at = (static_cast<std::ptrdiff_t>(head - 1) * of.rows + row - 1) * of.columns + column - 1;
    return static_cast<double>(of.values[at]);
}

int LessonNumbers::largestColumn(const LessonScene& scene, const NumberName& name) {
    const Matrix of = matrix(scene, name.name);
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
    const Matrix of = matrix(scene, name);
    if (scene.tensors && worked(*scene.tensors).contains(name)) {
        const bool byWord = name == "scores" || name == "weights";
        return byWord && static_cast<int>(scene.tensors->words.size()) == of.columns ? scene.tensors->words
                                                                                     : std::vector<std::string>();
    }
    if (name == "positions") return {};
    const Trace& read = trace(scene.state);
    switch (read.at(name).axes.back()) {
        case Axis::SourceToken:
            return read.sourceTokens;
        case Axis::TargetToken:
            return read.targetTokens;
        default:
            return {};
    }
}

std::string LessonNumbers::filledIn(const LessonScene& scene, const std::string& text, Form form) {
    const bool points = form == Form::Pointing;
    const std::string words = points ? withPointers(text) : withoutPointers(text);
    const std::vector<LessonLink> links = points ? lessonLinks(words) : std::vector<LessonLink>();
    const auto isLinked = [&](const NumberPlace& place) {
        return std::ranges::any_of(
            links, [&](const LessonLink& link) { return link.begin < place.begin && place.end < link.end(); });
    };
    return withNumbers(words, [&](const NumberPlace& place) {
        try {
            const std::string written = writtenNumber(number(scene, *place.number), place.decimals);
            return points && !isLinked(place) ? '[' + written + "](" + pointerTarget(*place.number) + ')' : written;
        } catch (const Error&) {
            // A lesson that is being written: the check names it, and the reader sees what stands there.
            return words.substr(place.begin, place.end - place.begin);
        }
    });
}

std::string withoutNumbers(const std::string& text) {
    return withNumbers(withoutPointers(text), [](const NumberPlace&) { return std::string("…"); });
}

std::string writtenNumber(double value, int decimals) {
    if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
    const std::string digits = fixedNumber(std::abs(value), decimals);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return (value < 0 && !zero ? "−" : "") + digits;
}

}  // namespace headlight
