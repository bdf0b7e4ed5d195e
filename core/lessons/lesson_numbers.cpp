// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/cost.h"
#include "core/experiment/masking.h"
#include "core/experiment/query_key_value.h"
#include "core/lessons/inline_markup.h"
#include "core/nn/sinusoids.h"
#include "core/number_text.h"

namespace headlight {

namespace {

NumberMatrix table(const FigureTable& of) {
    return {0, of.rows(), of.columns, nullptr, of.values.data()};
}

void checkIndex(const std::string& name, const char* of, int index, int count) {
    if (index < 1 || index > count)
        throw Error(name + " has " + std::to_string(count) + " " + of + (count == 1 ? "" : "s") + ", not " +
                    std::to_string(index));
}

/// A probability, which the trace has as its logarithm.
bool isShare(const NumberName& name) {
    return name.name == "probabilities";
}

/// Of what the reader predicted.
bool isOfReader(const NumberName& name) {
    return name.name == "given" || name.name == "distance";
}

/// A word as the column that it has.
NumberName byIndex(NumberName name, const Tokenizer& words) {
    if (!words.vocabulary().contains(name.word))
        throw Error(name.name + ": the model does not know the word \"" + name.word + "\"");
    name.indices.push_back(words.vocabulary().id(name.word) + 1);
    name.word.clear();
    return name;
}

double numberAt(const NumberMatrix& of, const NumberName& name) {
    const size_t wanted = of.heads > 0 ? 3 : 2;
    if (name.indices.size() != wanted)
        throw Error(name.name + " is named by " + (wanted == 3 ? "[head,row,column]" : "[row,column]"));
    const int head = of.heads > 0 ? name.indices[0] : 1, row = name.indices[wanted - 2],
              column = name.indices[wanted - 1];
    if (of.heads > 0) checkIndex(name.name, "head", head, of.heads);
    checkIndex(name.name, "row", row, of.rows);
    checkIndex(name.name, "column", column, of.columns);
    const auto at = (static_cast<std::ptrdiff_t>(head - 1) * of.rows + row - 1) * of.columns + column - 1;
    return of.at(at);
}

NumberMatrix matrixIn(const Trace& trace, const std::string& model, const std::string& name) {
    const TraceRecord* record = trace.find(name);
    if (!record)
        throw Error("there is no \"" + name + "\": name a matrix of the step's tensors, or a value of the trace of " +
                    model + " (headlight-cli lessons values lists them)");
    const std::vector<int>& shape = record->shape;
    const float* values = record->values.data();
    if (shape.size() == 3) return {shape[0], shape[1], shape[2], values};
    if (shape.size() == 2) return {0, shape[0], shape[1], values};
    return {0, 1, shape.empty() ? 1 : shape[0], values};
}

/// `Q[1,2]=0.5`, as a state writes it; what stands outside of the matrix changes nothing.
void changeNumber(std::map<std::string, LessonMatrix>& matrices, const std::string& change) {
    const size_t equals = change.find('=');
    if (equals == std::string::npos) return;
    const auto name = parseNumberName(change.substr(0, equals));
    const auto value = readNumber(std::string_view(change).substr(equals + 1));
    if (!name || !value || name->indices.size() != 2 || !matrices.contains(name->name)) return;
    LessonMatrix& matrix = matrices[name->name];
    const int row = name->indices[0] - 1, column = name->indices[1] - 1;
    if (row >= matrix.rows || column >= matrix.columns) return;
    matrix.values[static_cast<size_t>(row) * static_cast<size_t>(matrix.columns) + static_cast<size_t>(column)] =
        static_cast<float>(*value);
}

/// The causal one, with the cells turned over that were by hand.
std::vector<char> maskOf(const LessonMatrix& scores, const StageTexts& turned) {
    std::vector<char> blocked = causalMaskOf(scores.rows, scores.columns);
    for (const std::string& text : turned) {
        const auto cell = parseNumberName("cells[" + text + "]");
        if (!cell || cell->indices.size() != 2) continue;
        const int row = cell->indices[0] - 1, column = cell->indices[1] - 1;
        if (row >= scores.rows || column >= scores.columns) continue;
        char& flag =
            blocked[static_cast<size_t>(row) * static_cast<size_t>(scores.columns) + static_cast<size_t>(column)];
        flag = flag ? 0 : 1;
    }
    return blocked;
}

/// The text with what `write` says in the place of each number.
template <class Write>
std::string withNumbers(const std::string& text, Write write) {
    std::string result;
    size_t from = 0;
    for (const NumberPlace& place : numberPlaces(text)) {
        if (!place.number && !place.dial) continue;
        result += text.substr(from, place.begin - from) + write(place);
        from = place.end;
    }
    return result + text.substr(from);
}

/// Whole numbers in groups of three; what has decimals is read digit by digit.
std::string grouped(std::string digits) {
    if (digits.find_first_not_of("0123456789") != std::string::npos) return digits;
    for (size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, ",");
    return digits;
}

}  // namespace

bool isVeiled(const LessonScene& scene, const NumberName& number) {
    return std::ranges::any_of(scene.veiled, [&](const NumberName& part) { return isPartOf(number, part); });
}

LessonScene sceneOf(const Lesson& lesson, size_t step) {
    return {lesson.stateAt(step), lesson.tensorsAt(step)};
}

double numberIn(const Trace& trace, const TrainedModel& model, const NumberName& name) {
    NumberName wanted = name;
    const bool share = isShare(name) && !trace.find(name.name);
    if (share) wanted.name = "log_probs";
    const NumberMatrix of = matrixIn(trace, "the model", wanted.name);
    const double value = numberAt(of, wanted.word.empty() ? wanted : byIndex(wanted, *model.target));
    return share ? std::exp(value) : value;
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

const std::map<std::string, LessonMatrix>& LessonNumbers::worked(const LessonScene& scene) {
    // Of the state only what is worked by: it changes with every move of the pointer.
    StageState by;
    for (const char* key : {"scaled", "sharpness", "numbers", "masking", "cells"})
        copyField(key, scene.state, by);
    const LessonTensors& tensors = *scene.tensors;
    if (!m_worked.empty() && m_workedFrom == tensors && m_workedBy == by) return m_worked;
    m_workedFrom = tensors;
    m_workedBy = by;
    m_worked = tensors.matrices;
    for (const std::string& change : by.queryKeyValue.numbers)
        changeNumber(m_worked, change);
    if (const auto scores = tensors.matrices.find("scores"); scores != tensors.matrices.end()) {
        const LessonMatrix& s = scores->second;
        const MaskedAttention masked = maskedAttention(s.values, maskOf(s, by.masks.cells), s.rows, s.columns,
                                                       static_cast<MaskingWay>(by.masks.masking));
        m_worked["weights"] = {s.rows, s.columns, masked.weights};
        return m_worked;
    }
    const LessonMatrix &q = m_worked["Q"], &k = m_worked["K"], &v = m_worked["V"];
    const QueryKeyValue input{q.rows, k.rows, q.columns, q.values, k.values, v.values};
    const QueryKeyValueResult result = attend(input, by.queryKeyValue.scaled, by.queryKeyValue.sharpness);
    m_worked["scores"] = {q.rows, k.rows, result.scores};
    m_worked["weights"] = {q.rows, k.rows, result.weights};
    m_worked["output"] = {q.rows, v.columns, result.output};
    constexpr std::pair<const char*, ScoreKind> kinds[] = {{"dot", ScoreKind::Dot},
                                                           {"scaled", ScoreKind::Scaled},
                                                           {"general", ScoreKind::General},
                                                           {"additive", ScoreKind::Additive}};
    LessonMatrix& learned = m_worked["score_parameters"];
    learned = {static_cast<int>(std::size(kinds)), 1, {}};
    for (const auto& [name, kind] : kinds) {
        learned.values.push_back(static_cast<float>(scoreParameters(kind, q.columns, k.columns, k.columns)));
        const QueryKeyValueResult scored = attendBy(input, kind);
        m_worked[std::string("scores_") + name] = {q.rows, k.rows, scored.scores};
        m_worked[std::string("weights_") + name] = {q.rows, k.rows, scored.weights};
    }
    return m_worked;
}

/// A row for each way of layerWork(), of operations, steps in a row and path; or one for each part of the translator of
/// two LSTMs, and one of their sum.
NumberMatrix LessonNumbers::costs(const StageState& state, bool ofParameters) {
    m_computed.clear();
    if (!ofParameters) {
        const Layering layering = state.cost.dilated ? Layering::Dilated : Layering::Plain;
        const int kernel = std::max(2, state.cost.kernel);
        for (const LayerWork& work : layerWork(state.cost.words, state.cost.width, kernel, layering))
            m_computed.insert(m_computed.end(), {work.operations, work.sequentialSteps, work.pathLength});
        return {0, static_cast<int>(m_computed.size()) / 3, 3, nullptr, m_computed.data()};
    }
    for (const WeightSize& size : weightSizes(
             {state.cost.source, state.cost.target, state.cost.embedding, state.cost.hidden, state.cost.biases}))
        m_computed.push_back(static_cast<double>(size.count()));
    m_computed.push_back(std::accumulate(m_computed.begin(), m_computed.end(), 0.0));
    return {0, static_cast<int>(m_computed.size()), 1, nullptr, m_computed.data()};
}

/// How probable each word was to the model after those before it, the first of a text being read only; or e to the
/// power of the mean of their negative logarithms.
NumberMatrix LessonNumbers::wordProbabilities(const StageState& state, bool asPerplexity) {
    const Trace& read = trace(state);
    const TraceRecord *logProbs = read.find("log_probs"), *ids = read.find("target.ids");
    if (!ids) ids = read.find("ids");
    const auto rows = [](const TraceRecord* record) { return record ? record->shape.front() : 0; };
    if (rows(ids) < 2 || rows(logProbs) != rows(ids))
        throw Error(state.model + " gives no probabilities to words that follow one another");
    m_computed.clear();
    double loss = 0;
    for (size_t i = 0; i + 1 < ids->values.size(); ++i) {
        const auto id = static_cast<size_t>(ids->values[i + 1]), row = static_cast<size_t>(logProbs->shape[1]) * i;
        const auto logProbability = static_cast<double>(logProbs->values[row + id]);
        loss -= logProbability;
        m_computed.push_back(std::exp(logProbability));
    }
    if (asPerplexity) m_computed = {std::exp(loss / static_cast<double>(m_computed.size()))};
    return {0, static_cast<int>(m_computed.size()), 1, nullptr, m_computed.data()};
}

/// Of the task that the model learned, on the part that it has not seen, with the step's heads silent.
NumberMatrix LessonNumbers::onTestSet(const std::string& figure, const StageState& state) {
    const auto key = std::tuple(figure, state.model, state.mute);
    if (!m_onTestSet.contains(key)) {
        const TrainedModel& reader = model(state.model);
        const Task* task = taskOf(reader.training);
        if (!task) throw Error(state.model + " was trained on no built-in task");
        const std::vector<MutedHead> muted = parseMutedHeads(state.mute, *reader.network);
        if (figure == "test_bleu") {
            m_onTestSet[key] = evaluate(reader, task->corpus().test, {.mutedHeads = muted}).bleu.value_or(0);
        } else {
            const EncodedCorpus test = encode(task->corpus().test, reader, Purpose::Evaluation);
            const double loss = lossOn(reader, test.pairs, muted).loss;
            m_onTestSet[key] = figure == "test_loss" ? loss : std::exp(loss);
        }
    }
    return {0, 1, 1, nullptr, &m_onTestSet[key]};
}

NumberMatrix LessonNumbers::matrix(const LessonScene& scene, const std::string& name) {
    if (scene.tensors) {
        const auto& by = worked(scene);
        if (const auto found = by.find(name); found != by.end())
            return {0, found->second.rows, found->second.columns, found->second.values.data()};
    }
    if (name == "positions") {
        m_positions = {
            scene.state.positions.length, scene.state.positions.width,
            sinusoidalTable(scene.state.positions.length, scene.state.positions.width, scene.state.positions.base)};
        return {0, scene.state.positions.length, scene.state.positions.width, m_positions.values.data()};
    }
    if (name == "cost" || name == "parameters") return costs(scene.state, name == "parameters");
    if (name == "word_probs" || name == "perplexity") return wordProbabilities(scene.state, name == "perplexity");
    if (name == "test_perplexity" || name == "test_loss" || name == "test_bleu") return onTestSet(name, scene.state);
    if (name == "word_losses" || name == "sentence_loss") {
        const TrainedModel& reader = model(scene.state.model);
        return table(m_losses =
                         wordLosses(reader, trace(scene.state), scene.state.loss.smoothing, name == "sentence_loss"));
    }
    if (LessonFigures::has(name)) return table(m_figures.of(name, scene.state, model(scene.state.model)));
    return matrixIn(trace(scene.state), scene.state.model, name);
}

double LessonNumbers::number(const LessonScene& scene, const NumberName& name) {
    if (name.name == "distance" && scene.drawn && !scene.given.empty()) return distance(scene, name);
    if (name.name == "given" && !scene.given.empty()) {
        checkIndex(name.name, "number", name.indices[0], static_cast<int>(scene.given.size()));
        return scene.given[static_cast<size_t>(name.indices[0]) - 1];
    }
    if (isShare(name)) return numberIn(trace(scene.state), model(scene.state.model), name);
    const NumberMatrix of = matrix(scene, name.name);
    return numberAt(of, name.word.empty() ? name : byIndex(name, *model(scene.state.model).target));
}

std::string LessonNumbers::filledIn(const LessonScene& scene, const std::string& text, Form form) {
    const bool points = form == Form::Pointing;
    const std::string words = form == Form::Code ? text : points ? withPointers(text) : withoutPointers(text);
    const std::vector<LessonLink> links = points ? lessonLinks(words) : std::vector<LessonLink>();
    const auto isLinked = [&](const NumberPlace& place) {
        return std::ranges::any_of(
            links, [&](const LessonLink& link) { return link.begin < place.begin && place.end < link.end(); });
    };
    return withNumbers(words, [&](const NumberPlace& place) {
        if (place.dial) {
            const std::string value = writtenNumber(*numberOf(scene.state, place.dial->field), place.decimals);
            return points && !isLinked(place) ? '[' + value + "](" + dialTarget(*place.dial) + ')' : value;
        }
        try {
            if (isVeiled(scene, *place.number)) return std::string("?");
            const double value = number(scene, *place.number);
            const std::string written =
                form == Form::Code ? fixedNumber(value, place.decimals) : writtenNumber(value, place.decimals);
            const bool canPoint =
                points && place.number->word.empty() && !isShare(*place.number) && !isOfReader(*place.number);
            return canPoint && !isLinked(place) ? '[' + written + "](" + pointerTarget(*place.number) + ')' : written;
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
    const std::string digits = grouped(fixedNumber(std::abs(value), decimals));
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return (value < 0 && !zero ? "−" : "") + digits;
}

}  // namespace headlight
