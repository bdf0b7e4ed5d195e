// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/reading_record.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/experiment/query_key_value.h"
#include "ui/session/page/packed.h"
#include "ui/session/page/score_record.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/step_scope.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

namespace {

using nlohmann::json;

constexpr size_t kCandidates = 5;  ///< of each word that is written

json levelOf(const StepScope::Level& level) {
    return {{"id", level.id}, {"label", level.label.toStdString()}};
}

/// What a value's rows or columns count, from the last axis backwards.
const char* axisWord(const TraceRecord& record, size_t fromLast) {
    if (record.axes.size() < fromLast) return "number";
    switch (record.axes[record.axes.size() - fromLast]) {
        case Axis::SourceToken:
            return "source";
        case Axis::TargetToken:
            return "target";
        case Axis::Head:
        case Axis::Feature:
        case Axis::Vocabulary:
            break;
    }
    return "number";
}

json valueOf(const TraceRecord& record, bool withNumbers) {
    const StepScope scope = stepScope(record);
    json value{{"name", record.name},
               {"title", valueTitle(record).toStdString()},
               {"scope", scopeTitle(record).toStdString()},
               {"model", levelOf(scope.model)},
               {"layer", levelOf(scope.layer)},
               {"sublayer", levelOf(scope.sublayer)},
               {"sentence", operationSentence(record.operation).toStdString()},
               {"formula", formulaText(record).toStdString()},
               {"weights", record.part == Part::Weights},
               {"mask", record.part == Part::Mask},
               {"heads", matrixHeads(record)},
               {"rows", matrixRows(record)},
               {"columns", matrixColumns(record)},
               {"rowWords", axisWord(record, 2)},
               {"columnWords", axisWord(record, 1)}};
    if (withNumbers) value["numbers"] = packed(record.values);
    return value;
}

/// The values that an attention's arithmetic reads.
std::set<const TraceRecord*> attentionValues(const Trace& trace, const std::vector<AttentionBlock>& blocks) {
    std::set<const TraceRecord*> result;
    for (const AttentionBlock& block : blocks) {
        const TraceRecord* const mixed = trace.find(block.weights->owner(), Part::Heads);
        for (const TraceRecord* each :
             {block.weights, block.scores, block.shared, block.mask, block.query, block.key, block.value, mixed})
            if (each) result.insert(each);
        if (!block.scores) continue;
        for (const std::string& input : block.scores->inputs)
            if (const TraceRecord* found = trace.find(input)) result.insert(found);
    }
    return result;
}

size_t bytesOf(const TraceRecord& record) {
    return record.values.size() * sizeof(float);
}

/// Which values have their numbers in the page.
std::set<const TraceRecord*> keptValues(const RecordedReading& reading, const std::vector<AttentionBlock>& blocks) {
    std::set<const TraceRecord*> kept = attentionValues(reading.trace, blocks);
    for (const QString& name : reading.wanted)
        if (const TraceRecord* found = reading.trace.find(name.toStdString())) kept.insert(found);
    const size_t bytes = std::accumulate(kept.begin(), kept.end(), size_t{0},
                                         [](size_t sum, const TraceRecord* each) { return sum + bytesOf(*each); });
    if (bytes > mostPageBytes)
        throw Error("the page would hold " + std::to_string(bytes >> 20) + " MB of numbers, and " +
                    std::to_string(mostPageBytes >> 20) + " are the most: take a shorter sentence");
    size_t room = reading.mostOtherBytes;
    for (const TraceRecord& record : reading.trace.records()) {
        const bool words = record.part == Part::Logits || record.part == Part::LogProbs;  // told as the likeliest words
        if (words || kept.contains(&record) || bytesOf(record) > room) continue;
        kept.insert(&record);
        room -= bytesOf(record);
    }
    return kept;
}

const char* kindWord(AttentionBlock::Kind kind) {
    switch (kind) {
        case AttentionBlock::Kind::EncoderSelf:
            return "encoder";
        case AttentionBlock::Kind::DecoderSelf:
            return "decoder";
        case AttentionBlock::Kind::Cross:
            return "cross";
        case AttentionBlock::Kind::Self:
            break;
    }
    return "self";
}

json blockOf(const RecordedReading& reading, const AttentionBlock& block) {
    const Trace& trace = reading.trace;
    json result{{"scope", block.scope.toStdString()},
                {"title", scopeTitle(*block.weights).toStdString()},
                {"kind", kindWord(block.kind)},
                {"layer", block.layer + 1},
                {"heads", block.heads},
                {"rows", wordsOf(rowLabels(trace, block))},
                {"rowNotes", wordsOf(rowSubLabels(trace, block))},
                {"columns", wordsOf(columnLabels(trace, block))},
                {"writes", block.rowsWrite()},
                {"muted", json::array()},
                {"values", json::object()}};
    const auto refer = [&](const char* as, const TraceRecord* record) {
        if (record) result["values"][as] = trace.indexOf(record->name);
    };
    refer("query", block.query);
    refer("key", block.key);
    refer("value", block.value);
    refer("scores", block.scores);
    if (block.shared != block.scores) refer("shared", block.shared);
    refer("mask", block.mask);
    refer("weights", block.weights);
    refer("output", trace.find(block.weights->owner(), Part::Heads));
    for (int head = 0; head < block.heads; ++head)
        if (reading.mutedHeads.contains(headName(block.scope, head))) result["muted"].push_back(head);
    if (block.scores) result["score"] = scoreRecord(reading.model, trace, *block.scores);
    return result;
}

/// The likeliest words of each row of the model's answer, and the probability of the one that was written.
json answersOf(const RecordedReading& reading) {
    const Trace& trace = reading.trace;
    json answers = json::array();
    const auto found =
        std::ranges::find_if(trace.records(), [](const TraceRecord& r) { return r.part == Part::LogProbs; });
    if (found == trace.records().end()) return answers;
    const TraceRecord& logProbs = *found;
    const QStringList labels =
        reading.model.network->config().saysWords() ? QStringList() : columnNames(reading.model, trace, logProbs);
    for (int row = 0; row < matrixRows(logProbs); ++row) {
        const std::span<const float> values = matrixRow(logProbs, 0, row);
        json best = json::array();
        for (const int word : largestColumns(values, kCandidates))
            best.push_back(
                {{"word",
                  (labels.isEmpty() ? wordAtRow(reading.model, trace, row, word) : labels.value(word)).toStdString()},
                 {"probability", std::exp(static_cast<double>(values[static_cast<size_t>(word)]))}});
        answers.push_back(std::move(best));
    }
    return answers;
}

/// One of the matrices by hand, in the form of a traced value.
json matrixRecord(const char* name, const char* title, int rows, int columns, std::span<const float> values,
                  const char* columnWords) {
    return {{"name", name},
            {"title", title},
            {"scope", ""},
            {"weights", std::string_view(name) == "weights"},
            {"mask", false},
            {"heads", 1},
            {"rows", rows},
            {"columns", columns},
            {"rowWords", "source"},
            {"columnWords", columnWords},
            {"numbers", packed(values)}};
}

}  // namespace

