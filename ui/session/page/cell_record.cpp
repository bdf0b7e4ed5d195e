// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/cell_record.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "ui/session/format/model_names.h"
#include "ui/session/page/packed.h"

namespace headlight {

namespace {

using nlohmann::json;

const char* cellWord(Cell cell) {
    switch (cell) {
        case Cell::Lstm:
            return "lstm";
        case Cell::Gru:
            return "gru";
        case Cell::Rnn:
            break;
    }
    return "rnn";
}

/// What the page calls a column, and which value of the trace it is, where it is one.
std::pair<const char*, std::optional<Part>> columnWord(CellColumn::Kind kind) {
    using Kind = CellColumn::Kind;
    switch (kind) {
        case Kind::Before:
            return {"before", {}};
        case Kind::Forget:
            return {"forget", Part::ForgetGate};
        case Kind::Kept:
            return {"kept", {}};
        case Kind::Input:
            return {"input", Part::InputGate};
        case Kind::Candidate:
            return {"candidate", Part::Candidate};
        case Kind::Written:
            return {"written", {}};
        case Kind::Memory:
            return {"memory", Part::Cell};
        case Kind::Squashed:
            return {"squashed", {}};
        case Kind::Output:
            return {"output", Part::OutputGate};
        case Kind::State:
            return {"state", Part::State};
        case Kind::Reset:
            return {"reset", Part::ResetGate};
        case Kind::Recall:
            return {"recall", {}};
        case Kind::ResetRecall:
            return {"resetRecall", {}};
        case Kind::Update:
            return {"update", Part::UpdateGate};
        case Kind::Complement:
            return {"complement", {}};
        case Kind::Word:
            return {"word", {}};
        case Kind::Past:
            return {"past", {}};
        case Kind::Bias:
            return {"bias", {}};
        case Kind::Sum:
            return {"sum", {}};
    }
    return {"", {}};
}

/// As the page calls a column that holds the gate's value.
const char* gateWord(Part gate) {
    static const std::map<Part, const char*> words = {
        {Part::ForgetGate, "forget"}, {Part::InputGate, "input"},   {Part::OutputGate, "output"},
        {Part::ResetGate, "reset"},   {Part::UpdateGate, "update"}, {Part::Candidate, "candidate"},
    };
    const auto at = words.find(gate);
    return at == words.end() ? "state" : at->second;
}

/// The same place of the same reading, which may be moved through.
CellPicture copyOf(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                   const CellPicture& shown) {
    CellPicture own(model, trace);
    own.setPlace(shown.place());
    return own;
}

/// Gate by gate: what the word, the state before it and the bias add, and the sum; word by word, unit by unit.
json sumsRecord(CellPicture& own) {
    constexpr size_t kParts = 4;
    json record = json::array();
    std::vector<std::vector<float>> numbers(own.sums().size());
    for (int word = 0; word < own.words(); ++word) {
        own.setWord(word);
        for (int unit = 0; unit < own.units(); ++unit) {
            own.setUnit(unit);
            for (size_t gate = 0; gate < numbers.size(); ++gate) {
                const GateSum& sum = own.sums()[gate];
                for (const double each : {sum.word, sum.reset * (sum.past + sum.pastBias), sum.bias, sum.sum})
                    numbers[gate].push_back(static_cast<float>(each));
            }
        }
    }
    for (size_t gate = 0; gate < numbers.size(); ++gate)
        record.push_back({{"kind", gateWord(own.sums()[gate].gate)},
                          {"squash", own.sums()[gate].isTanh ? "tanh" : "σ"},
                          {"parts", kParts},
                          {"numbers", packed(numbers[gate])}});
    return record;
}

json writesRecord(const CellWrites& writes, bool isOfOneSentence) {
    json words = json::array();
    for (const CellWrites::Word& word : writes.words)
        words.push_back({{"word", word.text}, {"count", word.count}, {"means", packed(word.mean)}});
    return {{"sentences", writes.sentences}, {"isOfOne", isOfOneSentence}, {"words", std::move(words)}};
}

json reachRecord(const CellStudy& study) {
    json lines = json::array();
    for (const CellStudy::Reach& each : study.reaches())
        lines.push_back({{"name", cellName(each.cell).toStdString()},
                         {"share", each.reach.share},
                         {"model", each.key.toStdString()},
                         {"isOfSameTask", each.isOfSameTask}});
    for (size_t i = 0; i < study.gains().size(); ++i)
        lines.push_back({{"gain", i == 0 ? 1.0 : study.gain()}, {"share", study.gains()[i].reach.share}});
    return lines;
}

}  // namespace

json cellRecord(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                const CellPicture& shown) {
    CellPicture own = copyOf(model, trace, shown);
    const Module& layer = *own.places()[static_cast<size_t>(shown.place())].layer;
    std::vector<std::vector<float>> numbers;
    std::vector<CellColumn::Kind> kinds;
    for (int word = 0; word < own.words(); ++word) {
        own.setWord(word);
        numbers.resize(own.columns().size());
        kinds.clear();
        for (size_t column = 0; column < own.columns().size(); ++column) {
            const std::vector<double>& values = own.columns()[column].values;
            numbers[column].insert(numbers[column].end(), values.begin(), values.end());
            kinds.push_back(own.columns()[column].kind);
        }
    }
    json record{{"lab", "cell"},
                {"kind", cellWord(own.cell())},
                {"tokens", wordsOf(own.tokens())},
                {"units", own.units()},
                {"word", shown.word()},
                {"unit", shown.unit()},
                {"sorted", shown.isSorted()},
                {"columns", json::array()}};
    for (size_t column = 0; column < kinds.size(); ++column) {
        const auto [kind, part] = columnWord(kinds[column]);
        const TraceRecord* const traced = part ? trace->find(layer, *part) : nullptr;
        record["columns"].push_back(
            {{"kind", kind}, {"name", traced ? traced->name : std::string()}, {"numbers", packed(numbers[column])}});
    }
    return record;
}

json cellSideRecord(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                    const CellPicture& shown, const CellStudy& study) {
    CellPicture own = copyOf(model, trace, shown);
    json record{{"sums", sumsRecord(own)},
                {"reach", reachRecord(study)},
                {"ofDecoder", shown.cellPlace().stack != Stack::Encoder}};
    if (study.writes()) record["writes"] = writesRecord(*study.writes(), study.isOfOneSentence());
    return record;
}

}  // namespace headlight
