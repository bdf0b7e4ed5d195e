// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/fed_words.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/experiment/prompt.h"
#include "ui/session/open/divergence.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

namespace {

const TraceRecord* wordsOf(const Trace& trace) {
    const TraceRecord* const said = trace.find("log_probs");
    return said && said->shape.size() == 2 ? said : nullptr;
}

SaidWord saidAt(const TrainedModel& model, const Trace& trace, int at, std::span<const float> row) {
    const int column = likeliest(row);
    return {wordAtRow(model, trace, at, wordOfColumn(model, column)),
            std::exp(static_cast<double>(row[static_cast<size_t>(column)]))};
}

/// What `model` gives to the word that another one says in its column.
std::optional<double> probabilityOf(const TrainedModel& model, std::span<const float> row, const TrainedModel& other,
                                    int column) {
    const std::string& token = other.target->vocabulary().token(wordOfColumn(other, column));
    if (!model.target->vocabulary().contains(token)) return {};
    const int own = model.target->vocabulary().id(token) - wordOfColumn(model, 0);
    if (own < 0 || own >= std::ssize(row)) return {};
    return std::exp(static_cast<double>(row[static_cast<size_t>(own)]));
}

}  // namespace

std::vector<FedWord> fedWords(const TrainedModel& one, const Trace& a, const TrainedModel& other, const Trace& b) {
    const TraceRecord *const own = wordsOf(a), *const theirs = wordsOf(b);
    if (!own) return {};
    const bool isOneAnswer = one.network->config().corpusKind() == CorpusKind::Labels;
    const QStringList fed = isOneAnswer ? QStringList() : rowNames(one, a, *own);
    const std::vector<char> foreign = incomparable(a, *own, b);
    const TraceRecord* const logits = a.find("logits");
    const Divergence apart = logits ? divergenceOf(a, *logits, b) : Divergence();
    std::vector<FedWord> words(static_cast<size_t>(own->dim(0)));
    for (size_t row = 0; row < words.size(); ++row) {
        FedWord& word = words[row];
        const auto at = static_cast<int>(row);
        const std::span<const float> first = matrixRow(*own, 0, at);
        word.fed = fed.value(at);
        word.first = saidAt(one, a, at, first);
        if (row < apart.rows.size() && !std::isnan(apart.rows[row])) word.apart = apart.rows[row];
        const bool isFedOtherwise = !foreign.empty() && foreign[row * first.size()] != 0;
        if (!theirs || at >= theirs->dim(0) || isFedOtherwise) continue;
        const std::span<const float> second = matrixRow(*theirs, 0, at);
        word.second = saidAt(other, b, at, second);
        word.kept = probabilityOf(other, second, one, likeliest(first));
    }
    return words;
}

bool hasFedRows(const Trace& trace, const TraceRecord& value) {
    const TraceRecord* const words = wordsOf(trace);
    if (!words || value.axes.size() < 2) return false;
    const Axis rows = value.axes[value.axes.size() - 2];
    return rows == words->axes.front() && matrixRows(value) == words->dim(0);
}

std::optional<double> logProbOfFed(const TrainedModel& model, const Trace& trace) {
    const TraceRecord* const words = wordsOf(trace);
    if (!words || !model.network->config().encoderDecoder()) return {};
    std::vector<int> fed = Prompt::of(trace).target;
    fed.push_back(model.network->config().eosId);
    double sum = 0;
    for (int row = 0; row < words->dim(0); ++row)
        sum += static_cast<double>(matrixRow(*words, 0, row)[static_cast<size_t>(fed[static_cast<size_t>(row) + 1])]);
    return sum;
}

}  // namespace headlight