json readingRecord(const RecordedReading& reading) {
    const Trace& trace = reading.trace;
    const std::vector<AttentionBlock> blocks = attentionBlocks(trace);
    const std::set<const TraceRecord*> kept = keptValues(reading, blocks);
    json result{{"model", reading.modelName.toStdString()},
                {"text", reading.text.toStdString()},
                {"says", reading.says.toStdString()},
                {"parameters", std::as_const(*reading.model.network).parameters().count()},
                {"source", wordsOf(wordList(trace.sourceTokens))},
                {"target", wordsOf(wordList(trace.targetTokens))},
                {"written", wordsOf(writtenWords(trace))},
                {"answers", answersOf(reading)},
                {"answersBehind", !reading.model.network->config().masked()},
                {"values", json::array()},
                {"blocks", json::array()}};
    for (const TraceRecord& record : trace.records())
        result["values"].push_back(valueOf(record, kept.contains(&record)));
    for (const AttentionBlock& block : blocks)
        result["blocks"].push_back(blockOf(reading, block));
    return result;
}

json exampleRecord(const LessonTensors& tensors, const StageState& by) {
    const auto matrix = [&](const char* name) -> const LessonMatrix& {
        const auto found = tensors.matrices.find(name);
        if (found == tensors.matrices.end()) throw Error(std::string("there is no matrix ") + name + " by hand");
        return found->second;
    };
    const LessonMatrix &q = matrix("Q"), &k = matrix("K"), &v = matrix("V");
    const QueryKeyValueResult made = attend({q.rows, k.rows, q.columns, q.values, k.values, v.values},
                                            by.queryKeyValue.scaled, by.queryKeyValue.sharpness);
    const QStringList names = wordList(tensors.words);
    const double root = by.queryKeyValue.scaled ? std::sqrt(static_cast<double>(q.columns)) : 1;
    json score{{"kind", "dot"},
               {"query", 0},
               {"key", 1},
               {"queryName", "q"},
               {"keyName", "k"},
               {"factor", 1 / (root * by.queryKeyValue.sharpness)},
               {"temperature", by.queryKeyValue.sharpness}};
    if (by.queryKeyValue.scaled) {
        score["root"] = q.columns;
        score["layer"] = 1;
    }
    json block{{"scope", ""},
               {"title", ""},
               {"kind", "self"},
               {"layer", 1},
               {"heads", 1},
               {"rows", wordsOf(names)},
               {"rowNotes", json::array()},
               {"columns", wordsOf(names)},
               {"writes", false},
               {"muted", json::array()},
               {"values", {{"query", 0}, {"key", 1}, {"value", 2}, {"scores", 3}, {"weights", 4}, {"output", 5}}},
               {"score", std::move(score)}};
    return {{"model", ""},
            {"example", true},
            {"source", wordsOf(names)},
            {"target", json::array()},
            {"written", json::array()},
            {"answers", json::array()},
            {"values",
             {matrixRecord("Q", "Q", q.rows, q.columns, q.values, "number"),
              matrixRecord("K", "K", k.rows, k.columns, k.values, "number"),
              matrixRecord("V", "V", v.rows, v.columns, v.values, "number"),
              matrixRecord("scores", "Scores", q.rows, k.rows, made.scores, "source"),
              matrixRecord("weights", "Weights", q.rows, k.rows, made.weights, "source"),
              matrixRecord("output", "Output", q.rows, v.columns, made.output, "number")}},
            {"blocks", {block}}};
}

}  // namespace headlight
