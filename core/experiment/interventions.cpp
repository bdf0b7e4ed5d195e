// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/interventions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "core/error.h"

namespace headlight {

namespace {

constexpr std::array<std::pair<Intervention::Act, const char*>, 3> acts{
    {{Intervention::Act::Replace, "replace"}, {Intervention::Act::Scale, "scale"}, {Intervention::Act::Add, "add"}}};

/// A traced value as [heads, rows, columns]; one without heads has one.
struct Sizes {
    bool hasHeads = false;
    int heads = 1, rows = 0, columns = 0;

    explicit Sizes(const TraceRecord& record) : hasHeads(record.shape.size() == 3) {
        if (hasHeads) heads = record.dim(0);
        rows = record.shape[record.shape.size() - 2];
        columns = record.shape.back();
    }
    size_t index(int head, int row, int column) const {
        return (static_cast<size_t>(head) * static_cast<size_t>(rows) + static_cast<size_t>(row)) *
                   static_cast<size_t>(columns) +
               static_cast<size_t>(column);
    }
};

const TraceRecord& changeable(const Trace& trace, const std::string& name) {
    const TraceRecord* const record = trace.find(name);
    if (!record) throw Error("the model has no value \"" + name + "\": trace a sentence to see their names");
    if (record->shape.size() < 2)
        throw Error("\"" + name + "\" are the words themselves: read another sentence, or change their embedding");
    if (record->part == Part::LogProbs) throw Error("nothing is computed from \"" + name + "\": change logits instead");
    return *record;
}

void checkIndex(const std::string& place, const char* what, int index, int count) {
    if (index < 0 || index >= count)
        throw Error("\"" + place + "\" has no " + what + " " + std::to_string(index) + ": they go from 0 to " +
                    std::to_string(count - 1));
}

void checkPlace(const TraceRecord& record, const TracePlace& place) {
    const Sizes sizes(record);
    if (place.head >= 0) {
        if (!sizes.hasHeads) throw Error("\"" + place.name + "\" has no heads: leave the head out");
        checkIndex(place.name, "head", place.head, sizes.heads);
    }
    for (const int row : place.rows)
        checkIndex(place.name, "row", row, sizes.rows);
    for (const int column : place.columns)
        checkIndex(place.name, "column", column, sizes.columns);
}

std::vector<int> orAll(const std::vector<int>& named, int count) {
    if (!named.empty()) return named;
    std::vector<int> all(static_cast<size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

Intervention at(const TracePlace& place) {
    return {.place = place.name, .head = place.head, .rows = place.rows, .columns = place.columns};
}

void checkShape(const Intervention& change) {
    const auto fits = [](int count, size_t named) {
        return count == 1 || named == 0 || count == static_cast<int>(named);
    };
    const size_t size = static_cast<size_t>(std::max(0, change.valueHeads)) *
                        static_cast<size_t>(std::max(0, change.valueRows)) *
                        static_cast<size_t>(std::max(0, change.valueColumns));
    if (size == 0 || size != change.values.size() || !fits(change.valueRows, change.rows.size()) ||
        !fits(change.valueColumns, change.columns.size()) || (change.head >= 0 && change.valueHeads != 1))
        throw Error("the change of \"" + change.place + "\" has " + std::to_string(change.values.size()) +
                    " values, and they are not one, or one for each head, row and column that it names");
}

/// −∞ says that a cell is masked; what is computed from it elsewhere would be no number.
void checkNumbers(const Intervention& change, const TraceRecord& record) {
    const bool masks = record.part == Part::Mask || record.part == Part::Scores;
    for (const float value : change.values)
        if (!std::isfinite(value) && !(masks && value < 0 && change.act == Intervention::Act::Replace))
            throw Error("the change of \"" + change.place +
                        "\" is no number: -inf may replace cells of scores and of masks alone");
}

}  // namespace

Intervention takenFrom(const Trace& from, const TracePlace& place, const std::vector<int>& fromRows) {
    const TraceRecord& record = changeable(from, place.name);
    const Sizes sizes(record);
    TracePlace read = place;
    if (!fromRows.empty()) read.rows = fromRows;
    checkPlace(record, read);
    if (!fromRows.empty() && fromRows.size() != place.rows.size())
        throw Error("\"" + place.name + "\" takes as many rows as it gives: name one for each");
    Intervention change = at(place);
    const std::vector<int> rows = orAll(read.rows, sizes.rows), columns = orAll(place.columns, sizes.columns);
    change.valueHeads = place.head >= 0 ? 1 : sizes.heads;
    change.valueRows = static_cast<int>(rows.size());
    change.valueColumns = static_cast<int>(columns.size());
    change.values.clear();
    for (int head = 0; head < change.valueHeads; ++head)
        for (const int row : rows)
            for (const int column : columns)
                change.values.push_back(record.values[sizes.index(place.head >= 0 ? place.head : head, row, column)]);
    return change;
}

Intervention replacedByZero(const TracePlace& place) {
    return at(place);
}

Intervention scaled(const TracePlace& place, float factor) {
    Intervention change = at(place);
    change.act = Intervention::Act::Scale;
    change.values = {factor};
    return change;
}

Intervention muted(const MutedHead& head, const Model& model) {
    const auto& modules = model.modules();
    const auto block = std::ranges::find_if(modules, [&](const ModuleRef& each) { return each->scope == head.block; });
    if (block == modules.end() || (*block)->kind != ModuleKind::Attention)
        throw Error("there is no attention block \"" + head.block + "\"");
    // A recurrent decoder's attention is one head, and what it mixes is called its context.
    const bool recurrent = (*block)->place.section == Section::End;
    return recurrent ? replacedByZero({head.block + ".context"}) : replacedByZero({head.block + ".heads", head.head});
}

Intervention replacedByMean(const TrainedModel& model, const Corpus& corpus, const TracePlace& place,
                            const std::function<bool(double)>& progress) {
    std::vector<double> sums;
    long rows = 0;
    Intervention change = at(place);
    const bool pairs = model.network->config().encoderDecoder();
    for (size_t i = 0; i < corpus.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(corpus.size()))) break;
        const bool text = model.network->config().corpusKind() == CorpusKind::Text;
        const Trace trace = traceSentence(model, text ? corpus[i].target : corpus[i].source,
                                          pairs ? std::optional(corpus[i].target) : std::nullopt);
        const Intervention each = takenFrom(trace, {place.name, place.head, {}, place.columns});
        const size_t columns = static_cast<size_t>(each.valueColumns);
        sums.resize(std::max(sums.size(), static_cast<size_t>(each.valueHeads) * columns));
        change.valueHeads = each.valueHeads;
        change.valueColumns = std::max(change.valueColumns, each.valueColumns);
        if (sums.size() != static_cast<size_t>(each.valueHeads) * columns)
            throw Error("\"" + place.name + "\" is as wide as its sentence is long: it has no mean over several");
        for (size_t k = 0; k < each.values.size(); ++k) {
            const size_t head = k / (columns * static_cast<size_t>(each.valueRows));
            sums[head * columns + k % columns] += static_cast<double>(each.values[k]);
        }
        rows += each.valueRows;
    }
    if (rows == 0) throw Error("there is no sentence to take a mean over");
    change.values.clear();
    for (const double sum : sums)
        change.values.push_back(static_cast<float>(sum / static_cast<double>(rows)));
    return change;
}

void checkInterventions(const std::vector<Intervention>& list, const Trace& trace) {
    for (const Intervention& change : list) {
        const TraceRecord& record = changeable(trace, change.place);
        checkPlace(record, {change.place, change.head, change.rows, change.columns});
        checkShape(change);
        checkNumbers(change, record);
    }
}

namespace {

constexpr auto kMinusInfinity = "-inf";  // JSON has no infinity

nlohmann::json numbersOf(const std::vector<float>& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const float value : values)
        list.push_back(std::isinf(value) && value < 0 ? nlohmann::json(kMinusInfinity) : nlohmann::json(value));
    return list;
}

std::vector<float> numbersFrom(const nlohmann::json& list) {
    std::vector<float> values;
    for (const nlohmann::json& value : list) {
        const bool masks = value.is_string() && value.get<std::string>() == kMinusInfinity;
        values.push_back(masks ? -std::numeric_limits<float>::infinity() : value.get<float>());
    }
    return values;
}

}  // namespace

