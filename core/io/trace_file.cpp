// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in io, not beside the trace: it needs the file format, and trace is below io.
#include "core/io/trace_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <list>
#include <set>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/io/numpy_file.h"
#include "core/io/safetensors.h"
#include "core/json_text.h"

namespace headlight {

namespace {

using Chosen = std::vector<const TraceRecord*>;

bool holdsIds(const TraceRecord& record) {
    return record.name == "source.ids" || record.name == "target.ids" || record.name == "ids";
}

std::vector<int64_t> idsOf(const TraceRecord& record) {
    std::vector<int64_t> ids;
    ids.reserve(record.values.size());
    for (const float value : record.values)
        ids.push_back(std::llround(value));
    return ids;
}

std::string jsonOf(const std::vector<std::string>& tokens) {
    // A byte-level token may be a part of a character: shown as U+FFFD, the ids still say which it was.
    return jsonText(tokens);
}

bool isAmong(const std::string& name, const std::string& wanted) {
    return name == wanted || name.starts_with(wanted + ".");
}

/// What every name begins with, for whoever mistyped one.
std::string beginnings(const Trace& trace) {
    std::set<std::string> found;
    for (const TraceRecord& record : trace.records())
        found.insert(record.name.substr(0, record.name.find('.')));
    std::string text;
    for (const std::string& each : found)
        text += (text.empty() ? "" : ", ") + each;
    return text;
}

Chosen choose(const Trace& trace, const std::vector<std::string>& only) {
    for (const std::string& wanted : only)
        if (std::ranges::none_of(trace.records(),
                                 [&](const TraceRecord& record) { return isAmong(record.name, wanted); }))
            throw Error("this trace has no value \"" + wanted + "\": its names begin with " + beginnings(trace));
    Chosen chosen;
    for (const TraceRecord& record : trace.records())
        if (only.empty() ||
            std::ranges::any_of(only, [&](const std::string& wanted) { return isAmong(record.name, wanted); }))
            chosen.push_back(&record);
    return chosen;
}

void saveTensors(const Trace& trace, const Chosen& chosen, const std::string& path) {
    safetensors::Writer writer;
    writer.setMetadata("format", "headlight-trace");
    writer.setMetadata("headlight.version", HEADLIGHT_VERSION);
    writer.setMetadata("headlight.tokens.source", jsonOf(trace.writtenSource()));
    writer.setMetadata("headlight.tokens.target", jsonOf(trace.writtenTarget()));
    std::list<std::vector<int64_t>> ids;  // a list: the writer refers to the values until it has written
    for (const TraceRecord* record : chosen) {
        std::vector<int64_t> shape(record->shape.begin(), record->shape.end());
        if (holdsIds(*record))
            writer.add(record->name, std::move(shape), std::span<const int64_t>(ids.emplace_back(idsOf(*record))));
        else
            writer.add(record->name, std::move(shape), std::span<const float>(record->values));
    }
    writer.write(path);
}

void saveArrays(const Trace& trace, const Chosen& chosen, const std::string& path) {
    NumpyWriter writer;
    writer.add("tokens.source", trace.writtenSource());
    if (!trace.writtenTarget().empty()) writer.add("tokens.target", trace.writtenTarget());
    for (const TraceRecord* record : chosen) {
        if (holdsIds(*record))
            writer.add(record->name, record->shape, std::span<const int64_t>(idsOf(*record)));
        else
            writer.add(record->name, record->shape, std::span<const float>(record->values));
    }
    writer.write(path);
}

/// The shortest text that is read as the same float32; what JSON has no number for is null.
void putNumber(float value, std::string& text) {
    if (!std::isfinite(value)) {
        text += "null";
        return;
    }
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Lists in lists, by the shape from `axis` on. → behind the last value that was put.
const float* putNested(const std::vector<int>& shape, size_t axis, const float* values, std::string& text) {
    if (axis == shape.size()) {
        putNumber(*values, text);
        return values + 1;
    }
    text += '[';
    for (int i = 0; i < shape[axis]; ++i) {
        if (i > 0) text += ',';
        values = putNested(shape, axis + 1, values, text);
    }
    text += ']';
    return values;
}

void saveLists(const Trace& trace, const Chosen& chosen, const std::string& path) {
    std::string text =
        "{\"format\":\"headlight-trace\",\"version\":\"" HEADLIGHT_VERSION "\",\n\"tokens\":{\"source\":" +
        jsonOf(trace.writtenSource()) + ",\"target\":" + jsonOf(trace.writtenTarget()) + "},\n\"values\":{";
    for (const TraceRecord* record : chosen) {
        text += (record == chosen.front() ? "\n" : ",\n") + jsonQuoted(record->name) +
                ":{\"shape\":" + jsonText(record->shape) + ",\"values\":";
        putNested(record->shape, 0, record->values.data(), text);
        text += '}';
    }
    atomicWrite(path, text + "}}\n");
}

}  // namespace

void saveTrace(const Trace& trace, const std::string& path, const std::vector<std::string>& only) {
    const Chosen chosen = choose(trace, only);
    if (path.ends_with(".npz"))
        saveArrays(trace, chosen, path);
    else if (path.ends_with(".json"))
        saveLists(trace, chosen, path);
    else
        saveTensors(trace, chosen, path);
}

}  // namespace headlight
