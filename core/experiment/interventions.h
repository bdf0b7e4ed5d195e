// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"
#include "core/nn/intervention.h"
#include "core/trace/trace.h"

namespace headlight {

/// Which numbers of a traced value are meant: an Intervention's place, head, rows and columns.
struct TracePlace {
    std::string name;
    int head = -1;
    std::vector<int> rows = {};
    std::vector<int> columns = {};
};

/// Puts `from`'s numbers into the place. `fromRows`, where given, are the rows of `from` that go into place.rows, one
/// for each. Throws Error for a name, head, row or column that the trace does not have.
Intervention takenFrom(const Trace& from, const TracePlace& place, const std::vector<int>& fromRows = {});
Intervention replacedByZero(const TracePlace& place);
Intervention scaled(const TracePlace& place, float factor);
/// What a muted head is: nothing of what it mixes goes on. Gives the same bits as ForwardContext::mutedHeads.
Intervention muted(const MutedHead& head, const Model& model);

/// Puts the mean over a corpus into the place: for each column that of all rows of all its sentences, each read as
/// traceSentence() reads it, with its target where it has one. Throws Error where no sentence has the value.
/// `progress`: the share done; where it says false the mean is of what was read until then.
Intervention replacedByMean(const TrainedModel& model, const Corpus& corpus, const TracePlace& place,
                            const std::function<bool(double)>& progress = {});

/// Throws Error, in one line, where a list asks for what no pass of the model that made `trace` could change: a name
/// that it does not have, ids (another sentence is another reading), log_probs (which nothing reads), a head, row or
/// column that is not there, or values of another shape.
void checkInterventions(const std::vector<Intervention>& list, const Trace& trace);

/// [{"place", "head", "rows", "columns", "act": "replace"|"scale"|"add", "shape": [heads, rows, columns], "values"}];
/// what is all of them is null, or left out. Throws Error for anything else.
nlohmann::json toJson(const std::vector<Intervention>& list);
std::vector<Intervention> interventionsFromJson(const nlohmann::json& json);

}  // namespace headlight