nlohmann::json toJson(const std::vector<Intervention>& list) {
    nlohmann::json result = nlohmann::json::array();
    for (const Intervention& change : list) {
        nlohmann::json entry{{"place", change.place},
                             {"shape", {change.valueHeads, change.valueRows, change.valueColumns}},
                             {"values", numbersOf(change.values)}};
        if (change.head >= 0) entry["head"] = change.head;
        if (!change.rows.empty()) entry["rows"] = change.rows;
        if (!change.columns.empty()) entry["columns"] = change.columns;
        for (const auto& [act, name] : acts)
            if (act == change.act) entry["act"] = name;
        result.push_back(std::move(entry));
    }
    return result;
}

namespace {

Intervention changeFromJson(const nlohmann::json& entry) {
    const auto has = [&](const char* key) { return entry.contains(key) && !entry.at(key).is_null(); };
    Intervention change;
    change.place = entry.at("place").get<std::string>();
    if (has("head")) change.head = entry.at("head").get<int>();
    if (has("rows")) change.rows = entry.at("rows").get<std::vector<int>>();
    if (has("columns")) change.columns = entry.at("columns").get<std::vector<int>>();
    const std::string act = has("act") ? entry.at("act").get<std::string>() : "replace";
    const auto named = std::ranges::find_if(acts, [&](const auto& each) { return act == each.second; });
    if (named == acts.end()) throw Error("a change cannot \"" + act + "\": use replace, scale or add");
    change.act = named->first;
    if (has("values")) change.values = numbersFrom(entry.at("values"));
    if (has("shape")) {
        const auto shape = entry.at("shape").get<std::array<int, 3>>();
        change.valueHeads = shape[0];
        change.valueRows = shape[1];
        change.valueColumns = shape[2];
    }
    checkShape(change);
    return change;
}

}  // namespace

std::vector<Intervention> interventionsFromJson(const nlohmann::json& json) {
    std::vector<Intervention> list;
    try {
        for (const nlohmann::json& entry : json)
            list.push_back(changeFromJson(entry));
    } catch (const nlohmann::json::exception&) {
        throw Error(
            "these are no changes of values: write a list of {\"place\": NAME, \"head\", \"rows\", \"columns\", "
            "\"act\": \"replace\", \"shape\": [1, 1, 1], \"values\": [0]}");
    }
    return list;
}

}  // namespace headlight
