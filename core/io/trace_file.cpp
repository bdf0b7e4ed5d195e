// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in io, not beside the trace: it needs the file format, and trace is below io.
#include "core/io/trace_file.h"

#include <cmath>
#include <list>

#include <nlohmann/json.hpp>

#include "core/io/safetensors.h"

namespace headlight {

namespace {

bool holdsIds(const TraceRecord& record) {
    return record.name == "source.ids" || record.name == "target.ids" || record.name == "ids";
}

std::string jsonOf(const std::vector<std::string>& tokens) {
    // A byte-level token may be a part of a character: shown as U+FFFD, the ids still say which it was.
    return nlohmann::json(tokens).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void saveTrace(const Trace& trace, const std::string& path) {
    safetensors::Writer writer;
    writer.setMetadata("format", "headlight-trace");
    writer.setMetadata("headlight.version", HEADLIGHT_VERSION);
    writer.setMetadata("headlight.tokens.source", jsonOf(trace.sourceTokens));
    writer.setMetadata("headlight.tokens.target", jsonOf(trace.targetTokens));
    std::list<std::vector<int64_t>> ids;  // a list: the writer refers to the values until it has written
    for (const TraceRecord& record : trace.records()) {
        std::vector<int64_t> shape(record.shape.begin(), record.shape.end());
        if (holdsIds(record)) {
            auto& values = ids.emplace_back();
            for (const float value : record.values)
                values.push_back(std::llround(value));
            writer.add(record.name, std::move(shape), std::span<const int64_t>(values));
        } else {
            writer.add(record.name, std::move(shape), std::span<const float>(record.values));
        }
    }
    writer.write(path);
}

}  // namespace headlight
